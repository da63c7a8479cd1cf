#include "source/device_layout.h"
#include "base/regular_file.h"
#include "input/search_flags.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace warplint {

static std::vector<std::string>
includeFolders(llvm::StringRef directory, llvm::ArrayRef<std::string> flags) {
  std::vector<std::string> folders;
  for (SearchFlag &flag : searchFlags(directory, flags))
    if (flag.name == "-I" || flag.name == "-isystem")
      folders.push_back(std::move(flag.path));
  folders.insert(folders.end(), {"/usr/local/include", "/usr/include"});
  return folders;
}

std::vector<ChangedHeader> withLayoutRight(llvm::ArrayRef<std::string> flags,
                                           llvm::StringRef directory) {
  constexpr llvm::StringRef left = "using array_layout = LayoutLeft;",
                            right = "using array_layout = LayoutRight;";
  std::vector<ChangedHeader> headers;
  for (const std::string &folder : includeFolders(directory, flags))
    // The definitions in 4.x and in 3.x.
    for (const char *name : {"Cuda/Kokkos_Cuda.hpp", "Kokkos_Cuda.hpp"}) {
      llvm::SmallString<256> path(folder);
      llvm::sys::path::append(path, name);
      auto file = readRegularFile(path);
      if (!file)
        continue;
      std::string text = (*file)->getBuffer().str();
      const size_t at = text.find(left.str());
      if (at != std::string::npos)
        headers.push_back(
            {path.str().str(), text.replace(at, left.size(), right.str())});
    }
  return headers;
}

} // namespace warplint
