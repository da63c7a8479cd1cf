// Reads Kokkos dispatches as launches, and names the kernels of its CUDA
// backend as their author would.
//
// In that backend a RangePolicy, and every reduction and scan over a range,
// runs blocks of (1, n, 1) threads: consecutive indices on consecutive lanes.
// An MDRangePolicy's tile is the block, its first index along x; a TeamPolicy
// has the vector lanes along x and the team along y
// (Cuda/Kokkos_Cuda_Parallel.hpp of 3.4).
#pragma once
#include "source/emit.h"
#include "source/kokkos/kokkos_policy.h"
#include "source/launch_reader.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Function.h"

namespace warplint {

class KokkosReader {
public:
  /// `emitted` contains the instances of the backend's entry functions.
  KokkosReader(clang::ASTContext &context, const Emitted &emitted);

  /// Returns true if the source has kernels of Kokkos.
  bool any() const { return !kernels_.empty(); }

  /// Notes a call; to be called for every call in the user's code.
  void noteCall(const clang::CallExpr *call, const clang::FunctionDecl *inside);

  struct Dispatch {
    std::string kernel;          ///< its name in the IR
    const clang::CallExpr *call; ///< null if none was seen
    const clang::Expr *written;  ///< its policy; null if none was seen
    KokkosPolicy policy;
    bool isTiled = false; ///< each block is a tile of the range
  };
  /// Returns for each kernel its dispatches, one with a null call if the user's
  /// code shows none. Only valid after all calls were noted.
  std::vector<Dispatch> read(LaunchReader &launches);

private:
  struct LaunchedDriver {
    std::string irName;
    const clang::ClassTemplateSpecializationDecl *driver;
  };
  struct Call {
    const clang::CallExpr *call;
    const clang::FunctionDecl *inside;
  };
  clang::ASTContext &context_;
  std::vector<LaunchedDriver> kernels_;
  std::map<const clang::Type *, std::vector<Call>> calls_; ///< by functor type
};

/// Returns a readable name of a kernel that Kokkos launches, and the place of
/// its body: "parallel_for(lambda)" at the lambda, "parallel_reduce(Dot, Tag)"
/// at Dot's operator. Empty for any other function.
struct KokkosKernel {
  std::string name;
  clang::SourceLocation body;
};
std::optional<KokkosKernel> kokkosKernel(const clang::FunctionDecl &function,
                                         clang::ASTContext &context);

/// Returns true for the kernel by which the constructor of a View constructs
/// its elements. The user's code in it is a default constructor, and how its
/// threads go through the elements is not the user's to change.
bool constructsViews(const clang::FunctionDecl &function);

/// Returns the class of the library that a kernel of its backend runs: it holds
/// the functor and the policy. Null for any other function.
const clang::CXXRecordDecl *kokkosDriver(const clang::FunctionDecl &function);

/// Returns the driver's location in such a kernel: its argument; above 512
/// bytes the library's buffer in constant memory; above that buffer's size a
/// pointer to global memory. Null if `kernel` has none of them.
const llvm::Value *kokkosDriverIn(const llvm::Function &kernel);

/// Returns true if the source includes any header of Kokkos.
bool hasKokkos(clang::ASTContext &context);

} // namespace warplint
