#include "cost/bookkeeping.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// Returns true if the access is an instruction of its own.
bool isExecuted(const Access &access) {
  return access.need != Need::Never && access.space != Space::Parameter;
}

class Reader {
public:
  explicit Reader(const Kernel &kernel)
      : kernel_(kernel), graph_(kernel.graph) {}

  std::vector<Bookkeeping> read() {
    addFrame();
    addAddresses();
    for (LoopId loop = 0; loop < kernel_.loops.size(); ++loop)
      addLoop(loop);
    for (const Branch &branch : kernel_.branches)
      addBranch(branch);
    for (const Computation &operation : kernel_.operations)
      addConstants(operation);
    for (const Barrier &barrier : kernel_.barriers)
      add(barrier.place, barrier.loops, {.control = 1});
    for (const Access &access : kernel_.accesses)
      addCombining(access);
    return std::move(found_);
  }

private:
  void add(const Place &place, std::vector<LoopId> loops, PipeCounts pipes) {
    if (pipes.all() > 0)
      found_.push_back({place, std::move(loops), pipes});
  }

  /// Adds the instructions that begin and end each kernel: stack pointer,
  /// parameters and indexes; its exit, and the jump to itself that pads code.
  void addFrame() {
    PipeCounts pipes{.memory = 1, .control = 2};
    std::set<std::pair<Op, uint64_t>> specials;
    std::set<uint64_t> bases;
    std::set<ValueId> parameters;
    llvm::DenseSet<ValueId> seen;
    auto visit = [&](ValueId root) {
      graph_.walk(root, seen, [&](ValueId id) {
        const Node &node = graph_.node(id);
        switch (node.op) {
        case Op::ThreadIndex:
        case Op::BlockIndex:
        case Op::BlockSize:
        case Op::GridSize:
        case Op::Lane:
          specials.insert({node.op, node.number});
          break;
        case Op::Base:
          bases.insert(node.number);
          break;
        case Op::Parameter:
          parameters.insert(id);
          break;
        default:
          break;
        }
        return ExpressionGraph::Walk::Into;
      });
    };
    std::set<std::pair<ValueId, unsigned>> members; ///< of structures passed
    for (const Access &access : kernel_.accesses) {
      visit(access.address);
      visit(access.guard);
      if (access.space == Space::Parameter && access.need != Need::Never)
        members.insert({access.address, access.bytes});
    }
    for (const Loop &loop : kernel_.loops) {
      visit(loop.enters);
      visit(loop.continues);
    }
    for (const Branch &branch : kernel_.branches)
      for (const Side &side : branch.sides)
        visit(side.taken);
    // An instruction takes the upper half of a double; the others are loaded.
    std::set<uint64_t> doubles;
    for (const Computation &operation : kernel_.operations)
      if (operation.from == Number::F64)
        for (const Input &input : kernel_.inputsOf(operation))
          if (input.source == Input::Source::Constant &&
              uint32_t(llvm::bit_cast<uint64_t>(input.constant)))
            doubles.insert(llvm::bit_cast<uint64_t>(input.constant));
    pipes.alu += 2 * doubles.size();
    std::set<uint32_t> numbers;
    for (const Input &input : kernel_.inputs) {
      if (input.hasValue)
        visit(input.value);
      if (input.source == Input::Source::Argument)
        numbers.insert(input.index);
    }
    for (const auto &[op, dimension] : specials)
      (op == Op::BlockSize || op == Op::GridSize ? pipes.memory
                                                 : pipes.control) += 1;
    bool hasGlobal = false;
    for (uint64_t base : bases) {
      const Space space = kernel_.objects[base].space;
      hasGlobal |= mayBeGlobal(space);
      // A pointer is a parameter; the window of shared memory has a register.
      if (space == Space::Shared)
        pipes += {.alu = 2, .control = 1};
      else if (mayBeGlobal(space))
        pipes.memory += 1;
    }
    if (hasGlobal)
      pipes.alu += 1; // the descriptor of global memory
    pipes.memory +=
        std::max(numbers.size(), parameters.size()) + members.size();
    add(kernel_.place, {}, pipes);
  }

  /// The terms of an address without the constants that instructions add
  /// themselves: those of 'a[i]' and of 'a[i + 1]' are the same.
  using Terms = std::map<ValueId, uint64_t>; ///< node to its factor
  void addTerms(ValueId id, uint64_t factor, Terms &terms) {
    const Node &node = graph_.node(id);
    auto constant = [&](unsigned i) -> std::optional<uint64_t> {
      const Node &operand = graph_.node(graph_.operand(id, i));
      if (operand.op == Op::Constant)
        return operand.number;
      return std::nullopt;
    };
    switch (node.op) {
    case Op::Constant:
      return;
    case Op::Add:
    case Op::Subtract:
      addTerms(graph_.operand(id, 0), factor, terms);
      return addTerms(graph_.operand(id, 1),
                      node.op == Op::Add ? factor : -factor, terms);
    case Op::ShiftLeft:
      if (auto by = constant(1); by && *by < 64)
        return addTerms(graph_.operand(id, 0), factor << *by, terms);
      break;
    case Op::SignExtend:
    case Op::Resize:
      return addTerms(graph_.operand(id, 0), factor, terms);
    case Op::Multiply:
      for (unsigned i : {0, 1})
        if (auto by = constant(i))
          return addTerms(graph_.operand(id, 1 - i), factor * *by, terms);
      break;
    default:
      break;
    }
    if ((terms[id] += factor) == 0)
      terms.erase(id);
  }

