// Evaluates expressions of host code to numbers: blocks, grids and arguments of
// launches, through variables, members, functions and constructors.
#pragma once
#include "source/launch_reader.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <numeric>

namespace warplint {

/// The result of an operator on integers; none where C++ has none.
std::optional<uint64_t> applied(clang::BinaryOperatorKind op, int64_t a,
                                int64_t b);

/// Returns true if no statement after this one is executed.
bool leaves(const clang::Stmt *statement);

/// Returns the statement if it is like `if (n > 4) return;`; null for others.
const clang::IfStmt *leavingIf(const clang::Stmt *statement);

/// Returns true for a member that a class has from this base.
bool isOfBase(const clang::FieldDecl *field, const clang::CXXRecordDecl *base);

/// Returns the list that begins an array, a `std::array` or a `std::vector`;
/// null if none does.
const clang::InitListExpr *listIn(const clang::Expr *initializer);

/// Evaluates under decisions: which branch of an `if` is taken, which call
/// entered a function. At a missing decision the evaluation stops, and is
/// repeated for each alternative.
class ShapeEvaluator {
public:
  using Decisions = LaunchReader::Decisions;

  ShapeEvaluator(LaunchReader &reader, const Decisions &decisions)
      : reader_(reader), decisions_(decisions) {}

  /// Takes alternative `way`, modulo their count, for all further decisions.
  void decideFreely(unsigned way) { free_ = way; }
  /// The most alternatives of a decision that was taken freely.
  unsigned mostWays() const { return mostWays_; }
  /// Ways that differ by a multiple of this decide alike, up to
  /// `longestPeriod`.
  unsigned period() const { return period_; }
  static constexpr unsigned longestPeriod = 1 << 16;
  /// The ways to decide freely that arguments are read in.
  static constexpr unsigned waysTried = 6;
  /// Values of a loop's variable that are alternatives, each by itself.
  static constexpr unsigned mostDistinguished = 8;
  static unsigned commonPeriod(unsigned a, unsigned b) {
    return std::min<uint64_t>(std::lcm(uint64_t(a), uint64_t(b)),
                              longestPeriod);
  }
  /// From now on, a size that conditions bound from above alone is the largest
  /// one: "blocks of 1 thread" is no fact that a bound of 9 states.
  void takeLargest() {
    takesLargest_ = true;
    known_.clear();
  }

  /// From now on, a variable, member or call whose value only the run knows is
  /// a size, and has the value SizedGrid::size.
  void assumeSizes() {
    assumesSizes_ = true;
    known_.clear();
  }
  /// The variables, members and functions that were taken for sizes.
  const llvm::SmallPtrSetImpl<const clang::Decl *> &sizesUsed() const {
    return sizesUsed_;
  }
  /// Returns true if a size was divided by another one: the quotient may be any
  /// number.
  bool dividesBySize() const { return dividesBySize_; }

  using Functions = llvm::SmallPtrSet<const clang::FunctionDecl *, 4>;
  /// From now on, what these functions are passed is unknown.
  void ignoreCallersOf(const Functions &functions) {
    withoutCallers_ = functions;
    known_.clear();
  }

  /// A grid that conditions keep small is small on purpose: `if (blocks == 1)`
  /// does not say how many there are otherwise.
  std::array<std::optional<uint64_t>, 3> grid(const clang::Expr *expression,
                                              const MemberPath &to = {});

  /// A decision that was asked for, among so many `ways`; 0 ways: whether free
  /// decisions take the first one.
  struct Question {
    const void *what = nullptr;
    unsigned ways = 0;
    bool operator==(const Question &) const = default;
  };
  using Asked = llvm::SmallVector<std::pair<Question, unsigned>, 8>;
  /// The questions so far, each once, with their answers.
  const Asked &asked() const { return asked_; }
  /// The answer of an evaluation that decides freely.
  unsigned answer(const Question &question);

  struct Missing {
    const void *what = nullptr;
    unsigned ways = 0;
  };
  const Missing &missing() const { return missing_; }

  /// Returns the number that `path` of the expression has.
  std::optional<uint64_t> number(const clang::Expr *expression,
                                 const MemberPath &path = {});

