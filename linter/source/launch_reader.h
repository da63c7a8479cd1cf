// The launches in a source to grids and blocks in numbers, as far as they are
// constant: by way of the variables that reach a launch, of the functions that
// it stands in and of those that compute its shape.
#pragma once
#include "model/model.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace warplint {

/// One launch as it is written.
struct WrittenLaunch {
  const clang::Expr *expression;
  const clang::FunctionDecl *inside; ///< null at top level
  const clang::Expr *kernel;
  /// Either a grid and a block, or a cudaLaunchConfig_t that holds them.
  const clang::Expr *grid = nullptr, *block = nullptr;
  const clang::Expr *config = nullptr;
  llvm::ArrayRef<const clang::Expr *> arguments; ///< of the kernel, if seen
  const clang::Expr *sharedMemory = nullptr; ///< dynamic; null: none is asked
                                             ///< for, or `config` says
};

/// One way in which a launch can run.
struct ReadLaunch {
  const clang::FunctionDecl *kernel;
  std::array<std::optional<uint64_t>, 3> grid, block;
  std::vector<std::optional<uint64_t>> arguments;
  bool sizesKnown = false; ///< no argument that may be a size is left open
  std::optional<uint64_t> sharedMemory = {}; ///< dynamic, in bytes
  bool operator==(const ReadLaunch &) const = default;
};

/// What the host code of a source does to its variables, told call by call and
/// statement by statement.
class LaunchReader {
public:
  explicit LaunchReader(clang::ASTContext &context) : context_(context) {}

  void noteStatement(const clang::Stmt *statement);
  void noteCall(const clang::CallExpr *call, const clang::FunctionDecl *inside);

  /// To be asked after everything was noted. Several answers if the functions
  /// around the launch are called with several shapes or branches decide; what
  /// is not constant is left open.
  std::vector<ReadLaunch> read(const WrittenLaunch &launch);

  /// The number that an expression is; none if it is not constant or several
  /// ways lead to several.
  std::optional<uint64_t> number(const clang::Expr *expression,
                                 const clang::FunctionDecl *inside);

  /// Whether anything but its declaration gives a variable as a whole a value.
  /// To be asked after everything was noted.
  bool isAssigned(const clang::VarDecl *variable) const {
    return assigned_.contains(variable);
  }
  /// Whether anything but its declaration may change a variable or a part of
  /// it. To be asked after everything was noted.
  bool isChanged(const clang::VarDecl *variable) const {
    return changed_.contains(variable);
  }

private:
  friend class ShapeEvaluator;
  struct Call {
    const clang::CallExpr *call;
    const clang::FunctionDecl *inside;
  };
  void addParents(const clang::FunctionDecl *function);

  clang::ASTContext &context_;
  llvm::DenseSet<const clang::VarDecl *> changed_, assigned_;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<Call>> calls_;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> parents_;
  llvm::DenseSet<const clang::FunctionDecl *> withParents_;
};

} // namespace warplint
