#include "cost/divisions.h"
#include "cost/conditions.h"
#include "cost/reached.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

namespace {

/// Bits that the values of an integer need, by the conversions that made it: a
/// 32-bit index in a 'size_t' needs 32.
unsigned neededBits(const ExpressionGraph &graph, ValueId value,
                    unsigned depth = 0) {
  const Node &node = graph.node(value);
  if (node.op == Op::Constant)
    return node.number < (uint64_t(1) << 31) ? 32 : 64;
  if (node.op == Op::SignExtend)
    return std::max<unsigned>(32, node.number);
  if (node.op == Op::Resize) {
    const unsigned from = graph.node(graph.operand(value, 0)).bits;
    return from < node.bits ? std::max(32u, from)
                            : neededBits(graph, graph.operand(value, 0), depth);
  }
  // A value that is no larger than those that it is made from.
  const bool keeps =
      node.op == Op::RemainderSigned || node.op == Op::RemainderUnsigned ||
      node.op == Op::DivideSigned || node.op == Op::DivideUnsigned;
  if (keeps && depth < 4)
    return neededBits(graph, graph.operand(value, 0), depth + 1);
  return node.bits <= 32 ? 32 : 64;
}

bool isWide(const Kernel &kernel, const Computation &operation) {
  if (operation.type != Number::I64)
    return false;
  for (const Input &input : kernel.inputsOf(operation))
    if (!input.hasValue || neededBits(kernel.graph, input.value) > 32)
      return false;
  return true;
}

/// Returns true for what differs from thread to thread, or may.
bool isOfThread(Op op) {
  switch (op) {
  case Op::ThreadIndex:
  case Op::BlockIndex:
  case Op::Lane:
  case Op::Uniform:
  case Op::Varying:
  case Op::Forwarded:
  case Op::FromLane:
  case Op::Ballot:
  case Op::Opaque:
  case Op::Join:
  case Op::Ever:
  case Op::Final:
    return true;
  default:
    return false;
  }
}

/// Returns true for memory that all blocks share and that the kernel does not
/// write.
bool isFixed(const Kernel &kernel, ObjectId id) {
  const Object &object = kernel.objects[id];
  auto reaches = [&](const Access &access) {
    const auto other = onlyObject(kernel, access.address);
    return other ? *other == id : access.object == object.name;
  };
  return object.space != Space::Shared && object.space != Space::Local &&
         llvm::none_of(kernel.accesses, [&](const Access &access) {
           return access.operation != Operation::Load && reaches(access);
         });
}

/// Returns true for what a launch passes to all its threads: arguments, and
/// what is loaded from memory that the kernel does not write, at an address
/// that no thread and only the counters of loops determine.
bool isSameForAll(const Kernel &kernel, ValueId value) {
  using Walk = ExpressionGraph::Walk;
  const ExpressionGraph &graph = kernel.graph;
  std::vector<ValueId> addresses;
  const bool isSame = graph.walk(value, [&](ValueId id) {
    const Op op = graph.node(id).op;
    if (op == Op::Loaded) {
      addresses.push_back(graph.operand(id, 0));
      return Walk::Past;
    }
    return isOfThread(op) || op == Op::Carried ? Walk::Stop : Walk::Into;
  });
  llvm::DenseSet<ValueId> seen;
  return isSame && llvm::all_of(addresses, [&](ValueId address) {
           return graph.walk(address, seen, [&](ValueId id) {
             const Node &node = graph.node(id);
             const bool isOther =
                 isOfThread(node.op) ||
                 (node.op == Op::Base &&
                  !isFixed(kernel, node.number));
             return isOther ? Walk::Stop : Walk::Into;
           });
         });
}

/// Returns true for what shifts alone make of a constant: `1 << k`.
bool isShifted(const ExpressionGraph &graph, ValueId value) {
  bool isShift = false;
  for (;; value = graph.operand(value, 0)) {
    const Op op = graph.node(value).op;
    if (op == Op::ShiftLeft || op == Op::ShiftRightSigned ||
        op == Op::ShiftRightUnsigned)
      isShift = true;
    else if (op != Op::Resize && op != Op::SignExtend)
      return isShift && op == Op::Constant;
  }
}

/// Returns true if the value is a power of two, or is 0 at the end of a loop
/// that halves it. `counters`: those that are taken to be one, to see whether
/// the next value is one, too.
bool isPowerOfTwo(const ExpressionGraph &graph, ValueId value,
                  llvm::SmallDenseSet<ValueId, 4> &counters,
                  unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const Node &node = graph.node(value);
  auto operandIs = [&](unsigned i) {
    return isPowerOfTwo(graph, graph.operand(value, i), counters, depth + 1);
  };
  if (depth > deepest)
    return false;
  switch (node.op) {
  case Op::Constant:
    return llvm::isPowerOf2_64(node.number);
  case Op::Resize:
  case Op::SignExtend:
  case Op::ShiftLeft:
  case Op::ShiftRightUnsigned:
  case Op::ShiftRightSigned:
    return operandIs(0);
  case Op::Multiply:
  case Op::DivideSigned:
  case Op::DivideUnsigned:
    return operandIs(0) && operandIs(1);
  case Op::Carried:
    return !counters.insert(value).second || (operandIs(0) && operandIs(1));
  default:
    return false;
  }
}

/// Returns true if no counter bounds the loop.
bool dependsOnMemory(const Kernel &kernel, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  return graph.walk(kernel.loops[loop].continues, [&](ValueId id) {
    const Node &node = graph.node(id);
    if (node.op != Op::Carried || node.number != loop)
      return ExpressionGraph::Walk::Into;
    return graph.node(graph.operand(id, 1)).op == Op::Add
               ? ExpressionGraph::Walk::Stop
               : ExpressionGraph::Walk::Past;
  });
}

/// Returns true for a loop that repeats a compare-and-swap until no other
/// thread comes between: one iteration, usually.
bool isRetry(const Kernel &kernel, LoopId loop) {
  return llvm::any_of(kernel.accesses, [&](const Access &access) {
    return access.operation == Operation::Atomic && access.resultUsed &&
           !access.isSum && !access.loops.empty() &&
           access.loops.back() == loop && !kernel.loops[loop].tripCount &&
           dependsOnMemory(kernel, loop);
  });
}

/// The loops between the operation and the innermost loop of the user's code: a
/// library dispatches each thread's elements in them, one of them as a rule.
unsigned dispatchingLoops(const Kernel &kernel, const Computation &operation) {
  unsigned count = 0;
  for (LoopId id : llvm::reverse(kernel.loopsOf(operation))) {
    if (!kernel.loops[id].inLibrary)
      break;
    ++count;
  }
  return count;
}

} // namespace