  /// Returns true if that number rests on an end of a range: the host may pass
  /// any value between the two.
  bool isOfEnd(const clang::Expr *expression,
               const MemberPath &path = {}) const {
    const auto known = known_.find({expression, path});
    return known != known_.end() && known->second.isOfEnd;
  }

  /// Evaluates x, y and z of a dim3.
  std::array<std::optional<uint64_t>, 3> three(const clang::Expr *expression,
                                               const MemberPath &to = {});

  /// The object, or the part of one, that a pointer comes from, through the
  /// variables and functions that pass it on.
  struct Origin {
    const HostObject *object = nullptr;
    MemberPath path;
    bool operator==(const Origin &) const = default;
  };
  Origin origin(const clang::Expr *expression, unsigned depth = 0);

  /// The parameter whose value an expression has, of a function that other
  /// sources may call and this one does not. Null for all else.
  const clang::ParmVarDecl *openParameter(const clang::Expr *expression);

  /// Returns false if a condition around a statement, or around a call on the
  /// way to it, keeps it from being executed with the values of this
  /// evaluation.
  bool mayRun(const clang::Stmt *statement) { return !shutOut(statement); }
  /// Returns true if that condition rests on an end of a range: another value
  /// may pass it.
  bool refusesEnd() const { return refusesEnd_; }
  /// That statement or call; null if none is kept from being executed.
  const clang::Stmt *shutOut(const clang::Stmt *statement);

  const clang::FunctionDecl *function(const clang::Expr *expression,
                                      unsigned depth = 0);

  struct Candidates {
    std::vector<const clang::FunctionDecl *> functions;
    /// Members of a structure and what calls return are not told apart: another
    /// member, or another time, may have the function.
    bool isLoose = false;
    llvm::DenseSet<const clang::FunctionDecl *> calls; ///< that were followed
  };
  /// Adds all functions that an expression may be: those that any statement
  /// gives a variable, such as the cases of a switch, and those of a table.
  void functionsOf(const clang::Expr *expression, Candidates &into,
                   unsigned depth = 0);

  /// The outermost call that passes the last function on to a launch; null if
  /// the launch itself names it.
  const clang::Expr *namedAt() const { return namedAt_; }

private:
  // Expressions: shape_evaluator.cpp

  std::optional<uint64_t> assumedSize(const clang::Expr *expression,
                                      const MemberPath &path);
  std::optional<uint64_t> follow(const clang::Expr *whole,
                                 const MemberPath &path);
  /// Returns a number as hosts compute grids: `ceil((float)n / 256)`.
  std::optional<double> real(const clang::Expr *expression);
  std::optional<double> followReal(const clang::Expr *expression);
  std::optional<double> rounded(const clang::CallExpr *call);
  /// Returns 1 or 0, from known values or decisions.
  std::optional<unsigned> decideBy(const clang::Expr *condition,
                                   const clang::Stmt *branch);
  /// One decision sets the first of such conditions for all of them.
  SameConditions::Asked sameAs(const clang::Expr *condition) const;
  std::optional<unsigned> decision(const void *what, unsigned ways);
  /// A bound of a block in one alternative, and nothing in the other.
  std::optional<uint64_t> boundOrOpen(const void *what, uint64_t bound);
  std::optional<unsigned> decided(const void *what, unsigned ways);
  /// Returns true in the first of the ways to decide freely, all of which
  /// differ.
  bool isFirstWay(const void *what);
  unsigned note(const Question &question, unsigned answer);
  /// Returns true in the alternative of a run that is started without
  /// arguments. It is the first one, since a program's defaults are what its
  /// author had in mind.
  bool isWithoutArguments();
  std::optional<uint64_t> constructed(const clang::CXXConstructExpr *construct,
                                      const MemberPath &path);
  std::optional<uint64_t> ofDim3(const clang::CXXConstructExpr *construct,
                                 unsigned which);
  std::optional<uint64_t> listed(const clang::CXXRecordDecl *record,
                                 llvm::ArrayRef<clang::Expr *> values,
                                 const MemberPath &path);
  std::optional<uint64_t> ofMember(const clang::MemberExpr *member,
                                   const MemberPath &path);
  /// An element of an array that only its declaration sets.
  std::optional<uint64_t> ofElement(const clang::ArraySubscriptExpr *subscript,
                                    const MemberPath &path);
  std::optional<uint64_t> returned(const clang::CallExpr *call,
                                   const MemberPath &path);

