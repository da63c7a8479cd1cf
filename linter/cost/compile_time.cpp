#include "cost/compile_time.h"
#include "cost/loop_bound.h"
#include "cost/terms.h"
#include "model/float_operation.h"
#include "model/place_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

namespace {

using Cause = NotKnown::Cause;
using Walk = ExpressionGraph::Walk;

/// Returns true if a counter of the loop is compared with a constant alone on
/// the way to the next iteration, whatever else ends the loop: a `return` in a
/// loop inside.
bool comparesWithConstant(const Kernel &kernel, LoopId id) {
  const ExpressionGraph &graph = kernel.graph;
  auto isCounter = [&](ValueId side) {
    Terms terms;
    addTerms(graph, side, 1, terms);
    return terms.size() == 1 &&
           graph.node(terms.begin()->first).op == Op::Carried &&
           graph.node(terms.begin()->first).number == id;
  };
  bool isCompared = false;
  const bool isAlone = graph.walk(kernel.loops[id].continues, [&](ValueId at) {
    const Op op = graph.node(at).op;
    if (!(graph.loopsOf()[at] & ExpressionGraph::loopBit(id)))
      return Walk::Past;
    if (!isComparison(op))
      return Walk::Into;
    for (unsigned i : {0, 1}) {
      if (op == Op::Equal || op == Op::NotEqual ||
          !isCounter(graph.operand(at, i)))
        continue;
      if (graph.node(graph.operand(at, 1 - i)).op != Op::Constant)
        return Walk::Stop;
      isCompared = true;
    }
    return Walk::Past;
  });
  return isCompared && isAlone;
}

bool hasConstantBound(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  return loop.hasBound ? kernel.graph.node(loop.bound).op == Op::Constant
                       : limitedCounter(kernel, id).has_value() ||
                             comparesWithConstant(kernel, id);
}

/// The counter that decides whether another iteration follows; none if it is
/// not found.
std::optional<ValueId> counterOf(const Kernel &kernel, LoopId id) {
  const ExpressionGraph &graph = kernel.graph;
  std::optional<ValueId> found;
  graph.walk(kernel.loops[id].continues, [&](ValueId value) {
    const Node &node = graph.node(value);
    if (node.op == Op::Loaded || node.op == Op::Opaque)
      return Walk::Past;
    if (node.op != Op::Carried)
      return Walk::Into;
    if (node.number == id && constantStep(graph, value))
      found = value;
    return found ? Walk::Stop : Walk::Past;
  });
  return found;
}

/// The reason that the first value of a loop's counter is not known; none if it
/// is known, or nothing has a name.
std::optional<NotKnown> unknownStart(const Kernel &kernel, LoopId id) {
  const auto counter = counterOf(kernel, id);
  const auto why =
      counter ? whyNotKnown(kernel, kernel.graph.operand(*counter, 0))
              : std::nullopt;
  return why && !why->loop && why->cause != Cause::Thread && !why->what.empty()
             ? why
             : std::nullopt;
}

/// Copies from which on a loop is kept whose beginning the loops around it
/// give. Nvcc 13.0 keeps arrays in registers in `for (j = i + 1; j < 14; ++j)`
/// of 14 `i` (at most 182 copies), and in eliminations of 6 rows of 6 and of 7
/// columns (150 and 210), but not in those of 7 rows (252), nor in a sort of 16
/// (240). Where a pragma asks for each of these loops, it keeps Cholesky's of
/// 14 rows, eliminations of 12 and sorts of 64 in registers.
constexpr uint64_t mostCopies = 240, mostAskedCopies = 8192;

std::optional<NotKnown> loopCause(const Kernel &kernel, LoopId id);

/// True if the loops are unrolled whose counters `value` is computed from.
bool isOfUnrolledLoops(const Kernel &kernel, ValueId value) {
  const ExpressionGraph &graph = kernel.graph;
  return graph.walk(value, [&](ValueId id) {
    const Node &node = graph.node(id);
    return node.op == Op::Carried && loopCause(kernel, node.number)
               ? Walk::Stop
               : Walk::Into;
  });
}

/// Returns true for a loop that becomes copies if the loops around it do:
/// `for (j = k + 1; j < 6; ++j)` in a loop over `k`. Its copies are counted
/// from the outermost loop on that decides where it begins.
bool isUnrolledInCopies(const Kernel &kernel, LoopId id, ValueId start) {
  if (!isOfUnrolledLoops(kernel, start))
    return false;
  const uint64_t deciding = kernel.graph.loopsOf()[start];
  uint64_t copies = 1;
  bool isCopied = false, isAsked = true;
  for (LoopId at : kernel.nestOf(id)) {
    isCopied |= (deciding & ExpressionGraph::loopBit(at)) != 0;
    if (!isCopied || (at != id && loopCause(kernel, at)))
      continue;
    const Loop &loop = kernel.loops[at];
    isAsked &= loop.unroll == Unroll::Full;
    // The last iteration of a loop that tests first is no more than the test.
    const uint64_t most = mostIterations(kernel, at).value_or(1);
    copies = llvm::SaturatingMultiply(
        copies, most - (!loop.tripCount && loop.testsFirst && most > 1));
  }
  return copies < (isAsked ? mostAskedCopies : mostCopies);
}

/// Returns true if the value with which a loop ends is used behind it.
bool isReadBehind(const Kernel &kernel, ValueId counter) {
  const ExpressionGraph &graph = kernel.graph;
  for (ValueId id = 0; id < graph.size(); ++id) {
    const Node &node = graph.node(id);
    if (node.op != Op::Final || node.number != graph.node(counter).number)
      continue;
    Terms last;
    addTerms(graph, graph.operand(id, 0), 1, last);
    if (last.count(counter))
      return true;
  }
  return false;
}

/// The reason that a loop is not fully unrolled, if it is not. What ends it
/// before its last possible iteration leaves the copies of a short one: nvcc
/// 13.0 keeps 64 elements in registers in `for (i = 0; i < min(64, n); ++i)` and
/// beside a 'break', and 96 in `for (j = 0; j < k; ++j)` of a loop over 96 `k`,
/// but none of 16 where the loop begins at `n`. Nor 8 in an insertion, whose
/// index falls to where data say, and is one of the array behind the loop.
std::optional<NotKnown> loopCause(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  std::optional<uint64_t> most = loop.tripCount;
  if (!most) {
    const auto limited = limitedCounter(kernel, id);
    if (!limited || limited->iterations >= fullyUnrolledBelow)
      return NotKnown{Cause::LoopBound, loop.boundText, id};
    most = limited->iterations;
    if (constantStep(kernel.graph, limited->counter).value_or(0) < 0 &&
        isReadBehind(kernel, limited->counter))
      return NotKnown{Cause::LoopBound, loop.boundText, id};
    const ValueId start = kernel.graph.operand(limited->counter, 0);
    if (kernel.graph.node(start).op != Op::Constant &&
        !isUnrolledInCopies(kernel, id, start))
      return NotKnown{Cause::LoopBound, loop.boundText, id};
  }
  if (loop.unroll == Unroll::Disabled || loop.unroll == Unroll::Count)
    if (loop.unroll == Unroll::Disabled || loop.unrollCount < *most)
      return NotKnown{Cause::LoopKept, "", id};
  if (loop.unroll != Unroll::Full && loop.unroll != Unroll::Count &&
      *most >= fullyUnrolledBelow)
    return NotKnown{Cause::LoopLong, "", id};
  return std::nullopt;
}

/// Returns true for what constants and such counters of loops are combined to.
bool isOfCounters(const ExpressionGraph &graph, ValueId value,
                  llvm::function_ref<bool(ValueId)> isSuch) {
  return graph.walk(value, [&](ValueId id) {
    switch (graph.node(id).op) {
    case Op::Constant:
      return Walk::Past;
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
    case Op::ShiftLeft:
    case Op::Resize:
    case Op::SignExtend:
      return Walk::Into;
    case Op::Carried:
      return constantStep(graph, id) && isSuch(id) ? Walk::Past : Walk::Stop;
    default:
      return Walk::Stop;
    }
  });
}

/// Returns true for a loop whose iterations are known in each copy of the
/// unrolled loops around it: `for (j = k + 1; j < 6; ++j)` in a loop over `k`.
/// The compiler unrolls it if they are few.
bool isTriangular(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  if (loop.tripCount || !loop.hasBound || !loop.parent ||
      loop.unroll == Unroll::Disabled)
    return false;
  auto isKnown = [&](ValueId value) {
    return rangeOfCounters(kernel, value, id) &&
           isOfUnrolledLoops(kernel, value);
  };
  const auto counter = counterOf(kernel, id);
  return counter && isKnown(loop.bound) &&
         isKnown(kernel.graph.operand(*counter, 0));
}

/// The order of reasons, the best one first: memory is a better one than the
/// loop that reads it.
unsigned rankOf(const Kernel &kernel, const NotKnown &cause) {
  constexpr unsigned last = unsigned(Cause::Other) + 1;
  return cause.loop && isTriangular(kernel, *cause.loop) ? last
                                                         : unsigned(cause.cause);
}

/// The reason in a single node, apart from its operands.
std::optional<NotKnown> nodeCause(const Kernel &kernel, ValueId id) {
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(id);
  switch (node.op) {
  case Op::ThreadIndex:
  case Op::BlockIndex:
  case Op::BlockSize:
  case Op::GridSize:
  case Op::Lane: {
    static const char *names[] = {"threadIdx", "blockIdx", "blockDim",
                                  "gridDim"};
    std::string name =
        node.op == Op::Lane
            ? "the lane"
            : std::string(
                  names[unsigned(node.op) - unsigned(Op::ThreadIndex)]) +
                  "." + char('x' + node.number);
    return NotKnown{Cause::Thread, name, std::nullopt};
  }
  case Op::Parameter:
    return NotKnown{Cause::Argument, graph.text(id), std::nullopt};
  case Op::Loaded:
    return NotKnown{Cause::Memory, graph.text(id), std::nullopt};
  case Op::Uniform:
  case Op::Varying:
  case Op::Opaque: {
    const llvm::StringRef text = graph.text(id);
    const bool isFloat = node.op == Op::Opaque && floatOperation(text);
    return NotKnown{Cause::Other,
                    !isFloat                    ? text.str()
                    : text.starts_with("fcmp ") ? "a comparison of floats"
                                                : "a computed float",
                    std::nullopt};
  }
  case Op::Carried:
  case Op::Final:
  case Op::Ever:
    return loopCause(kernel, node.number);
  default:
    return std::nullopt;
  }
}

/// Returns true if `loaded` reads a structure that is passed by value: an
/// argument, though it is read as memory.
bool isArgumentMemory(const Kernel &kernel, ValueId loaded) {
  const ExpressionGraph &graph = kernel.graph;
  bool isArgument = false;
  graph.walk(graph.operand(loaded, 0), [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op == Op::Base) {
      isArgument = kernel.objects[node.number].space == Space::Parameter;
      return Walk::Stop;
    }
    return node.op == Op::Add || node.op == Op::Resize ? Walk::Into
                                                       : Walk::Past;
  });
  return isArgument;
}