  /// Returns true if the index has 64 bits: 'IMAD.WIDE' takes 32.
  bool hasWideIndex(ValueId address) const {
    return !graph_.walk(address, [&](ValueId id) {
      using Walk = ExpressionGraph::Walk;
      const Node &node = graph_.node(id);
      if (node.op == Op::Add)
        return Walk::Into;
      if (node.op == Op::Multiply &&
          llvm::any_of(graph_.operands(id), [&](ValueId operand) {
            return graph_.node(operand).op == Op::Constant;
          }))
        return Walk::Into;
      const bool isNarrow = node.pointer || node.op == Op::Base ||
                            node.op == Op::Constant ||
                            node.op == Op::SignExtend || node.op == Op::Resize;
      return isNarrow || node.bits < 64 ? Walk::Past : Walk::Stop;
    });
  }

  /// Returns true if nothing is multiplied: 'p[i]' of bytes, whose index IADD3
  /// and LEA.HI.X add.
  bool isOfBytes(const Terms &terms) const {
    return llvm::all_of(terms,
                        [](const auto &term) { return term.second == 1; });
  }

  void addAddresses() {
    std::set<Terms> seen; // whatever the condition and the loop
    for (const Access &access : kernel_.accesses) {
      if (!isExecuted(access))
        continue;
      Terms terms;
      addTerms(access.address, 1, terms);
      // A pointer as it is needs no instruction.
      if (terms.size() <= 1 || !seen.insert(terms).second)
        continue;
      PipeCounts pipes;
      if (!mayBeGlobal(access.space))
        pipes.alu = 1;
      else if (hasWideIndex(access.address) || isOfBytes(terms))
        pipes.alu = 2; // the lower and the upper half
      else
        pipes.fma = 1; // IMAD.WIDE
      add(access.place, access.loops, pipes);
    }
  }

  /// The first test of a loop whose number of iterations is unknown.
  void addLoop(LoopId loop) {
    if (kernel_.loops[loop].tripCount)
      return;
    std::vector<LoopId> around = kernel_.nestOf(loop);
    around.pop_back();
    add(kernel_.loops[loop].place, std::move(around), {.alu = 1, .control = 1});
  }

  /// Where all lanes update one address, they elect one of them, once for each
  /// condition, and add up; it hands on what was there before (nvcc 13.0,
  /// sm_90).
  void addCombining(const Access &access) {
    if (!access.isCombined)
      return;
    const bool isOneAddress = graph_.walk(access.address, [&](ValueId id) {
      switch (graph_.node(id).op) {
      case Op::ThreadIndex:
      case Op::Lane:
      case Op::Loaded:
      case Op::Forwarded:
      case Op::Varying:
      case Op::FromLane:
        return ExpressionGraph::Walk::Stop;
      default:
        return ExpressionGraph::Walk::Into;
      }
    });
    if (!isOneAddress)
      return;
    if (access.resultUsed)
      add(access.place, access.loops,
          {.alu = 5, .special = 3, .memory = 2, .control = 2});
    else if (elected_.insert({access.guard, access.loops}).second)
      add(access.place, access.loops, {.alu = 4, .memory = 1, .control = 1});
    else
      add(access.place, access.loops, {.alu = 1, .memory = 1});
  }

  /// Where the sides of a branch meet again: BSSY and BSYNC. Short sides are
  /// predicated, and what surrounds the whole kernel only ends.
  void addBranch(const Branch &branch) {
    constexpr double predicated = 7;
    const bool isLong = llvm::any_of(
        branch.sides, [](const Side &side) { return side.work > predicated; });
    if (isLong && (branch.parent || !branch.loops.empty()) &&
        !isOfSameCondition(kernel_, branch))
      add(branch.place, branch.loops, {.control = 2});
  }

  /// A register gets the constant that a path or the first iteration has.
  void addConstants(const Computation &operation) {
    if (operation.kind != Compute::Join)
      return;
    if (llvm::any_of(kernel_.inputsOf(operation), [](const Input &input) {
          return input.source == Input::Source::Constant;
        }))
      add(kernel_.writtenOf(operation).place, kernel_.loopsOf(operation),
          {.alu = operation.type == Number::I64 || operation.type == Number::F64
                      ? 2.0
                      : 1.0});
  }

  const Kernel &kernel_;
  const ExpressionGraph &graph_;
  std::vector<Bookkeeping> found_;
  std::set<std::pair<ValueId, std::vector<LoopId>>> elected_;
};

} // namespace

bool isOfSameCondition(const Kernel &kernel, const Branch &branch) {
  return branch.parent &&
         sameLine(kernel.branches[*branch.parent].place, branch.place);
}

std::vector<Bookkeeping> bookkeepingOf(const Kernel &kernel) {
  return Reader(kernel).read();
}

} // namespace warplint
