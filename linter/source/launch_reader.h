// Evaluates the launches in a source to grids and blocks, as far as they are
// constant: follows the variables of a launch, the functions around it and
// those that compute its shape.
#pragma once
#include "model/model.h"
#include "source/host_changes.h"
#include "source/same_conditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <vector>

namespace warplint {

/// One launch as it is written.
struct WrittenLaunch {
  const clang::Expr *expression;
  const clang::FunctionDecl *inside; ///< null at top level
  const clang::Expr *kernel;
  /// Either grid and block, or a cudaLaunchConfig_t that holds them.
  const clang::Expr *grid = nullptr, *block = nullptr;
  const clang::Expr *config = nullptr;
  std::vector<const clang::Expr *> arguments; ///< of the kernel, if seen
  const clang::Expr *sharedMemory = nullptr;  ///< dynamic; null: none is asked
                                              ///< for, or `config` says
  const clang::Expr *stream = nullptr;        ///< null: the default one
};

/// One way in which a launch can run.
struct ReadLaunch {
  const clang::FunctionDecl *kernel;
  std::array<std::optional<uint64_t>, 3> grid, block;
  std::vector<std::optional<uint64_t>> arguments;
  bool sizesKnown = false; ///< all arguments that may be a size are known
  std::optional<uint64_t> sharedMemory = {}; ///< dynamic, in bytes
  /// The launch, or the call that passes the kernel to the function which
  /// launches it: `launchOn(kernel, 48, a, n)`.
  const clang::Expr *at = nullptr;
  std::optional<FromCaller> fromCaller = {};
  std::optional<SizedGrid> sized = {}; ///< only of an unknown grid
  std::vector<uint64_t> ends = {};     ///< as those of Launched
  bool operator==(const ReadLaunch &) const = default;
};

class ShapeEvaluator;

/// The changes that a source's host code makes to its variables, noted call by
/// call and statement by statement.
class LaunchReader {
public:
  explicit LaunchReader(clang::ASTContext &context) : context_(context) {}

  void noteStatement(const clang::Stmt *statement,
                     const clang::FunctionDecl *inside);
  /// Of a function or a constructor.
  void noteCall(const clang::Expr *call, const clang::FunctionDecl *inside);
  /// Of the function's name, in a call or elsewhere.
  void noteReference(const clang::FunctionDecl *function) {
    ++references_[function->getCanonicalDecl()];
  }

  /// Reads a launch. Several results if the functions around it are called with
  /// several shapes or branches decide; values that are not constant are left
  /// open. Only valid after all code was noted.
  std::vector<ReadLaunch> read(const WrittenLaunch &launch);
  /// Returns true if a condition around a launch of a template never holds in
  /// this instance: `std::is_same<T, half>::value` in that for floats.
  bool neverRuns(const WrittenLaunch &launch);

  /// Returns an expression's number; none if it is not constant or alternatives
  /// differ.
  std::optional<uint64_t> number(const clang::Expr *expression,
                                 const clang::FunctionDecl *inside);

  /// Returns true if a statement other than its declaration assigns the whole
  /// variable. Only valid after all code was noted.
  bool isAssigned(const clang::VarDecl *variable) const {
    return assigned_.contains(variable);
  }
  /// Returns true if a statement other than its declaration may change the
  /// variable or a part of it. Only valid after all code was noted.
  bool isChanged(const clang::VarDecl *variable) const {
    return changing_.contains(variable) || isKept(variable, {});
  }

private:
  friend class ShapeEvaluator;
  struct Call {
    const clang::Expr *call;
    const clang::FunctionDecl *inside;
  };
  /// By object, the members that are changed; empty for all of it.
  using ChangedParts =
      llvm::DenseMap<const HostObject *, llvm::SmallVector<MemberPath, 1>>;

  static void add(const HostObject *object, const MemberPath &part,
                  ChangedParts &into);
  /// Returns true if one of the parts overlaps that of the object.
  static bool holds(const ChangedParts &parts, const HostObject *object,
                    const MemberPath &path);

  /// By branch, call or loop, the alternative that is taken.
  using Decisions = llvm::DenseMap<const void *, unsigned>;

