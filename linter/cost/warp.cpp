#include "cost/warp.h"
#include "cost/carried_sums.h"
#include "cost/choices.h"
#include "cost/lane_arithmetic.h"
#include "cost/lane_floats.h"
#include "cost/lane_selection.h"
#include "cost/loop_results.h"
#include "cost/node_values.h"
#include "cost/store_forwarding.h"
#include "cost/visited_iterations.h"
#include "model/argument_bytes.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <map>

namespace warplint {

namespace {

// Limits the depth of the recursion, which must fit the stack of a worker
// thread. Deeper expressions are unknown.
constexpr unsigned deepest = 20000;

/// Stands for what is not evaluated.
const LaneValues unfollowed = LaneValues::varying(tooLong);

/// Returns true for operations on conditions that were doubted already.
bool joinsConditions(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Join ||
         op == Op::Select || op == Op::Ever || op == Op::Final;
}

} // namespace

/// Walks the graph: evaluates operands, and keeps what it has evaluated. What
/// an operation makes of its operands stands in the files that this one
/// includes.
struct Warp::State {
  Evaluation &evaluation;
  const Kernel &kernel;
  const ExpressionGraph &graph;
  Shape shape;
  unsigned index, block, trial;
  const uint32_t existing; ///< lanes
  const Launched *launch = nullptr;
  PlaceInGrid place;
  unsigned depth = 0;
  bool doubts = false;
  /// By node: the value of an option in this trial.
  llvm::DenseMap<ValueId, uint64_t> chosen;

  /// A warp keeps the values of this many nodes and iterations, with those that
  /// it shares, which take some 160 MiB at most; all others are unknown.
  static constexpr size_t mostKept = 500'000;
  NodeValues own;
  /// Of nodes that do not differ by warp; null: shares none.
  std::shared_ptr<NodeValues> ofBlock;

  CarriedSums sums;
  /// What the iterations before one have added to a carried value, by
  /// `Iterations::keyOf`.
  std::map<std::pair<ValueId, uint64_t>, LaneValues> added;
  static constexpr size_t mostAdded = 50'000;

  State(Evaluation &evaluation, Shape shape, unsigned index, unsigned block,
        unsigned trial)
      : evaluation(evaluation), kernel(evaluation.kernel), graph(kernel.graph),
        shape(shape), index(index), block(block),
        trial(trial < firstChoice ? trial : 0),
        existing(existingLanes(shape, index)), own(graph), sums(evaluation) {
    if (trial >= firstChoice)
      for (const auto &[value, constants] : choicesOf(graph))
        if (trial - firstChoice < constants.size())
          chosen[value] = constants[trial - firstChoice];
    if (!evaluation.launches.empty())
      launch = &evaluation.launches[this->trial % evaluation.launches.size()];
    place = placeInGrid(block, this->trial, launch);
  }

  uint64_t key(ValueId id, const Iterations &iterations) const {
    return iterations.keyOf(evaluation.loopsOf(id));
  }
  NodeValues &placeOf(ValueId id) {
    return ofBlock && !evaluation.differsByWarp(id) ? *ofBlock : own;
  }
  const LaneValues *known(ValueId id, uint64_t key) {
    return placeOf(id).known(id, key);
  }
  size_t kept() const {
    return own.size() + (ofBlock ? ofBlock->size() : 0);
  }

  /// True if nothing more is evaluated.
  bool isSpent() const {
    return evaluation.budget < 0 || kept() >= mostKept || isOverdue();
  }

  const LaneValues &get(ValueId id, const Iterations &iterations) {
    const uint64_t key = this->key(id, iterations);
    if (const LaneValues *here = known(id, key))
      return *here;
    --evaluation.budget;
    if (isSpent())
      return unfollowed;
    if (depth > deepest) {
      placeOf(id).keep(id, key, &unfollowed);
      return unfollowed;
    }
    LaneValues *result = placeOf(id).allocate();
    ++depth;
    new (result) LaneValues(compute(id, iterations));
    --depth;
    finish(id, key, *result);
    evaluation.usesProbes |= result->assumed;
    placeOf(id).keep(id, key, result);
    return *result;
  }

