#include "source/coverage/read_coverage.h"
#include "ir/read_ir.h"
#include "source/ast_place.h"
#include "source/coverage/memory_expressions.h"

namespace warplint {

struct CoverageReader::State {
  State(ParsedSource &source, const InstructionWatch &watch, const Names &names)
      : source(source), watch(watch), names(names) {}

  const FunctionMemory &bodyOf(const clang::FunctionDecl *function) {
    auto [it, fresh] = bodies.try_emplace(function);
    if (fresh && function->hasBody())
      it->second = memoryExpressions(*function, source.context());
    return it->second;
  }

  /// The kernel and all functions that it calls, directly or not.
  std::vector<const clang::FunctionDecl *>
  reachedFrom(const clang::FunctionDecl &kernel) {
    std::vector<const clang::FunctionDecl *> reached;
    std::set<const clang::FunctionDecl *> seen;
    auto reach = [&](const clang::FunctionDecl *function) {
      if (const clang::FunctionDecl *definition = function->getDefinition())
        if (!definition->isDependentContext() && seen.insert(definition).second)
          reached.push_back(definition);
    };
    reach(&kernel);
    for (size_t next = 0; next < reached.size(); ++next)
      for (const clang::FunctionDecl *callee : bodyOf(reached[next]).callees)
        reach(callee);
    return reached;
  }

  Place placeOf(clang::SourceLocation location) {
    return astPlace(source.instance(), location);
  }

  ParsedSource &source;
  const InstructionWatch &watch;
  const Names &names;
  std::map<const clang::FunctionDecl *, FunctionMemory> bodies;
};

namespace {

using Chained = std::tuple<Place, std::vector<Place>, Operation>;

/// The number of accesses in the model, by place and chain of calls.
std::map<Chained, unsigned> accessesByPlace(const Kernel &kernel) {
  std::map<Chained, unsigned> result;
  for (const Access &access : kernel.accesses)
    ++result[{access.place, access.callSites, access.operation}];
  return result;
}

constexpr const char *inRegisters =
    "the thread's own memory, which is in registers";
constexpr const char *noEffect =
    "never reached, or its value is never used, as LLVM's passes found";
constexpr const char *constant = "a constant, known to Clang";
constexpr const char *table = "a table of constants, which the compiler keeps";
constexpr const char *dead = "in a branch that is never taken";

/// Finds the fates of one kernel by any inline frame of an instruction.
class FateIndex {
public:
  using Found = std::vector<const InstructionWatch::Fates::value_type *>;
  explicit FateIndex(const InstructionWatch::Fates &fates) {
    for (const auto &entry : fates)
      for (const llvm::DILocation *frame = entry.second.location; frame;
           frame = frame->getInlinedAt())
        byFrame_[{frame->getScope()->getSubprogram(), frame->getLine(),
                  frame->getColumn()}]
            .push_back(&entry);
  }
  const Found &at(const llvm::DISubprogram *function, unsigned line,
                  unsigned column) const {
    static const Found none;
    auto it = byFrame_.find({function, line, column});
    return it == byFrame_.end() ? none : it->second;
  }

private:
  std::map<std::tuple<const llvm::DISubprogram *, unsigned, unsigned>, Found>
      byFrame_;
};

} // namespace

CoverageReader::CoverageReader(ParsedSource &source,
                               const InstructionWatch &watch,
                               const Names &names)
    : state_(std::make_unique<State>(source, watch, names)) {}
CoverageReader::~CoverageReader() = default;

namespace {

/// Compares the expressions of one kernel with its accesses.
class KernelCoverage {
public:
  KernelCoverage(const Kernel &kernel, const InstructionWatch &watch,
                 const Names &names, clang::ASTContext &context)
      : watch_(watch), names_(names), context_(context),
        accesses_(accessesByPlace(kernel)),
        fates_(watch.fates(kernel.mangled)) {}

  Coverage result;