std::optional<LoopId> innermostOwnLoop(const Kernel &kernel,
                                       const Computation &operation) {
  const std::vector<LoopId> &loops = kernel.loopsOf(operation);
  const size_t left = loops.size() - dispatchingLoops(kernel, operation);
  return left ? std::optional(loops[left - 1]) : std::nullopt;
}

std::optional<CostlyDivision> costlyDivision(const Kernel &kernel,
                                             const Computation &operation) {
  if (!isDivision(operation) || operation.inputCount != 2 ||
      operation.isApproximate || operation.type == Number::F16)
    return std::nullopt;
  const Input &dividend = kernel.inputsOf(operation)[0];
  const Input &divisor = kernel.inputsOf(operation)[1];
  if (divisor.source == Input::Source::Constant)
    return std::nullopt;
  CostlyDivision division;
  const bool isWhole = !isFloat(operation.type);
  const bool isRetried = !kernel.loopsOf(operation).empty() &&
                         isRetry(kernel, kernel.loopsOf(operation).back());
  division.isByShared =
      divisor.hasValue && isSameForAll(kernel, divisor.value);
  division.isByOneOfMany = division.isByShared &&
                           (dependsOnData(kernel, divisor.value) ||
                            kernel.graph.loopsOf()[divisor.value] != 0);
  division.isUniform = isWhole && !isRetried && division.isByShared &&
                       dividend.hasValue && dividend.invariantLoops == 0 &&
                       !isSameForAll(kernel, dividend.value);
  // If both stay the same, the compiler divides once.
  division.isInvariant = divisor.invariantLoops >
                             dispatchingLoops(kernel, operation) &&
                         dividend.invariantLoops < divisor.invariantLoops &&
                         dividend.invariantLoops == 0 && !isRetried;
  llvm::SmallDenseSet<ValueId, 4> counters;
  const bool isConstantHere =
      divisor.invariantLoops > 0 && dividend.invariantLoops > 0;
  division.isByPowerOfTwo = isWhole && !isConstantHere && divisor.hasValue &&
                            isPowerOfTwo(kernel.graph, divisor.value, counters);
  division.isShifted =
      division.isByPowerOfTwo && isShifted(kernel.graph, divisor.value);
  division.isWide =
      isWide(kernel, operation) && dividend.source != Input::Source::Constant;
  if (!division.isInvariant && !division.isWide && !division.isUniform &&
      !division.isByPowerOfTwo)
    return std::nullopt;
  return division;
}

} // namespace warplint