/// The number of results of `x & 3` or `x % 4`; 0 for other operations.
uint64_t periodOf(const ExpressionGraph &graph, ValueId id) {
  const Op op = graph.node(id).op;
  const bool isMask = op == Op::And;
  if (!isMask && op != Op::RemainderSigned && op != Op::RemainderUnsigned)
    return 0;
  const Node &by = graph.node(graph.operand(id, 1));
  if (by.op != Op::Constant || graph.node(id).bits < 2)
    return 0;
  return !isMask                              ? by.number
         : llvm::isPowerOf2_64(by.number + 1) ? by.number + 1
                                              : 0;
}

/// Returns true for `j & 3` in a loop over `j` that a pragma unrolls by a
/// multiple of 4: each copy of its body has one result.
bool isKnownInCopies(const Kernel &kernel, ValueId id) {
  const ExpressionGraph &graph = kernel.graph;
  const uint64_t period = periodOf(graph, id);
  return period > 1 &&
         isOfCounters(graph, graph.operand(id, 0), [&](ValueId counter) {
           const Loop &loop = kernel.loops[graph.node(counter).number];
           return loop.tripCount && loop.unroll == Unroll::Count &&
                  loop.unrollCount % period == 0 &&
                  !whyNotKnown(kernel, graph.operand(counter, 0));
         });
}

} // namespace

