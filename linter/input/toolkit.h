// Finds the CUDA toolkit of a command, and its release.
#pragma once
#include "input/command.h"
#include "input/trusted_programs.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace warplint {

struct Toolkit {
  std::string root;    ///< the folder that holds bin/ and include/
  std::string include; ///< the folder of cuda.h: root/include, or for a Conda
                       ///< toolkit root/targets/x86_64-linux/include
  std::string nvcc;    ///< path of nvcc; empty if this toolkit has only headers
  unsigned major = 0, minor = 0, build = 0; ///< 13, 0, 88; the build is
                                            ///< nvcc's, as in `nvcc --version`
  /// The folder of cub, thrust and libcu++ if they have their own, as from CUDA
  /// 13 on; else empty.
  std::string cccl = {};
};

/// The folder of cuda.h for a toolkit root: include/, or the one for this
/// machine under targets/ (Conda and cross toolkits). Empty if there is none.
std::string includeFolder(llvm::StringRef root);

/// Finds the toolkits of commands. Tries, in this order: the nvcc that the
/// command names with its folder (Clang's --cuda-path, CUDA_ROOT for
/// nvcc_wrapper), `cudaPath` (from --cuda-path), CUDA_PATH or CUDA_HOME, the
/// nvcc on PATH, NVIDIA's wheels in the Python environment of `program`, and
/// /usr/local/cuda. Skips paths that hold no toolkit. Follows
/// links and wrapper scripts. Runs nvcc only for facts that no file gives (its
/// place, its build number). Caches each toolkit. Thread-safe.
class ToolkitSearch {
public:
  /// `trusted`: the programs that commands of a database may name; null: any.
  /// `program`: warplint's own path.
  explicit ToolkitSearch(
      std::string cudaPath,
      std::shared_ptr<const TrustedPrograms> trusted = nullptr,
      std::string program = "")
      : cudaPath_(std::move(cudaPath)), trusted_(std::move(trusted)),
        program_(std::move(program)) {}
  std::optional<Toolkit> of(const Command &command);
  /// The nvcc programs that commands name and that were not started: another
  /// toolkit's took their place.
  const std::set<std::string> &refused() const { return refused_; }

private:
  bool isRefused(const Command &command, llvm::StringRef nvcc);

  const std::string cudaPath_;
  const std::shared_ptr<const TrustedPrograms> trusted_;
  const std::string program_;
  std::mutex mutex_; ///< of what follows
  std::map<std::pair<bool, std::string>, std::optional<Toolkit>> found_;
  std::set<std::string> refused_;
};

} // namespace warplint