  void add(const MemoryExpression &expression, const Place &place,
           const std::vector<const llvm::DISubprogram *> &functions) {
    bool found = false, emitted = false;
    for (const llvm::DISubprogram *function : functions) {
      emitted |= watch_.wasEmitted(function, place.line, place.column);
      // Each chain of calls counts on its own.
      std::map<const llvm::DILocation *, FateIndex::Found> chains;
      for (const auto *fate : fates_.at(function, place.line, place.column))
        if (const llvm::DILocation *frame =
                frameIn(fate->second.location, function, place);
            belongs(*fate, frame, expression))
          chains[frame->getInlinedAt()].push_back(fate);
      for (const auto &[chain, fates] : chains) {
        found = true;
        judge(expression, place, fates);
      }
    }
    if (found)
      return;
    ++result.expressions;
    if (expression.isConstant)
      explained(constant, expression, place);
    else if (expression.isDead)
      explained(dead, expression, place);
    else if (emitted)
      explained(noEffect, expression, place);
    else
      unexplained(expression, place);
  }

private:
  static const llvm::DILocation *frameIn(const llvm::DILocation *location,
                                         const llvm::DISubprogram *function,
                                         const Place &place) {
    for (; location; location = location->getInlinedAt())
      if (location->getScope()->getSubprogram() == function &&
          location->getLine() == place.line &&
          location->getColumn() == place.column)
        return location;
    return nullptr;
  }

  /// The instructions of a call are inlined into it, so any frame counts; any
  /// other expression has its instruction at its own place.
  static bool belongs(const InstructionWatch::Fates::value_type &fate,
                      const llvm::DILocation *frame,
                      const MemoryExpression &expression) {
    if (expression.isCall)
      return true;
    return frame == fate.second.location &&
           fate.first.operation == expression.operation;
  }

  void judge(const MemoryExpression &expression, const Place &place,
             const FateIndex::Found &fates) {
    ++result.expressions;
    auto whose = InstructionWatch::Whose::Own;
    bool present = false;
    for (const auto *fate : fates) {
      auto [where, callSites] = framesOf(fate->second.location, names_);
      bool any = accesses_.count({where, callSites, fate->first.operation});
      // The IR has a call where the model has a load, a store or an atomic.
      if (fate->first.operation == Operation::Atomic)
        for (Operation operation : {Operation::Load, Operation::Store})
          any |= accesses_.count({where, callSites, operation}) != 0;
      if (any) {
        ++result.withAccess;
        return;
      }
      whose = std::max(whose, fate->second.whose);
      present |= fate->second.isPresent;
    }
    if (whose == InstructionWatch::Whose::Own)
      explained(inRegisters, expression, place);
    else if (whose == InstructionWatch::Whose::Constants)
      explained(table, expression, place);
    else if (present)
      unexplained(expression, place);
    else
      explained(noEffect, expression, place);
  }

  void explained(const char *why, const MemoryExpression &expression,
                 const Place &place) {
    Coverage::Reason &reason = result.without[why];
    if (reason.count++ == 0)
      reason.first = {place, astText(context_, expression.expression)};
  }

  void unexplained(const MemoryExpression &expression, const Place &place) {
    result.unexplained.push_back(
        {place, astText(context_, expression.expression)});
  }

  const InstructionWatch &watch_;
  const Names &names_;
  clang::ASTContext &context_;
  std::map<Chained, unsigned> accesses_;
  FateIndex fates_;
};

} // namespace

Coverage CoverageReader::read(const Kernel &kernel,
                              const clang::FunctionDecl &function) {
  State &state = *state_;
  KernelCoverage coverage(kernel, state.watch, state.names,
                          state.source.context());
  std::set<Place> touched;
  for (const clang::FunctionDecl *reached : state.reachedFrom(function)) {
    const FunctionMemory &body = state.bodyOf(reached);
    touched.insert(state.placeOf(reached->getLocation()));
    touched.insert(state.placeOf(reached->getBeginLoc()));
    for (clang::SourceLocation location : body.touched)
      touched.insert(state.placeOf(location));
    // Skip library code, and defaulted constructors: their copies have no
    // expression in the source.
    if (reached->isDefaulted() ||
        !state.names.isUser(state.placeOf(reached->getLocation()).file))
      continue;
    for (const MemoryExpression &expression : body.expressions)
      coverage.add(expression, state.placeOf(expression.location),
                   state.watch.functionsOf(reached));
  }
  for (const Access &access : kernel.accesses)
    if (state.names.isUser(access.place.file) && !touched.count(access.place))
      coverage.result.withoutExpression.push_back(
          {access.place, access.text.empty() ? access.object : access.text});
  return std::move(coverage.result);
}

} // namespace warplint