  /// The launches of a statement by whether the conditions around it let it run
  /// with their values.
  struct Ways {
    std::vector<ReadLaunch> run, excluded;
  };
  /// What free decisions gave a launch so far.
  struct FreeResults;
  void addArguments(const WrittenLaunch &launch, ShapeEvaluator &kernelOf,
                    const Decisions &decisions, ReadLaunch read,
                    FreeResults &known, Ways &into);
  /// The function that a statement is in; null if it is not known.
  const clang::FunctionDecl *around(const clang::Stmt *statement) const;
  /// A launch that the values passed shut out, with what is left where the
  /// functions that refuse them are passed something else.
  ReadLaunch withoutCallers(const WrittenLaunch &launch,
                            const Decisions &decisions,
                            const FreeResults &known, ReadLaunch read);
  /// Nothing if no argument of the kernel depends on a size that the grid
  /// depends on.
  std::optional<SizedGrid> sizedGrid(const WrittenLaunch &launch,
                                     const Decisions &decisions);
  /// Notes the arguments that calls in other sources may decide as well.
  void noteOtherCallers(const WrittenLaunch &launch,
                        std::vector<ReadLaunch> &launches);
  void addParents(const clang::FunctionDecl *function);
  /// The value of a constant expression, without knowledge of variables.
  std::optional<uint64_t> constant(const clang::Expr *expression);
  /// The same of a condition, of which one side may decide; only of what stands
  /// at places where a template's code depends on its arguments.
  std::optional<bool>
  constantTruth(const clang::Expr *condition,
                const llvm::DenseSet<clang::SourceLocation> &dependent);
  /// Returns true if statements may change the part under another name.
  bool isKept(const HostObject *object, const MemberPath &path) const;
  /// Returns true if statements may change what a local reference or pointer
  /// leads to.
  bool mayChangeBehind(const clang::VarDecl *name) const;
  /// Returns true if anything in a statement may change the part.
  bool mayChange(const clang::Stmt *statement, const HostObject *object,
                 const MemberPath &path);
  /// Returns true if a function may be called where no call names it.
  bool isCalledUnseen(const clang::FunctionDecl *function) const;
  /// The objects that a statement changes, with all that it holds; null is what
  /// a call of unknown code changes.
  const ChangedParts &changedIn(const clang::Stmt *statement);
  void addChanges(const clang::Stmt *statement, ChangedParts &into);
  void addGlobalChanges(const clang::Expr *call, ChangedParts &into);

  clang::ASTContext &context_;
  /// Each argument of each launch is followed back through the same statements.
  llvm::DenseMap<const clang::Stmt *, std::unique_ptr<ChangedParts>>
      changedParts_;
  /// By block and object, the statements that change the object or may end the
  /// block.
  using Turns = std::vector<const clang::Stmt *>;
  llvm::DenseMap<std::pair<const clang::CompoundStmt *, const HostObject *>,
                 Turns>
      turns_;
  SameConditions sameConditions_;
  llvm::DenseSet<const clang::VarDecl *> assigned_;
  struct Statement {
    const clang::Stmt *statement;
    const clang::FunctionDecl *inside;
  };
  /// The statements that may change a variable or a part of it.
  llvm::DenseMap<const clang::VarDecl *, std::vector<Statement>> changing_;
  /// A part of an object that has another name, or that of what the object
  /// points to.
  struct Kept {
    MemberPath part;
    bool isTarget;
    const clang::VarDecl *name; ///< that alone keeps it; null: something else
    bool operator==(const Kept &) const = default;
  };
  llvm::DenseMap<const HostObject *, std::vector<Kept>> kept_;
  /// By pointer, how often it is named, but for reading what it leads to.
  llvm::DenseMap<const clang::VarDecl *, int> handedOn_;
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> references_, named_;
  /// What statements give variables that hold a kernel.
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<const clang::Expr *>>
      functions_;
  llvm::DenseMap<const clang::Expr *, std::optional<uint64_t>> constants_;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<Call>> calls_;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> parents_;
  llvm::DenseSet<const clang::FunctionDecl *> withParents_;
  /// By body, the labels that a `goto` may lead to.
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const clang::Stmt *, 1>>
      labels_;
  /// The function of a body or of an initialiser, where parents are known.
  llvm::DenseMap<const clang::Stmt *, const clang::FunctionDecl *> bodies_;
};

} // namespace warplint
