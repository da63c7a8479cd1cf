#include "input/name_pattern.h"
#include "base/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"

namespace warplint {

/// The text between the slashes.
static std::optional<llvm::StringRef> expressionOf(llvm::StringRef pattern) {
  if (pattern.size() > 2 && pattern.consume_front("/") &&
      pattern.consume_back("/"))
    return pattern;
  return std::nullopt;
}

/// Lets `**/` match no folder too. Otherwise it is the same as a single `*`.
static std::string withoutTwoStars(llvm::StringRef pattern) {
  std::string result;
  while (!pattern.empty())
    if (pattern.consume_front("**/"))
      result += "{*/,}";
    else
      result += pattern.front(), pattern = pattern.drop_front();
  return result;
}

/// A limit on alternatives in a glob, more than users write.
static constexpr size_t mostAlternatives = 64;

static bool isGlobOf(llvm::StringRef pattern, llvm::StringRef text) {
  auto glob = llvm::GlobPattern::create(pattern, mostAlternatives);
  if (glob)
    return glob->match(text);
  llvm::consumeError(glob.takeError());
  return false;
}

static llvm::Error checkGlob(llvm::StringRef pattern) {
  auto glob = llvm::GlobPattern::create(pattern, mostAlternatives);
  return glob ? llvm::Error::success() : glob.takeError();
}

llvm::Error checkNamePattern(llvm::StringRef pattern) {
  auto expression = expressionOf(pattern);
  if (!expression)
    return checkGlob(pattern);
  std::string why;
  if (llvm::Regex(*expression).isValid(why))
    return llvm::Error::success();
  return failure(why);
}

bool matchesName(llvm::StringRef pattern, llvm::StringRef kernel) {
  if (auto expression = expressionOf(pattern))
    return llvm::Regex(*expression).match(kernel);
  const llvm::StringRef whole = kernel.split('<').first;
  const size_t last = whole.rfind("::");
  return isGlobOf(pattern, kernel) || isGlobOf(pattern, whole) ||
         (last != llvm::StringRef::npos &&
          isGlobOf(pattern, whole.substr(last + 2)));
}

llvm::Error checkPathPattern(llvm::StringRef pattern) {
  return checkGlob(withoutTwoStars(pattern));
}

bool matchesPath(llvm::StringRef pattern, llvm::StringRef folder,
                 llvm::StringRef file) {
  pattern.consume_front("./");
  const bool foldersOnly = pattern.consume_back("/");
  llvm::StringRef below = file;
  if (!pattern.starts_with("/") &&
      (!below.consume_front(folder.rtrim('/')) || !below.consume_front("/")))
    return false;
  const bool anywhere = !pattern.contains('/');
  const std::string glob = withoutTwoStars(pattern);
  // "a/b/c.cu" lies in "a" and in "a/b".
  for (size_t from = 0, end = 0; end != llvm::StringRef::npos; from = end + 1) {
    end = below.find('/', from);
    if (end == 0 || (foldersOnly && end == llvm::StringRef::npos))
      continue;
    if (isGlobOf(glob,
                 anywhere ? below.slice(from, end) : below.take_front(end)))
      return true;
  }
  return false;
}

} // namespace warplint
