// Where the CUDA toolkit of a command is, and which release it is.
#pragma once
#include "input/command.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace warplint {

struct Toolkit {
  std::string root;    ///< the folder that holds bin/ and include/
  std::string include; ///< the folder of cuda.h: root/include, or for a Conda
                       ///< toolkit root/targets/x86_64-linux/include
  std::string nvcc;    ///< path of nvcc; empty if this toolkit has only headers
  unsigned major = 0, minor = 0, build = 0; ///< 13, 0, 88; the build is
                                            ///< nvcc's, as in `nvcc --version`
  /// The folder of cub, thrust and libcu++ where it is one of its own, as from
  /// CUDA 13 on; else empty.
  std::string cccl = {};
};

/// The folder of cuda.h for a toolkit root: include/, or the one for this
/// machine under targets/ (Conda and cross toolkits). Empty if there is none.
std::string includeFolder(llvm::StringRef root);

/// Toolkits of commands. That of a command is that of the nvcc it names with
/// its folder (or of Clang's --cuda-path, or CUDA_ROOT for nvcc_wrapper), else
/// `cudaPath` (from --cuda-path), else CUDA_PATH or CUDA_HOME, else the nvcc on
/// PATH, else /usr/local/cuda. A path that is given and holds no toolkit is no
/// reason to fail: the next is tried. Links and wrapper scripts are followed;
/// nvcc is run only for what no file says (its place, its build number). Each
/// toolkit is looked at once. For any number of threads.
class ToolkitSearch {
public:
  explicit ToolkitSearch(std::string cudaPath)
      : cudaPath_(std::move(cudaPath)) {}
  std::optional<Toolkit> of(const Command &command);

private:
  const std::string cudaPath_;
  std::mutex mutex_; ///< of what follows
  std::map<std::pair<bool, std::string>, std::optional<Toolkit>> found_;
};

} // namespace warplint