bool isUnrolled(const Kernel &kernel, LoopId loop) {
  return !loopCause(kernel, loop);
}

std::string decidesLength(const Kernel &kernel, LoopId id) {
  const Loop &loop = kernel.loops[id];
  if (hasConstantBound(kernel, id))
    return unknownStart(kernel, id) ? "the counter's first value" : "";
  return loop.boundText.empty() ? "" : "'" + loop.boundText + "'";
}

std::optional<NotKnown> whyNotKnown(const Kernel &kernel, ValueId value) {
  std::optional<NotKnown> found;
  unsigned best = 0; ///< the rank of what is found
  kernel.graph.walk(value, [&](ValueId id) {
    if (isKnownInCopies(kernel, id))
      return Walk::Past;
    auto cause = nodeCause(kernel, id);
    if (!cause)
      return Walk::Into;
    if (cause->cause == Cause::Memory && isArgumentMemory(kernel, id))
      cause->cause = Cause::Argument;
    const unsigned rank = rankOf(kernel, *cause);
    if (!found || rank < best || (rank == best && found->what.empty())) {
      found = cause;
      best = rank;
    }
    const Op op = kernel.graph.node(id).op;
    return op == Op::Loaded || op == Op::Opaque ? Walk::Past : Walk::Into;
  });
  return found;
}