  /// Does what `get` does for an expression that may be deeper than the stack:
  /// evaluates its parts first, from the bottom.
  const LaneValues &getDeep(ValueId root, const Iterations &iterations) {
    // What is not evaluated is not kept: each call would look at it again.
    if (kernel.graph.size() < deepest || isSpent())
      return get(root, iterations);
    // Visits operands before their users. `Carried` ends a path, since its
    // operands belong to other iterations.
    std::vector<std::pair<ValueId, unsigned>> path{{root, 0}};
    llvm::DenseMap<ValueId, unsigned> heights;
    while (!path.empty()) {
      auto &[id, next] = path.back();
      const bool isEnd =
          graph.node(id).op == Op::Carried || known(id, key(id, iterations));
      llvm::ArrayRef<ValueId> operands = graph.operands(id);
      if (!isEnd && next < operands.size()) {
        const ValueId operand = operands[next++];
        if (heights.try_emplace(operand, 0).second)
          path.push_back({operand, 0});
        continue;
      }
      unsigned height = 0;
      if (!isEnd)
        for (ValueId operand : operands)
          height = std::max(height, heights.lookup(operand) + 1);
      if (height >= partHeight) {
        get(id, iterations);
        height = 0;
      }
      heights[id] = height;
      path.pop_back();
    }
    return get(root, iterations);
  }
  static constexpr unsigned partHeight = 1000;

  /// Cuts values to the node's width. Gives a uniform unknown number a probe
  /// value, a different one in each iteration that it depends on. A ballot is
  /// not a number.
  void finish(ValueId id, uint64_t iteration, LaneValues &result) {
    const Node &node = graph.node(id);
    if (doubts && node.bits == 1 && result.assumed && !result.unknown &&
        !joinsConditions(node.op) && node.op != Op::Usually) {
      result = result.isUniform() ? LaneValues::uniformUnknown(id)
                                  : LaneValues::varying(id);
      return;
    }
    if (auto option = chosen.find(id);
        option != chosen.end() && result.assumed && result.isUniform())
      result = LaneValues::splat(option->second, true);
    uint64_t hash = (id + 1) ^ iteration;
    if (result.unknown && result.uniform && node.bits > 1 && !result.votes)
      result = LaneValues::splat(
          node.pointer
              ? evaluation.ranges.baseBehind(hash, nullptr)
              : probeValue(hash, node.bits, trial, evaluation.bitsOf(id)),
          true);
    if (node.bits && node.bits < 64)
      result.value.change(
          [&](uint64_t value) { return cut(value, node.bits); });
    result.value.settle();
  }

