// Programs that a run may start on the word of a compile database.
//
// A compile database comes with the sources, so whoever wrote the repository
// chooses its words. clangd and clang-tidy start no program that one names;
// warplint judges by the compiler, so it starts those that the user has chosen
// already, and no other.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

/// The program of that name in one of `folders`, or else in a folder of PATH.
/// Relative folders of PATH do not count: they lead into the repository. Empty
/// if there is none.
std::string programNamed(llvm::StringRef name,
                         llvm::ArrayRef<std::string> folders = {});

/// Trusts a program in a folder of PATH, one in the bin/ of a toolkit that the
/// user names (--cuda-path, CUDA_PATH, CUDA_HOME, CUDA_ROOT) or that lies in
/// /usr/local/cuda, and one that a pattern of --trust-compiler matches.
/// Relative folders of PATH do not count: they lead into the repository.
class TrustedPrograms {
public:
  /// `globs` are held against absolute paths. Fails, with a sentence, if one is
  /// no glob.
  static llvm::Expected<TrustedPrograms>
  create(llvm::ArrayRef<std::string> globs, llvm::StringRef cudaPath);

  /// The path to start `program` by: its own if it is trusted, that of PATH for
  /// a bare name; empty if it is not trusted or does not exist. `program` is
  /// relative to `directory`.
  std::string find(llvm::StringRef program, llvm::StringRef directory) const;

  /// The same for nvcc's -ccbin: a host compiler by its name, or a folder that
  /// holds one.
  std::string findHostCompiler(llvm::StringRef program,
                               llvm::StringRef directory) const;

  /// True if --trust-compiler matches `path` itself.
  bool isListed(llvm::StringRef path) const;

private:
  bool isTrusted(llvm::StringRef path) const;

  std::vector<std::string> globs_;         ///< valid
  std::vector<std::string> folders_;       ///< real paths
  std::vector<std::string> hostCompilers_; ///< that the environment names
};

} // namespace warplint