  // The change that made a value: reaching_change.cpp

  struct Found {
    bool done = false; ///< no need to look further up
    std::optional<Change> change;
  };

  /// Returns true if anything in `statement` changes the part of the object.
  bool changes(const clang::Stmt *statement, const HostObject *object,
               const MemberPath &path);
  std::optional<uint64_t> valueOf(const HostObject *object,
                                  const MemberPath &path,
                                  const clang::Stmt *use);
  std::optional<uint64_t> assignedTo(const HostObject *object,
                                     const MemberPath &path,
                                     const clang::Stmt *use);
  /// The number that a change gives to the part.
  std::optional<uint64_t> given(const Change &change, const MemberPath &path);
  /// Returns the change that reaches a use of the object; none if unknown.
  std::optional<Change> reaching(const HostObject *object,
                                 const MemberPath &path,
                                 const clang::Stmt *use);
  /// Returns true for a reference to what statements change, and for a pointer
  /// to such a structure.
  bool isNameOfChanged(const clang::VarDecl *variable,
                       const MemberPath &path) const;
  /// Returns true if a `goto` may lead to a place before the use, from behind
  /// another change of the object.
  bool mayJumpTo(const clang::Stmt *use, const HostObject *object,
                 const MemberPath &path);
  /// A loop's counter has one of its possible values.
  std::optional<Change> counter(const clang::ForStmt *loop,
                                const HostObject *variable);
  /// The variable of a loop over a list has one of the list's elements.
  std::optional<Change> elementOf(const clang::CXXForRangeStmt *loop,
                                  const HostObject *variable);
  std::optional<uint64_t> stepped(const clang::Expr *step,
                                  const HostObject *variable, uint64_t value);
  std::optional<Change> fromOutside(const HostObject *object,
                                    const MemberPath &path,
                                    const clang::Stmt *outermost);
  /// The only change of a global variable that begins as 0, by another function
  /// than the one that uses it. Nothing says that it was made before; a use
  /// of 0 would launch nothing.
  std::optional<Change> setUp(const clang::VarDecl *variable,
                              const MemberPath &path,
                              const LaunchReader::Statement &by);
  std::optional<Change> argument(const clang::ParmVarDecl *parameter);
  /// The object of a method, in the call that entered it.
  std::optional<Change> objectOf(const HostObject *record,
                                 const MemberPath &path,
                                 const clang::Stmt *outermost);
  /// What the initialisers of a constructor give to a member.
  std::optional<Change>
  initialised(const clang::CXXConstructorDecl *constructor,
              const MemberPath &path);
  /// Returns true if a call of the function is being evaluated.
  bool isInside(const clang::FunctionDecl *function) const;
  /// The call that entered a function; none if there is no such call.
  std::optional<Entered> entry(const clang::FunctionDecl *function);
  /// Returns the last change in a block, before the statement `end` if given.
  Found before(const clang::CompoundStmt *block, const clang::Stmt *end,
               const HostObject *object, const MemberPath &path);
  Found in(const clang::Stmt *statement, const HostObject *object,
           const MemberPath &path);
  Found followed(const clang::Stmt *statement, const HostObject *object,
                 const MemberPath &path);
  /// The last change that a function makes to an object of its own.
  Found within(const Entered &entered, const HostObject *object,
               const MemberPath &path);

  // What conditions say of a value: value_bounds.cpp

  struct Range;

  /// Returns 32 of `n < 32 ? n : 32` where nothing says what 'n' is: a block is
  /// as large as it can be, or of a size that nobody knows. Null for other
  /// choices.
  const clang::Expr *bounding(const clang::ConditionalOperator *choice);
  /// Returns true for `if (n < 32) n = 32;` where nothing says what `n` is: the
  /// least of all sizes is no size that a launch has.
  bool raises(const clang::IfStmt *branch, const HostObject *object,
              const MemberPath &path);
  /// An unknown variable that the conditions around its use keep small has the
  /// largest or the smallest of the values that they leave it: the cost of a
  /// size in between lies between theirs. A block may have any of them.
  std::optional<uint64_t> bounded(const clang::VarDecl *variable,
                                  const clang::Stmt *use);
  /// The values that the conditions between a use and the last change of the
  /// variable leave it.
  Range rangeAt(const clang::VarDecl *variable, const clang::Stmt *use);
  /// Returns the statements of a block before `end`, or all of them, that
  /// change the object or may be its last ones, in their order.
  llvm::ArrayRef<const clang::Stmt *>
  turnsBefore(const clang::CompoundStmt *block, const clang::Stmt *end,
              const HostObject *object);
  /// Adds what earlier statements of the block leave: `if (n > 4) return;`.
  /// Returns false if one of them changes the variable.
  bool passBlock(const clang::CompoundStmt *block, const clang::Stmt *end,
                 const clang::VarDecl *variable, Range &range);
  /// Adds that a condition holds, or does not.
  void hold(const clang::Expr *condition, bool holds,
            const clang::VarDecl *variable, Range &range);