  LaneValues compute(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    auto operand = [&](unsigned i) -> const LaneValues & {
      return get(graph.operand(id, i), iterations);
    };
    auto any = [&](ValueId other) -> const LaneValues & {
      return get(other, iterations);
    };
    switch (node.op) {
    case Op::Constant:
      return LaneValues::splat(node.number);
    case Op::ThreadIndex:
      return threadIndexes(shape, index, node.number);
    case Op::BlockIndex:
      return LaneValues::splat(place.block[node.number], !place.isKnown);
    case Op::BlockSize:
      return LaneValues::splat(node.number == 0   ? shape.x
                               : node.number == 1 ? shape.y
                                                  : shape.z);
    case Op::Usually:
      if (node.bits == 1) {
        const LaneValues &compared = operand(0);
        if (!compared.unknown && !compared.assumed) {
          LaneValues result = compared;
          result.value.change([&](uint64_t value) {
            return value ? !node.number : node.number;
          });
          return result;
        }
        return LaneValues::splat(node.number, true);
      }
      // Small sizes are not the common case.
      return LaneValues::splat(
          trial == smallSizes ? 2 * node.number : node.number, true);
    case Op::GridSize:
      if (launch && launch->grid[node.number])
        return LaneValues::splat(*launch->grid[node.number]);
      return LaneValues::splat(8 + 2 * trial, true);
    case Op::Lane: {
      LaneValues result;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        result.value[lane] = lane;
      return result;
    }
    case Op::Parameter:
      if (std::optional<uint64_t> argument = this->argument(id))
        return LaneValues::splat(*argument);
      return LaneValues::uniformUnknown(id);
    case Op::Uniform:
      return LaneValues::uniformUnknown(id);
    case Op::Varying:
      return LaneValues::varying(id);
    case Op::Base:
      return LaneValues::splat(evaluation.ranges.baseOf(node.number));
    case Op::Loaded:
      return loaded(id, iterations);
    case Op::Forwarded:
      return forwardedValues(graph, id, any);
    case Op::Carried:
      return carried(id, iterations);
    case Op::Final:
      return lastOf(id, node.number, kernel.loops[node.number].continues,
                    iterations, [&](const Iterations &end) {
                      return get(graph.operand(id, 0), end);
                    });
    case Op::Ever:
      return ever(id, iterations);
    case Op::Join:
      return join(id, iterations);
    case Op::Select: {
      const LaneValues &condition = operand(0), &yes = operand(1),
                       &no = operand(2);
      return selectOf(condition, yes, no, trial, id);
    }
    case Op::FromLane: {
      const LaneValues &value = operand(0), &lane = operand(1);
      return shuffleOf(value, lane, id);
    }
    case Op::Ballot:
      return ballotOf(operand(0), existing);
    case Op::Opaque:
      return opaque(id, iterations);
    case Op::SignExtend:
    case Op::Resize:
    case Op::Absolute:
    case Op::CountOnes:
    case Op::LeadingZeros:
    case Op::ReverseBits:
      return unaryOf(node.op, operand(0), graph.node(graph.operand(id, 0)).bits,
                     id);
    default:
      return binary(id, iterations);
    }
  }

  std::optional<uint64_t> argument(ValueId id) const {
    if (!launch || graph.operands(id).empty())
      return std::nullopt;
    uint64_t position = graph.node(graph.operand(id, 0)).number;
    return position < launch->arguments.size() ? launch->arguments[position]
                                               : std::nullopt;
  }

  LaneValues loaded(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    if (const auto byte = argumentByte(graph, id); byte && launch)
      if (const auto value = argumentBits(*launch, *byte, node.bits))
        return LaneValues::splat(*value);
    const LaneValues &address = get(graph.operand(id, 0), iterations);
    if (!address.isUniform())
      return LaneValues::varying(id);
    if (address.unknown || node.bits <= 1)
      return LaneValues::uniformUnknown(id);
    const Object *object = evaluation.ranges.at(address.value[0]);
    if (object && object->space == Space::Local)
      return LaneValues::varying(id); // each lane has its own
    uint64_t hash = mix(address.value[0]) ^ node.bits;
    // Each block has its own values in shared memory.
    const uint64_t owner =
        object && object->space == Space::Shared && node.bits >= 32 ? block : 0;
    if (node.pointer)
      return LaneValues::splat(
          evaluation.ranges.baseBehind(hash + owner, &graph.text(id)), true);
    return LaneValues::splat(
        probeValue(hash, node.bits, trial, evaluation.bitsOf(id)) +
            owner * (trial == smallSizes ? 2 : 65536),
        true);
  }

  LaneValues carried(ValueId id, const Iterations &iterations) {
    LoopId loop = graph.node(id).number;
    unsigned iteration = iterations[loop];
    Iterations before = iterations;
    before[loop] = iteration ? iteration - 1 : 0;
    if (iteration == 0)
      return get(graph.operand(id, 0), before);
    if (sums.of(id).isOfNest()) {
      before[loop] = 0;
      LaneValues result = get(graph.operand(id, 0), before);
      result.add(addedTo(id, iterations), graph.node(id).bits);
      return result;
    }
    // Evaluates from the first iteration on, so that the recursion stays
    // shallow.
    if (iteration > 1 && !known(id, key(id, before)))
      for (Iterations at = iterations;
           unsigned early : llvm::seq(iteration - 1)) {
        at[loop] = early;
        get(id, at);
      }
    return get(graph.operand(id, 1), before);
  }

