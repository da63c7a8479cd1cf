#include "input/cmake_files.h"
#include "input/buffers.h"
#include "input/database.h"
#include "input/search_flags.h"
#include "llvm/Support/Path.h"
#include <algorithm>

namespace path = llvm::sys::path;

namespace warplint {

std::vector<CmakeFile> cmakeFilesAbove(llvm::StringRef folder,
                                       llvm::StringRef top) {
  std::vector<CmakeFile> files;
  for (llvm::StringRef in = folder; !in.empty(); in = path::parent_path(in)) {
    const std::string file = pathIn(in, "CMakeLists.txt");
    if (const auto text = readText(file, {}))
      files.push_back({file, commandsInCmake(text->getBuffer())});
    if (in == top || !isBelow(in, top))
      break;
  }
  std::reverse(files.begin(), files.end());
  return files;
}

} // namespace warplint