  // Whether conditions let a statement run: host_guards.cpp

  /// The call by which this evaluation gets to a function's body, the only one
  /// or that whose values it has used; null if there is none, or the function
  /// was entered before.
  const clang::Stmt *
  callInto(const clang::Stmt *body,
           llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &entered);
  /// Returns false if a condition is known not to be `wanted`.
  bool holds(const clang::Expr *condition, bool wanted);
  /// Returns false if a statement of the block before `end` leaves it.
  bool mayPassBlock(const clang::CompoundStmt *block, const clang::Stmt *end);
  /// Returns false if no label of a switch that is taken leads to `end`.
  bool mayEnter(const clang::SwitchStmt *choice, const clang::Stmt *end);

  void setOfGrid(bool isOfGrid) {
    isOfGrid_ = isOfGrid;
    known_.clear();
  }

  /// By expression and part; none: unknown, or being evaluated.
  struct Number {
    std::optional<uint64_t> value;
    bool isOfEnd = false;
  };
  using Known = std::map<std::pair<const clang::Expr *, MemberPath>, Number>;

  /// Evaluates in a function as one call enters it: what its parameters are
  /// differs by call.
  class Inside {
  public:
    Inside(ShapeEvaluator &evaluator, llvm::ArrayRef<Entered> calls);
    ~Inside();

  private:
    ShapeEvaluator &evaluator_;
    Known outside_;
    size_t entered_;
  };

  LaunchReader &reader_;
  const Decisions &decisions_;
  Missing missing_;
  std::optional<unsigned> free_;
  unsigned mostWays_ = 0, period_ = 1;
  bool takesLargest_ = false, isOfGrid_ = false, assumesSizes_ = false,
       dividesBySize_ = false;
  Functions withoutCallers_;
  bool refusesEnd_ = false;
  bool usesEnd_ = false; ///< what is being evaluated rests on an end of a range
  llvm::SmallPtrSet<const clang::Decl *, 4> sizesUsed_;
  Asked asked_;
  unsigned depth_ = 0;
  /// The last call whose argument was followed.
  const clang::Expr *passedBy_ = nullptr, *namedAt_ = nullptr;
  Known known_;
  /// The calls that are being evaluated, outermost first.
  llvm::SmallVector<Entered, 4> inside_;
};

/// Keeps what evaluations gave by the answers to their questions: one that would
/// get the same answers gives the same.
template <typename Result> class ResultsByAnswers {
public:
  /// Returns null if no evaluation got the answers of this one, which has not
  /// begun.
  const Result *find(ShapeEvaluator &evaluator) const {
    const Node *at = &first_;
    while (at && !at->result)
      at = at->next.empty() ? nullptr
                            : at->after(evaluator.answer(at->question));
    return at ? &*at->result : nullptr;
  }
  void add(const ShapeEvaluator &evaluator, Result result) {
    Node *at = &first_;
    for (const auto &[question, answer] : evaluator.asked()) {
      at->question = question;
      Node *after = at->after(answer);
      if (!after)
        after = at->next.emplace_back(answer, std::make_unique<Node>())
                    .second.get();
      at = after;
    }
    at->result = std::move(result);
  }

private:
  struct Node {
    Node *after(unsigned answer) const {
      for (const auto &[each, node] : next)
        if (each == answer)
          return node.get();
      return nullptr;
    }
    ShapeEvaluator::Question question; ///< all have it here
    std::vector<std::pair<unsigned, std::unique_ptr<Node>>> next;
    std::optional<Result> result;
  };
  Node first_;
};

} // namespace warplint