  /// What the iterations before the current one have added to a carried value
  /// that is a sum.
  LaneValues addedTo(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    const CarriedSum &sum = sums.of(id);
    const unsigned last = iterations[node.number];
    Iterations at = iterations;
    LaneValues all;
    for (unsigned iteration = 0; iteration < last; ++iteration) {
      at[node.number] = iteration + 1;
      const auto place = std::pair(id, at.keyOf(sum.loops));
      if (auto found = added.find(place); found != added.end()) {
        all = found->second;
        continue;
      }
      --evaluation.budget;
      if (isSpent() || added.size() >= mostAdded)
        return unfollowed;
      at[node.number] = iteration;
      for (ValueId term : sum.terms)
        all.add(get(term, at), node.bits);
      for (const CarriedSum::Inner &inner : sum.inner)
        all.add(addedBy(inner, node.bits, at), node.bits);
      added.emplace(place, all);
    }
    return all;
  }

  LaneValues addedBy(const CarriedSum::Inner &inner, unsigned bits,
                     const Iterations &outside) {
    const LoopId loop = graph.node(inner.carried).number;
    return lastOf(inner.carried, loop, sums.ownCondition(loop), outside,
                  [&](const Iterations &end) {
                    LaneValues value = addedTo(inner.carried, end);
                    for (ValueId term : inner.terms)
                      value.add(get(term, end), bits);
                    return value;
                  });
  }

  LaneValues
  lastOf(ValueId id, LoopId loop, ValueId condition, const Iterations &outside,
         llvm::function_ref<LaneValues(const Iterations &)> valueIn) {
    auto continues = [&](const Iterations &at) -> const LaneValues & {
      return get(condition, at);
    };
    return lastValues(loop, outside, continues, valueIn, trial, id);
  }

  LaneValues ever(ValueId id, const Iterations &outside) {
    const LoopId loop = graph.node(id).number;
    auto continues = [&](const Iterations &at) -> const LaneValues & {
      return get(kernel.loops[loop].continues, at);
    };
    auto holds = [&](const Iterations &at) -> const LaneValues & {
      return get(graph.operand(id, 0), at);
    };
    return everHeld(loop, outside, continues, holds, id);
  }

  LaneValues join(ValueId id, const Iterations &iterations) {
    llvm::ArrayRef<ValueId> operands = graph.operands(id);
    llvm::SmallVector<JoinedWay, 4> ways;
    for (size_t i = 0; i + 1 < operands.size(); i += 2) {
      const LaneValues &condition = get(operands[i], iterations);
      if (condition.mayHoldInSome())
        ways.push_back({&condition, &get(operands[i + 1], iterations)});
    }
    if (ways.empty())
      return operands.size() > 1 ? get(operands[1], iterations)
                                 : LaneValues::varying(id);
    return joinOf(ways, graph.node(id).bits, trial, id);
  }

  LaneValues opaque(ValueId id, const Iterations &iterations) {
    auto get = [&](ValueId operand) -> const LaneValues & {
      return this->get(operand, iterations);
    };
    if (auto result = floatValues(graph, id, get))
      return *result;
    for (ValueId operand : graph.operands(id)) {
      const LaneValues &value = get(operand);
      if (value.isUniform())
        continue;
      // The cause is the operand's cause, if the operand is unknown.
      return LaneValues::varying(value.unknown ? value.why : id);
    }
    return integerOf(id, iterations);
  }

  /// The integer of unknown floats that are the same in all lanes, such as the
  /// cell of a position: another one where they come from another address.
  LaneValues integerOf(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    const uint64_t from = node.bits > 1 && !node.pointer
                              ? sourceOfFloats(
                                    graph, id,
                                    [&](ValueId operand) -> const auto & {
                                      return get(operand, iterations);
                                    })
                              : 0;
    return from ? LaneValues::splat(probeValue(mix(id) ^ from, node.bits, trial,
                                               evaluation.bitsOf(id)),
                                    true)
                : LaneValues::uniformUnknown(id);
  }

