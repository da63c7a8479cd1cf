#include "input/search_flags.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

std::string pathIn(StringRef folder, StringRef name) {
  SmallString<256> path(name);
  sys::path::make_absolute(folder, path);
  return path.str().str();
}

std::vector<SearchFlag> searchFlags(StringRef directory,
                                    ArrayRef<std::string> flags) {
  std::vector<SearchFlag> found;
  for (size_t i = 0; i < flags.size(); ++i)
    for (StringRef name :
         {"-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-I"}) {
      StringRef value = flags[i];
      if (!value.consume_front(name))
        continue;
      if (value.empty() && i + 1 < flags.size())
        value = flags[++i];
      found.push_back({name, pathIn(directory, value)});
      break;
    }
  return found;
}

std::string plainPathIn(StringRef folder, StringRef name) {
  SmallString<256> path(pathIn(folder, name));
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

} // namespace warplint