/// Returns by how much `value` is more than `base`, if that is a constant.
static std::optional<int64_t> distance(const ExpressionGraph &graph,
                                       ValueId base, ValueId value) {
  int64_t sum = 0;
  while ((value = withoutResizing(graph, value)) != base) {
    const auto part = constantSum(graph, value);
    if (!part)
      return std::nullopt;
    sum += part->constant;
    value = part->value;
  }
  return sum;
}

/// Returns true for a counter that goes one way and then starts again.
static bool startsAgain(const ExpressionGraph &graph, ValueId carried) {
  const ValueId next = withoutResizing(graph, graph.operand(carried, 1));
  // A select has its condition in front, a join one in front of each value.
  const Op op = graph.node(next).op;
  if (op != Op::Select && op != Op::Join)
    return false;
  const size_t stride = op == Op::Join ? 2 : 1;
  bool goesUp = false, goesDown = false, isSet = false;
  for (size_t i = 1; i < graph.operands(next).size(); i += stride) {
    const ValueId value = graph.operand(next, i);
    const auto step = distance(graph, carried, value);
    goesUp |= step && *step > 0;
    goesDown |= step && *step < 0;
    isSet |= graph.node(value).op == Op::Constant;
  }
  return goesUp + goesDown + isSet > 1;
}

bool isRestOf(const Kernel &kernel, ValueId value, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  const uint64_t bit = ExpressionGraph::loopBit(loop);
  bool isRest = false;
  const bool isAlways = graph.walk(value, [&](ValueId id) {
    if (!(graph.loopsOf()[id] & bit))
      return Walk::Past;
    const Node &node = graph.node(id);
    if (node.op == Op::RemainderSigned || node.op == Op::RemainderUnsigned ||
        node.op == Op::And) {
      isRest = true;
      return Walk::Past;
    }
    if (node.op != Op::Carried || node.number != loop)
      return Walk::Into;
    if (!startsAgain(graph, id))
      return Walk::Stop;
    isRest = true;
    return Walk::Past;
  });
  return isRest && isAlways;
}

