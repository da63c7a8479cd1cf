#include "source/nvcc_macros.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

std::vector<std::string> nvccMacros(const Toolkit &release,
                                    llvm::StringRef architecture,
                                    llvm::StringRef clangs) {
  auto since = [&](unsigned major, unsigned minor) {
    return std::pair(release.major, release.minor) >= std::pair(major, minor);
  };
  std::vector<std::string> all{
      "-D__NVCC__", "-DCUDA_DOUBLE_MATH_FUNCTIONS",
      llvm::formatv("-D__CUDACC_VER_MAJOR__={0}", release.major),
      llvm::formatv("-D__CUDACC_VER_MINOR__={0}", release.minor),
      llvm::formatv("-D__CUDACC_VER_BUILD__={0}", release.build)};
  if (since(11, 2)) {
    all.push_back(llvm::formatv("-D__CUDA_API_VER_MAJOR__={0}", release.major));
    all.push_back(llvm::formatv("-D__CUDA_API_VER_MINOR__={0}", release.minor));
  }
  if (since(11, 5))
    all.push_back("-D__NVCC_DIAG_PRAGMA_SUPPORT__=1");
  if (since(12, 8))
    all.push_back("-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1");

  // sm_90a: code for this one alone. sm_100f: for its family. Clang itself
  // defines __CUDA_ARCH_FEAT_SM90_ALL.
  unsigned number = 0, clangsNumber = 0;
  llvm::StringRef suffix = architecture;
  if (!suffix.consume_front("sm_") || suffix.consumeInteger(10, number) ||
      !clangs.consume_front("sm_") || clangs.consumeInteger(10, clangsNumber) ||
      number != clangsNumber || !since(12, 9))
    return all;
  if (suffix == "a")
    all.push_back(llvm::formatv("-D__CUDA_ARCH_SPECIFIC__={0}0", number));
  if (suffix == "a" || suffix == "f")
    all.push_back(
        llvm::formatv("-D__CUDA_ARCH_FAMILY_SPECIFIC__={0}0", number));
  return all;
}

bool namesNvccMacro(llvm::StringRef text) {
  return text.contains("__NVCC_") || text.contains("__CUDACC_VER_") ||
         text.contains("__CUDA_API_VER_") ||
         text.contains("__CUDACC_DEVICE_ATOMIC_BUILTINS__") ||
         text.contains("__CUDA_ARCH_SPECIFIC__") ||
         text.contains("__CUDA_ARCH_FAMILY_SPECIFIC__") ||
         text.contains("CUDA_DOUBLE_MATH_FUNCTIONS");
}

} // namespace warplint
