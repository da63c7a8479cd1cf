#include "input/includes.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
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

} // namespace warplint
