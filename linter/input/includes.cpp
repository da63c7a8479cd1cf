#include "input/includes.h"
#include "input/database.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

/// What stands behind `#include` in a line; empty if it is another one.
static StringRef includedBy(StringRef line) {
  line = line.ltrim();
  if (!line.consume_front("#"))
    return "";
  line = line.ltrim();
  if (!line.consume_front("include_next") && !line.consume_front("include") &&
      !line.consume_front("import"))
    return "";
  return line.ltrim();
}

static bool isSpelt(StringRef include) {
  return include.starts_with("\"") || include.starts_with("<");
}

std::vector<StringRef> includesIn(StringRef text) {
  std::vector<StringRef> includes;
  for (StringRef line : split(text, '\n'))
    if (StringRef include = includedBy(line); isSpelt(include))
      includes.push_back(include.take_front(include.find_first_of("\">", 1)));
  return includes;
}

std::string findIncluded(StringRef include, StringRef file,
                         ArrayRef<std::string> folders) {
  const StringRef name = include.drop_front();
  if (include.starts_with("\""))
    if (std::string found = plainPathIn(sys::path::parent_path(file), name);
        sys::fs::is_regular_file(found))
      return found;
  for (const std::string &folder : folders)
    if (std::string found = plainPathIn(folder, name);
        sys::fs::is_regular_file(found))
      return found;
  return "";
}

const IncludeScan::Includes &IncludeScan::includesOf(const std::string &file) {
  auto [place, isNew] = read_.try_emplace(file);
  auto buffer = isNew ? MemoryBuffer::getFile(file) : nullptr;
  if (!isNew || !buffer)
    return place->second;
  Includes &found = place->second;
  for (StringRef line : split((*buffer)->getBuffer(), '\n')) {
    StringRef include = includedBy(line);
    if (isSpelt(include))
      found.names.push_back(
          include.slice(1, include.find_first_of("\">", 1)).str());
    else if (!include.empty() &&
             (isAlpha(include.front()) || include.front() == '_'))
      found.hasMacro = true;
  }
  return found;
}

bool IncludeScan::mayRead(const std::string &source, StringRef directory,
                          ArrayRef<std::string> flags,
                          const std::set<std::string> &files, StringRef root) {
  std::vector<std::string> left = {canonicalPath(source)}, searched;
  for (SearchFlag &flag : searchFlags(directory, flags))
    if (flag.name == "-include" || flag.name == "-imacros")
      left.push_back(canonicalPath(flag.path));
    else
      searched.push_back(std::move(flag.path));
  std::set<std::string> seen(left.begin(), left.end());
  while (!left.empty()) {
    const std::string file = left.back();
    left.pop_back();
    if (files.count(file))
      return true;
    const Includes &includes = includesOf(file);
    // A macro of a library's names one of the library's own files.
    if (includes.hasMacro && StringRef(file).starts_with(root))
      return true;
    std::vector<std::string> folders = {sys::path::parent_path(file).str()};
    append_range(folders, searched);
    // Which of several headers of one name it is can depend on conditions.
    for (const std::string &name : includes.names)
      for (const std::string &folder : folders)
        if (std::string found = pathIn(folder, name); sys::fs::exists(found))
          if (found = canonicalPath(found); seen.insert(found).second)
            left.push_back(found);
  }
  return false;
}

} // namespace warplint
