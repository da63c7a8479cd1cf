#include "model/sound.h"
#include "base/record_fields.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace warplint {

namespace {

/// How many operands a node of this kind has at least, and what may follow
/// them: nothing, any number, or pairs or triples.
struct Arity {
  unsigned least;
  enum { Exactly, OrMore, AndPairs, AndTriples } more = Exactly;
};

Arity arityOf(Op op) {
  switch (op) {
  case Op::Constant:
  case Op::ThreadIndex:
  case Op::BlockIndex:
  case Op::BlockSize:
  case Op::GridSize:
  case Op::Lane:
  case Op::Uniform:
  case Op::Varying:
  case Op::Base:
    return {0};
  case Op::Parameter: // the position is left out of what is read from PTX
  case Op::Opaque:
    return {0, Arity::OrMore};
  case Op::Loaded: // the number of the byte in an argument (argument_bytes.h)
    return {1, Arity::OrMore};
  case Op::Usually:
  case Op::Final:
  case Op::Ever:
  case Op::Absolute:
  case Op::CountOnes:
  case Op::LeadingZeros:
  case Op::ReverseBits:
  case Op::SignExtend:
  case Op::Resize:
  case Op::Ballot:
    return {1};
  case Op::Forwarded:
    return {1, Arity::AndTriples};
  case Op::Join:
    return {2, Arity::AndPairs};
  case Op::Select:
    return {3};
  default:
    return {2};
  }
}

bool hasText(Op op) {
  return op == Op::Parameter || op == Op::Uniform || op == Op::Varying ||
         op == Op::Loaded || op == Op::Opaque;
}

bool isOfAxis(Op op) {
  return op == Op::ThreadIndex || op == Op::BlockIndex || op == Op::BlockSize ||
         op == Op::GridSize;
}

bool isLoop(Op op) {
  return op == Op::Carried || op == Op::Final || op == Op::Ever;
}

} // namespace

bool ExpressionGraph::isSound(size_t objects, size_t loops) const {
  for (ValueId id = 0; id < nodes_.size(); ++id) {
    const Node &node = nodes_[id];
    if (!isIn(node.op, Op::Opaque) || node.bits > 64 ||
        uint64_t(node.first) + node.count > operands_.size())
      return false;
    const Arity arity = arityOf(node.op);
    if (node.count < arity.least ||
        (arity.more == Arity::Exactly && node.count != arity.least) ||
        (arity.more == Arity::AndPairs && (node.count - arity.least) % 2) ||
        (arity.more == Arity::AndTriples && (node.count - arity.least) % 3))
      return false;
    for (ValueId operand : operands(id))
      if (operand >= nodes_.size() || (operand >= id && node.op != Op::Carried))
        return false;
    if ((hasText(node.op) && node.number >= texts_.size()) ||
        (isOfAxis(node.op) && node.number > 2) ||
        (isLoop(node.op) && node.number >= loops) ||
        (node.op == Op::Base && node.number >= objects))
      return false;
  }
  return true;
}

namespace {

class Validator {
public:
  explicit Validator(const Kernel &kernel) : kernel_(kernel) {}

  bool isSound() const {
    return kernel_.graph.isSound(kernel_.objects.size(),
                                 kernel_.loops.size()) &&
           llvm::all_of(kernel_.objects,
                        [](const Object &object) {
                          return isIn(object.space, Space::Unknown);
                        }) &&
           llvm::all_of(kernel_.shapes,
                        [](const KernelShape &shape) {
                          return isIn(shape.source, ShapeSource::Assumed);
                        }) &&
           llvm::all_of(kernel_.accesses,
                        [&](const Access &access) { return is(access); }) &&
           areLoops() && areBranches() &&
           llvm::all_of(kernel_.barriers,
                        [&](const Barrier &barrier) {
                          return isValue(barrier.guard) &&
                                 areLoops(barrier.loops);
                        }) &&
           llvm::all_of(kernel_.hostCalls,
                        [](const HostCall &call) {
                          return isIn(call.kind, HostCallKind::Copy);
                        }) &&
           llvm::all_of(kernel_.arithmetic,
                        [&](const Arithmetic &work) { return is(work); }) &&
           llvm::all_of(kernel_.inputs,
                        [&](const Input &input) { return is(input); }) &&
           llvm::all_of(kernel_.operations, [&](const Computation &operation) {
             return is(operation);
           });
  }

private:
  bool isValue(ValueId value) const { return value < kernel_.graph.size(); }
  bool areLoops(llvm::ArrayRef<LoopId> loops) const {
    return llvm::all_of(
        loops, [&](LoopId loop) { return loop < kernel_.loops.size(); });
  }

  bool is(const Arithmetic &work) const {
    return isValue(work.guard) && areLoops(work.loops) &&
           std::isfinite(work.instructions) && std::isfinite(work.doubles) &&
           std::isfinite(work.special) && std::isfinite(work.logic) &&
           std::isfinite(work.products) && std::isfinite(work.operations);
  }

  bool is(const Input &input) const {
    if (!isIn(input.source, Input::Source::Other) ||
        (input.hasValue && !isValue(input.value)))
      return false;
    return input.source == Input::Source::Computation
               ? input.index < kernel_.operations.size()
               : input.source != Input::Source::Access ||
                     input.index < kernel_.accesses.size();
  }

  bool is(const Computation &operation) const {
    return isIn(operation.kind, Compute::Join) &&
           isIn(operation.type, Number::Other) &&
           isIn(operation.from, Number::Other) &&
           uint64_t(operation.firstInput) + operation.inputCount <=
               kernel_.inputs.size() &&
           operation.under < kernel_.arithmetic.size() &&
           operation.at < kernel_.written.size();
  }

  /// The most that one lane moves at once: a bulk copy fills the shared memory
  /// of an SM.
  static constexpr unsigned mostBytes = 256 * 1024;

  bool is(const Access &access) const {
    if (access.bytes > mostBytes || !isIn(access.space, Space::Unknown) ||
        !isIn(access.operation, Operation::Atomic) ||
        !isIn(access.need, Need::Never) || !isValue(access.address) ||
        !isValue(access.guard) || !areLoops(access.loops) ||
        (access.array && *access.array >= kernel_.arrays.size()) ||
        !llvm::all_of(access.storedLoads, [&](unsigned load) {
          return load < kernel_.accesses.size();
        }))
      return false;
    return !access.layout ||
           (access.layout->contiguous < access.layout->indexes.size() &&
            (!access.layout->spelling ||
             !access.layout->spelling->places.empty()) &&
            llvm::all_of(access.layout->indexes, [&](const Index &index) {
              return isValue(index.value);
            }));
  }

  bool areLoops() const {
    for (LoopId id = 0; id < kernel_.loops.size(); ++id) {
      const Loop &loop = kernel_.loops[id];
      if ((loop.parent && *loop.parent >= id) || !isValue(loop.enters) ||
          !isValue(loop.continues) || !isValue(loop.bound) ||
          !isIn(loop.unroll, Unroll::Disabled))
        return false;
    }
    return true;
  }

  bool areBranches() const {
    for (unsigned i = 0; i < kernel_.branches.size(); ++i) {
      const Branch &branch = kernel_.branches[i];
      if ((branch.parent && *branch.parent >= i) || !isValue(branch.guard) ||
          !areLoops(branch.loops) ||
          !llvm::all_of(branch.sides,
                        [&](const Side &side) { return isValue(side.taken); }))
        return false;
    }
    return true;
  }

  const Kernel &kernel_;
};

} // namespace

bool isSound(const Kernel &kernel) { return Validator(kernel).isSound(); }

} // namespace warplint
