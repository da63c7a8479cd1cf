#include "input/name_pattern.h"
#include "base/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
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

/// More characters than users write.
static constexpr size_t longestPattern = 1000;

static llvm::Error checkLength(llvm::StringRef pattern) {
  if (pattern.size() <= longestPattern)
    return llvm::Error::success();
  return failure("it is longer than " + llvm::Twine(longestPattern) +
                 " characters");
}

namespace {

/// How large an expression becomes when LLVM compiles it: it writes a repeated
/// part as often as it may occur, so that `((x{255}){255}){255}` has 16 million
/// states.
class ExpressionSize {
public:
  explicit ExpressionSize(llvm::StringRef left) : left_(left) {}

  llvm::Error check() {
    for (; !left_.empty(); repeat()) {
      if (left_.starts_with("("))
        open();
      else if (left_.starts_with(")"))
        close();
      else if (left_.consume_front("["))
        skipSet();
      else if (llvm::Error error = character())
        return error;
      if (groups_.size() > mostGroups)
        return failure("its groups are nested more than " +
                       llvm::Twine(mostGroups) + " deep");
      // An open group is counted when it ends.
      if (groups_.back() + last_ > mostStates)
        return tooLarge();
    }
    for (uint64_t group : groups_)
      last_ = std::min(mostStates + 1, last_ + group);
    return last_ > mostStates ? tooLarge() : llvm::Error::success();
  }

private:
  /// Some hundred kilobytes of memory.
  static constexpr uint64_t mostStates = 10'000;
  static constexpr size_t mostGroups = 50;

  static llvm::Error tooLarge() {
    return failure("its repetitions stand for more than " +
                   llvm::Twine(mostStates) + " characters");
  }

  void begin(uint64_t size) {
    groups_.back() += last_;
    last_ = size;
  }

  void open() {
    left_ = left_.drop_front();
    begin(0);
    groups_.push_back(0);
  }

  void close() {
    left_ = left_.drop_front();
    if (groups_.size() == 1)
      return;
    const uint64_t size = groups_.pop_back_val() + last_ + 2;
    last_ = size;
  }

  /// A set may hold its own end as its first character, `[]a]`, and classes,
  /// `[[:alpha:]_]`.
  void skipSet() {
    begin(1);
    left_.consume_front("^");
    left_.consume_front("]");
    while (!left_.empty() && !left_.consume_front("]")) {
      llvm::StringRef end;
      for (llvm::StringRef mark : {":", ".", "="})
        if (left_.starts_with(("[" + mark).str()))
          end = mark;
      const size_t at = end.empty() ? llvm::StringRef::npos
                                    : left_.find((end + "]").str(), 2);
      left_ = left_.drop_front(at == llvm::StringRef::npos ? 1 : at + 2);
    }
  }

  llvm::Error character() {
    begin(1);
    if (left_.consume_front("\\") && !left_.empty() &&
        llvm::isDigit(left_.front()))
      return failure("it refers back to a group, '\\" + left_.take_front() +
                     "'");
    left_ = left_.drop_front(!left_.empty()); // nothing follows a last '\\'
    return llvm::Error::success();
  }

  void repeat() {
    for (;;) {
      uint64_t times = 2;
      if (left_.consume_front("{")) {
        unsigned low = 0, high = 0;
        left_.consumeInteger(10, low);
        if (left_.consume_front(",") && left_.consumeInteger(10, high))
          high = low + 1;
        left_.consume_front("}");
        times = std::max({low, high, 1u});
      } else if (!left_.consume_front("*") && !left_.consume_front("+") &&
                 !left_.consume_front("?")) {
        return;
      }
      last_ = std::min(mostStates + 1, last_ * times);
    }
  }

  llvm::StringRef left_;
  llvm::SmallVector<uint64_t> groups_ = {0}; ///< without their last parts
  uint64_t last_ = 0; ///< of the part that a repetition would repeat
};

} // namespace

static llvm::Error checkGlob(llvm::StringRef pattern) {
  if (llvm::Error error = checkLength(pattern))
    return error;
  auto glob = llvm::GlobPattern::create(pattern, mostAlternatives);
  return glob ? llvm::Error::success() : glob.takeError();
}

llvm::Error checkNamePattern(llvm::StringRef pattern) {
  auto expression = expressionOf(pattern);
  if (!expression)
    return checkGlob(pattern);
  if (llvm::Error error = checkLength(pattern))
    return error;
  if (llvm::Error error = ExpressionSize(*expression).check())
    return error;
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