/// Less is better: an index from memory, which only another program text cures;
/// an unknown number of iterations, which may become known; one that the
/// compiler may know.
static unsigned choiceOf(const Kernel &kernel, const NotKnown &cause) {
  if (cause.cause == Cause::Memory)
    return 0;
  return cause.loop && isTriangular(kernel, *cause.loop) ? 2 : 1;
}

const Access *firstUnknownIndex(const Kernel &kernel, unsigned array) {
  const Access *first = nullptr;
  unsigned best = 0;
  for (const Access &access : kernel.accesses) {
    if (access.array != array || !access.bytes)
      continue;
    const auto cause = whyNotKnown(kernel, access.address);
    if (!cause)
      continue;
    const unsigned choice = choiceOf(kernel, *cause);
    if (first && (choice > best ||
                  (choice == best && !(access.place < first->place))))
      continue;
    first = &access;
    best = choice;
  }
  return first;
}

bool fitsRegisters(const Array &array) {
  constexpr uint64_t registers = 255;
  return array.bytes <= registers * 4;
}

bool isConstantTable(const Kernel &kernel, unsigned array) {
  bool isRead = false, isFilled = false;
  for (const Access &access : kernel.accesses) {
    if (access.array != array)
      continue;
    if (access.operation == Operation::Load) {
      isRead = true;
      continue;
    }
    // An initialiser copies constants, or stores each of them.
    auto copiesHere = [&](const Access &other) {
      return other.operation == Operation::Load && !other.bytes &&
             other.place == access.place;
    };
    const bool isInitialiser =
        access.loops.empty() &&
        (access.bytes
             ? access.storesSame && !whyNotKnown(kernel, access.address)
             : llvm::none_of(kernel.accesses, copiesHere));
    if (access.operation != Operation::Store || !isInitialiser)
      return false;
    isFilled = true;
  }
  return isRead && isFilled;
}

std::string words(const Kernel &kernel, const NotKnown &cause,
                  const Place &seenFrom) {
  auto quoted = [](const std::string &what, const char *otherwise) {
    return what.empty() ? std::string(otherwise) : "'" + what + "'";
  };
  auto line = [&] { return atLine(kernel.loops[*cause.loop].place, seenFrom); };
  auto captured = [&]() -> std::string {
    const auto &variable = kernel.loops[*cause.loop].boundCaptured;
    return variable ? " (a variable captured from line " +
                          std::to_string(variable->declared.line) +
                          ", where it is not 'const')"
                    : "";
  };
  switch (cause.cause) {
  case Cause::Memory:
    return "depends on " + quoted(cause.what, "a value") +
           ", loaded from memory";
  case Cause::Argument:
    return "depends on " + quoted(cause.what, "a value") +
           ", an argument of the kernel";
  case Cause::Thread:
    return "depends on '" + cause.what + "'";
  case Cause::LoopBound:
    if (isTriangular(kernel, *cause.loop))
      return "is counted by the loop" + line() +
             ", whose number of iterations changes with a loop around it";
    // The bound is known, but the start is not, or the loop has another exit.
    if (hasConstantBound(kernel, *cause.loop)) {
      const auto start = unknownStart(kernel, *cause.loop);
      return "is counted by the loop" + line() +
             (start ? ", whose first value " + words(kernel, *start, seenFrom)
                    : ", whose number of iterations is not known at compile "
                      "time");
    }
    return "is counted by the loop" + line() + ", whose bound " +
           (cause.what.empty() ? "" : "'" + cause.what + "' ") +
           "is not known at compile time" + captured();
  case Cause::LoopKept:
    return "is counted by the loop" + line() +
           ", which a pragma keeps from being unrolled";
  case Cause::LoopLong:
    return "is counted by the loop" + line() + ", whose " +
           std::to_string(*kernel.loops[*cause.loop].tripCount) +
           " iterations are many to unroll";
  case Cause::Other:
    return cause.what.empty() ? "varies at run time"
                              : "depends on " + cause.what;
  }
  return "";
}

} // namespace warplint