  LaneValues binary(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    const LaneValues &a = get(graph.operand(id, 0), iterations);
    const LaneValues &b = get(graph.operand(id, 1), iterations);
    if (node.bits == 1 && (node.op == Op::And || node.op == Op::Or))
      return logicOf(node.op, a, b);
    if (doubts && (node.op == Op::Equal || node.op == Op::NotEqual) &&
        !a.unknown && !b.unknown && a.isUniform() != b.isUniform() &&
        (a.isUniform() ? a : b).assumed && !(a.isUniform() ? b : a).assumed)
      return equalToOneLane(node.op, a.isUniform() ? b : a);
    unsigned bits =
        std::max(1u, unsigned(graph.node(graph.operand(id, 0)).bits));
    if (isSizeOfSizes(graph, id, a, b))
      return LaneValues::uniformUnknown(id);
    if (isBlockInGroups(node.op, a, b, bits))
      return LaneValues::splat(1, true);
    return binaryOf(node.op, a, b, bits, id);
  }

  MayHold mayHold(ValueId condition, const Iterations &iterations) {
    const LaneValues &holds = getDeep(condition, iterations);
    return {(holds.unknown | holds.holding()) & existing,
            !holds.unknown && !holds.assumed};
  }
};

Warp::Warp(Evaluation &evaluation, Shape shape, unsigned index, unsigned block,
           unsigned trial)
    : state_(std::make_unique<State>(evaluation, shape, index, block, trial)) {}
Warp::Warp(const Warp &of, const BlockPlace &block)
    : Warp(of.state_->evaluation, of.state_->shape, of.state_->index,
           of.state_->block, of.state_->trial) {
  state_->place.block = block;
  state_->chosen = of.state_->chosen;
}
Warp::Warp(const Warp &of, unsigned index)
    : Warp(of.state_->evaluation, of.state_->shape, index, of.state_->block,
           of.state_->trial) {
  std::shared_ptr<NodeValues> &shared = of.state_->ofBlock;
  if (!shared)
    shared = std::make_shared<NodeValues>(state_->kernel.graph);
  state_->ofBlock = shared;
  state_->place = of.state_->place;
  state_->doubts = of.state_->doubts;
  state_->chosen = of.state_->chosen;
}
Warp::~Warp() = default;

const LaneValues &Warp::evaluate(ValueId value, const Iterations &iterations) {
  return state_->getDeep(value, iterations);
}

uint32_t Warp::may(ValueId condition, const Iterations &iterations) {
  return state_->mayHold(condition, iterations).lanes;
}

uint32_t Warp::must(ValueId condition, const Iterations &iterations) {
  const LaneValues &holds = state_->getDeep(condition, iterations);
  return holds.holding() & ~holds.unknown & state_->existing;
}

void Warp::pin(const BlockPlace &block) {
  assert(!state_->ofBlock && "shared values are those of one place");
  state_->place = {block, true};
}

void Warp::doubt() {
  assert(!state_->ofBlock && "shared values have doubts or not");
  state_->doubts = true;
}

bool Warp::doubts() const { return state_->doubts; }

uint32_t Warp::lanes() const { return state_->existing; }

const BlockPlace &Warp::block() const { return state_->place.block; }

const Object *Warp::objectAt(uint64_t address) const {
  return state_->evaluation.ranges.at(address);
}

bool Warp::forEachIteration(
    llvm::ArrayRef<LoopId> loops, ValueId guard,
    llvm::function_ref<bool(const Iterations &)> visit) {
  auto mayHold = [&](ValueId condition, const Iterations &iterations) {
    return state_->mayHold(condition, iterations);
  };
  return visitIterations(state_->evaluation, loops, guard, mayHold, visit);
}

} // namespace warplint
