#include "cost/warp.h"
#include "cost/choices.h"
#include "cost/terms.h"
#include "model/argument_bytes.h"
#include "model/float_operation.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdlib>
#include <deque>

namespace warplint {

namespace {

constexpr uint32_t allLanes = ~uint32_t(0);

// Limits the depth of the recursion, which must fit the stack of a worker
// thread. Deeper expressions are unknown.
constexpr unsigned deepest = 20000;

uint64_t mix(uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

uint64_t cut(uint64_t value, unsigned bits) {
  return bits == 0 || bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

int64_t signedOf(uint64_t value, unsigned bits) {
  return bits == 0 || bits >= 64 ? int64_t(value)
                                 : llvm::SignExtend64(value, bits);
}

LaneValues splat(uint64_t value, bool assumed = false) {
  LaneValues result;
  result.value.fill(value);
  result.assumed = assumed;
  return result;
}

LaneValues varying(ValueId why) {
  LaneValues result;
  result.unknown = allLanes;
  result.assumed = true;
  result.why = why;
  return result;
}

LaneValues uniformUnknown(ValueId why, bool votes = false) {
  LaneValues result = varying(why);
  result.uniform = true;
  result.votes = votes;
  return result;
}

/// Stands for what is not evaluated.
const LaneValues unfollowed = varying(tooLong);

bool isShift(Op op) {
  return op == Op::ShiftLeft || op == Op::ShiftRightSigned ||
         op == Op::ShiftRightUnsigned;
}

/// Returns true if `op` on a ballot gives a ballot.
bool keepsVotes(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Resize ||
         op == Op::ShiftLeft || op == Op::ShiftRightUnsigned;
}

/// Returns a probe value for a uniform unknown. Most arguments are sizes and
/// counts, so the first trial takes a large one; the other trials show which
/// results depend on its alignment and size. It has `most` bits at most.
uint64_t probeValue(uint64_t hash, unsigned bits, unsigned trial,
                    unsigned most = usualSizeBits) {
  const unsigned less = usualSizeBits - most;
  uint64_t spread = mix(hash + 7919 * trial);
  if (trial == unitSizes)
    return 1;
  if (bits < 16)
    return trial == 0 ? 32 : trial == 3 ? 2 : 33 + spread % 8;
  switch (trial) {
  case 0:
    return (4096 >> less) * (5 + 2 * (spread % 4));
  case 1:
    return 32 * ((641 + 2 * (spread % 400)) >> less | 1);
  case 2:
    return (20001 + 2 * (spread % 4000)) >> less | 1;
  default:
    return 2 + spread % 2;
  }
}

bool divides(Op op) {
  return op == Op::DivideSigned || op == Op::DivideUnsigned ||
         op == Op::RemainderSigned || op == Op::RemainderUnsigned;
}

/// Computes a binary operation for one lane; returns nothing if it has no
/// value.
LLVM_ATTRIBUTE_ALWAYS_INLINE std::optional<uint64_t>
binary(Op op, uint64_t a, uint64_t b, unsigned bits) {
  int64_t sa = signedOf(a, bits), sb = signedOf(b, bits);
  uint64_t ua = cut(a, bits), ub = cut(b, bits);
  switch (op) {
  case Op::Add:
    return a + b;
  case Op::Subtract:
    return a - b;
  case Op::Multiply:
    return a * b;
  case Op::MultiplyHighSigned:
    return uint64_t((__int128(sa) * sb) >> bits);
  case Op::MultiplyHighUnsigned:
    return uint64_t((static_cast<unsigned __int128>(ua) * ub) >> bits);
  case Op::DivideSigned:
    if (sb == 0)
      return std::nullopt;
    return sb == -1 ? -uint64_t(sa) : uint64_t(sa / sb);
  case Op::DivideUnsigned:
    if (ub == 0)
      return std::nullopt;
    return ua / ub;
  case Op::RemainderSigned:
    if (sb == 0)
      return std::nullopt;
    return sb == -1 ? 0 : uint64_t(sa % sb);
  case Op::RemainderUnsigned:
    if (ub == 0)
      return std::nullopt;
    return ua % ub;
  case Op::ShiftLeft:
    return ub < bits ? a << ub : 0;
  case Op::ShiftRightSigned:
    return uint64_t(sa >> std::min<uint64_t>(ub, bits - 1));
  case Op::ShiftRightUnsigned:
    return ub < bits ? ua >> ub : 0;
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::MinSigned:
    return sa < sb ? a : b;
  case Op::MaxSigned:
    return sa > sb ? a : b;
  case Op::MinUnsigned:
    return ua < ub ? a : b;
  case Op::MaxUnsigned:
    return ua > ub ? a : b;
  case Op::Equal:
    return ua == ub;
  case Op::NotEqual:
    return ua != ub;
  case Op::LessSigned:
    return sa < sb;
  case Op::LessEqualSigned:
    return sa <= sb;
  case Op::LessUnsigned:
    return ua < ub;
  case Op::LessEqualUnsigned:
    return ua <= ub;
  default:
    return std::nullopt;
  }
}

using Lanes = std::array<uint64_t, warpSize>;

/// Computes an operation that has a value for all operands. One loop for all
/// operations would choose among them in each lane.
template <Op op>
bool lanesOf(const Lanes &a, const Lanes &b, unsigned bits, Lanes &into) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    into[lane] = *binary(op, a[lane], b[lane], bits);
  return true;
}

/// Computes the usual binary operations for all lanes; returns false for
/// others.
bool allLanesOf(Op op, const Lanes &a, const Lanes &b, unsigned bits,
                Lanes &into) {
  switch (op) {
  case Op::Add:
    return lanesOf<Op::Add>(a, b, bits, into);
  case Op::Subtract:
    return lanesOf<Op::Subtract>(a, b, bits, into);
  case Op::Multiply:
    return lanesOf<Op::Multiply>(a, b, bits, into);
  case Op::ShiftLeft:
    return lanesOf<Op::ShiftLeft>(a, b, bits, into);
  case Op::ShiftRightSigned:
    return lanesOf<Op::ShiftRightSigned>(a, b, bits, into);
  case Op::ShiftRightUnsigned:
    return lanesOf<Op::ShiftRightUnsigned>(a, b, bits, into);
  case Op::And:
    return lanesOf<Op::And>(a, b, bits, into);
  case Op::Or:
    return lanesOf<Op::Or>(a, b, bits, into);
  case Op::Xor:
    return lanesOf<Op::Xor>(a, b, bits, into);
  case Op::Equal:
    return lanesOf<Op::Equal>(a, b, bits, into);
  case Op::NotEqual:
    return lanesOf<Op::NotEqual>(a, b, bits, into);
  case Op::LessSigned:
    return lanesOf<Op::LessSigned>(a, b, bits, into);
  case Op::LessEqualSigned:
    return lanesOf<Op::LessEqualSigned>(a, b, bits, into);
  case Op::LessUnsigned:
    return lanesOf<Op::LessUnsigned>(a, b, bits, into);
  case Op::LessEqualUnsigned:
    return lanesOf<Op::LessEqualUnsigned>(a, b, bits, into);
  default:
    return false;
  }
}

uint64_t unary(Op op, uint64_t a, unsigned bits) {
  uint64_t ua = cut(a, bits);
  switch (op) {
  case Op::Absolute:
    return signedOf(a, bits) < 0 ? -a : a;
  case Op::CountOnes:
    return llvm::popcount(ua);
  case Op::LeadingZeros:
    return llvm::countl_zero(ua) - (64 - bits);
  case Op::ReverseBits:
    return llvm::reverseBits(ua) >> (64 - bits);
  default: // Resize
    return ua;
  }
}

} // namespace

bool LaneValues::isUniform() const {
  if (unknown)
    return uniform;
  if (value[0] != value[warpSize - 1])
    return false;
  uint64_t differing = 0; // without branches, several lanes at once
  for (uint64_t v : value)
    differing |= v ^ value[0];
  return !differing;
}

namespace {

/// Evaluated nodes.
class NodeValues {
public:
  explicit NodeValues(const ExpressionGraph &graph)
      : first_(static_cast<const LaneValues **>(
            calloc(graph.size() + 1, sizeof(const LaneValues *)))) {}

  const LaneValues *&known(ValueId id, uint64_t key) {
    return key ? later_[{id, key}] : first_[id];
  }
  LaneValues *allocate() {
    ++size_;
    return values_.Allocate<LaneValues>();
  }
  size_t size() const { return size_; } ///< how many were allocated

private:
  static_assert(std::is_trivially_destructible_v<LaneValues>);
  llvm::BumpPtrAllocator values_;
  /// Values that depend on no loop or belong to first iterations, by node. The
  /// operating system clears a page when it is first touched, and one address
  /// of a long kernel touches few pages.
  struct Free {
    void operator()(const LaneValues **pointers) const { free(pointers); }
  };
  std::unique_ptr<const LaneValues *[], Free> first_;
  llvm::DenseMap<std::pair<ValueId, uint64_t>, const LaneValues *> later_;
  size_t size_ = 0;
};

/// Returns for each node if its value depends on which warp of a block
/// evaluates it.
std::vector<bool> differingByWarp(const Kernel &kernel) {
  const ExpressionGraph &graph = kernel.graph;
  std::vector<bool> differs(graph.size());
  // Carried nodes make cycles.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (ValueId id = 0; id < graph.size(); ++id) {
      if (differs[id])
        continue;
      const Node &node = graph.node(id);
      const bool isOfLoop = node.op == Op::Final || node.op == Op::Ever;
      // The last warp may have fewer lanes, which a ballot shows.
      differs[id] =
          node.op == Op::ThreadIndex || node.op == Op::Ballot ||
          (isOfLoop && differs[kernel.loops[node.number].continues]) ||
          llvm::any_of(graph.operands(id),
                       [&](ValueId operand) { return differs[operand]; });
      isChanged |= differs[id];
    }
  }
  return differs;
}

/// What the warps of a block share.
struct BlockValues {
  explicit BlockValues(const Kernel &kernel)
      : values(kernel.graph), differs(differingByWarp(kernel)) {}
  NodeValues values;               ///< of nodes that do not differ
  const std::vector<bool> differs; ///< by node
};

} // namespace

struct Warp::State {
  Evaluation &evaluation;
  const Kernel &kernel;
  const ExpressionGraph &graph;
  Shape shape;
  unsigned index, block, trial;
  const Launched *launch = nullptr;
  BlockPlace place;
  bool isPlaceKnown = false; ///< false: this block stands for all blocks
  unsigned depth = 0;
  bool doubts = false;
  /// By node: the value of an option in this trial.
  llvm::DenseMap<ValueId, uint64_t> chosen;

  /// A warp keeps the values of this many nodes and iterations, with those that
  /// it shares, which take some 150 MiB; all others are unknown.
  static constexpr size_t mostKept = 500'000;
  NodeValues own;
  std::shared_ptr<BlockValues> ofBlock; ///< null: shares none
  std::vector<unsigned> sharedSlot;     // by ObjectId

  State(Evaluation &evaluation, Shape shape, unsigned index, unsigned block,
        unsigned trial)
      : evaluation(evaluation), kernel(evaluation.kernel), graph(kernel.graph),
        shape(shape), index(index), block(block),
        trial(trial < firstChoice ? trial : 0), own(graph) {
    if (trial >= firstChoice)
      for (const auto &[value, constants] : choicesOf(graph))
        if (trial - firstChoice < constants.size())
          chosen[value] = constants[trial - firstChoice];
    if (!evaluation.launches.empty())
      launch =
          &evaluation.launches[this->trial % evaluation.launches.size()];
    placeBlock();
    unsigned next = 1;
    for (const Object &object : kernel.objects)
      sharedSlot.push_back(object.space == Space::Shared ? next++ : 0);
  }

  /// Hashes the iterations that `id` depends on, since those of many loops do
  /// not fit into one number. First iterations add nothing.
  uint64_t key(ValueId id, const Iterations &iterations) const {
    return keyIn(evaluation.loopsOf(id), iterations);
  }
  static uint64_t keyIn(uint64_t loops, const Iterations &iterations) {
    uint64_t key = 0;
    if (loops)
      for (const auto &[loop, iteration] : iterations)
        if (iteration && (loops & ExpressionGraph::loopBit(loop)))
          key += mix(uint64_t(loop + 1) << 8 | iteration);
    return key;
  }

  NodeValues &placeOf(ValueId id) {
    return ofBlock && !ofBlock->differs[id] ? ofBlock->values : own;
  }
  const LaneValues *&known(ValueId id, uint64_t key) {
    return placeOf(id).known(id, key);
  }
  size_t kept() const {
    return own.size() + (ofBlock ? ofBlock->values.size() : 0);
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
      known(id, key) = &unfollowed;
      return unfollowed;
    }
    LaneValues *result = placeOf(id).allocate();
    ++depth;
    new (result) LaneValues(compute(id, iterations));
    --depth;
    finish(id, key, *result);
    known(id, key) = result;
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

  /// Returns true for operations on conditions that were doubted already.
  static bool joinsConditions(Op op) {
    return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Join ||
           op == Op::Select || op == Op::Ever || op == Op::Final;
  }

  /// Cuts values to the node's width. Gives a uniform unknown number a probe
  /// value, a different one in each iteration that it depends on. A ballot is
  /// not a number.
  void finish(ValueId id, uint64_t iteration, LaneValues &result) {
    const Node &node = graph.node(id);
    if (doubts && node.bits == 1 && result.assumed && !result.unknown &&
        !joinsConditions(node.op)) {
      result = result.isUniform() ? uniformUnknown(id) : varying(id);
      return;
    }
    if (auto option = chosen.find(id);
        option != chosen.end() && result.assumed && result.isUniform())
      result = splat(option->second, true);
    uint64_t hash = (id + 1) ^ iteration;
    if (result.unknown && result.uniform && node.bits > 1 && !result.votes)
      result = node.pointer ? splat(objectFor(hash, nullptr), true)
                            : splat(probeValue(hash, node.bits, trial,
                                             evaluation.bitsOf(id)),
                                  true);
    if (node.bits && node.bits < 64)
      for (uint64_t &value : result.value)
        value = cut(value, node.bits);
  }

  uint64_t baseOf(ObjectId object) const {
    if (unsigned slot = sharedSlot[object])
      return (uint64_t(slot) << sharedRangeBits) +
             middleOfRange(sharedRangeBits);
    return (uint64_t(object + 1) << objectRangeBits) +
           middleOfRange(objectRangeBits);
  }

  /// Returns the address range of the object behind an unknown pointer. There
  /// is one range for each address that a pointer is loaded from, so that two
  /// loads agree.
  uint64_t objectFor(uint64_t hash, const std::string *name) {
    std::deque<Object> &found = evaluation.found;
    auto [it, fresh] =
        evaluation.foundBy.try_emplace(mix(hash) >> 2, found.size());
    if (fresh)
      found.push_back({name ? *name : std::string(), Space::Global, 0});
    uint64_t range = kernel.objects.size() + 1 + it->second;
    return (range << objectRangeBits) + middleOfRange(objectRangeBits);
  }

  void placeBlock() {
    const uint64_t blocks = launch ? launch->blocks().value_or(0) : 0;
    isPlaceKnown = blocks && blocks <= fewBlocks; // a grid may be empty
    if (isPlaceKnown) {
      const uint64_t x = *launch->grid[0], y = *launch->grid[1];
      place = {block % x, block / x % y, block / x / y};
      return;
    }
    // Blocks 2, 4 and 6 along x, y and z, in another order in each trial:
    // different from each other, and neither the first nor the last.
    for (unsigned dimension = 0; dimension < 3; ++dimension) {
      uint64_t inside = 2 * (1 + (dimension + trial) % 3) + block;
      if (launch && launch->grid[dimension])
        inside = std::min(inside,
                          std::max<uint64_t>(*launch->grid[dimension], 2) - 2);
      place[dimension] = inside;
    }
  }

  std::optional<uint64_t> argument(ValueId id) const {
    if (!launch || graph.operands(id).empty())
      return std::nullopt;
    uint64_t position = graph.node(graph.operand(id, 0)).number;
    return position < launch->arguments.size() ? launch->arguments[position]
                                               : std::nullopt;
  }

  LaneValues thread(unsigned dimension) {
    LaneValues result;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint64_t linear = uint64_t(index) * warpSize + lane;
      result.value[lane] = dimension == 0   ? linear % shape.x
                           : dimension == 1 ? linear / shape.x % shape.y
                                            : linear / shape.x / shape.y;
    }
    return result;
  }

  LaneValues compute(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    switch (node.op) {
    case Op::Constant:
      return splat(node.number);
    case Op::ThreadIndex:
      return thread(node.number);
    case Op::BlockIndex:
      return splat(place[node.number], !isPlaceKnown);
    case Op::BlockSize:
      return splat(node.number == 0   ? shape.x
                   : node.number == 1 ? shape.y
                                      : shape.z);
    case Op::Usually:
      // Small sizes are not the common case.
      return splat(trial == smallSizes ? 2 * node.number : node.number, true);
    case Op::GridSize:
      if (launch && launch->grid[node.number])
        return splat(*launch->grid[node.number]);
      return splat(8 + 2 * trial, true);
    case Op::Lane: {
      LaneValues result;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        result.value[lane] = lane;
      return result;
    }
    case Op::Parameter:
      if (std::optional<uint64_t> argument = this->argument(id))
        return splat(*argument);
      return uniformUnknown(id);
    case Op::Uniform:
      return uniformUnknown(id);
    case Op::Varying:
      return varying(id);
    case Op::Base:
      return splat(baseOf(node.number));
    case Op::Loaded:
      return loaded(id, iterations);
    case Op::Forwarded:
      return forwarded(id, iterations);
    case Op::Carried:
      return carried(id, iterations);
    case Op::Final:
      return final(id, iterations);
    case Op::Ever:
      return ever(id, iterations);
    case Op::Join:
      return join(id, iterations);
    case Op::Select:
      return select(id, iterations);
    case Op::FromLane:
      return fromLane(id, iterations);
    case Op::Ballot:
      return ballot(id, iterations);
    case Op::Opaque:
      return opaque(id, iterations);
    case Op::SignExtend:
    case Op::Resize:
    case Op::Absolute:
    case Op::CountOnes:
    case Op::LeadingZeros:
    case Op::ReverseBits:
      return unaryNode(id, iterations);
    default:
      return binaryNode(id, iterations);
    }
  }

  LaneValues loaded(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    if (const auto byte = argumentByte(graph, id); byte && launch)
      if (const auto value = argumentBits(*launch, *byte, node.bits))
        return splat(*value);
    const LaneValues &address = get(graph.operand(id, 0), iterations);
    if (!address.isUniform())
      return varying(id);
    if (address.unknown || node.bits <= 1)
      return uniformUnknown(id);
    const Object *object = at(address.value[0]);
    if (object && object->space == Space::Local)
      return varying(id); // each lane has its own
    uint64_t hash = mix(address.value[0]) ^ node.bits;
    // Each block has its own values in shared memory.
    const uint64_t owner =
        object && object->space == Space::Shared && node.bits >= 32 ? block : 0;
    if (node.pointer)
      return splat(objectFor(hash + owner, &graph.text(id)), true);
    return splat(probeValue(hash, node.bits, trial, evaluation.bitsOf(id)) +
                     owner * (trial == smallSizes ? 2 : 65536),
                 true);
  }

  /// Each lane reads what the one store to its address wrote.
  LaneValues forwarded(ValueId id, const Iterations &iterations) {
    llvm::ArrayRef<ValueId> operands = graph.operands(id);
    const LaneValues &address = get(operands[0], iterations);
    if (address.unknown)
      return varying(id);
    const uint64_t bytes = graph.node(id).number;
    LaneValues result;
    result.assumed = address.assumed;
    uint32_t found = 0;
    for (size_t i = 1; i + 2 < operands.size(); i += 3) {
      const LaneValues &stored = get(operands[i], iterations);
      const uint64_t size = graph.node(operands[i + 2]).number;
      if (stored.unknown || !stored.isUniform())
        return varying(id);
      const uint64_t to = stored.value[0];
      uint32_t lanes = 0;
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        const uint64_t from = address.value[lane];
        if (to + size <= from || from + bytes <= to)
          continue;
        if (to != from || size != bytes)
          return varying(id);
        lanes |= 1u << lane;
      }
      // `a[axis] = ...` may write what `a[3]` reads.
      if ((lanes & found) ||
          (lanes != allLanes && stored.assumed != address.assumed))
        return varying(id);
      if (lanes == allLanes)
        result = get(operands[i + 1], iterations);
      else if (lanes)
        take(result, get(operands[i + 1], iterations), lanes);
      found |= lanes;
    }
    return found == allLanes ? result : varying(id);
  }

  /// What each iteration of its loop adds to a carried value: terms, and the
  /// sums that inner loops have added when they end. A pointer that the loops of
  /// a nest step is one in each of them, and begins in each as the outer one's:
  /// to follow it from iteration to iteration takes all of the nest's.
  struct CarriedSum {
    struct Inner {
      ValueId carried;            ///< begins as the outer value
      std::vector<ValueId> terms; ///< added behind its loop's last iteration
    };
    bool isSum = false;
    std::vector<ValueId> terms;
    std::vector<Inner> inner;
    uint64_t loops = 0; ///< what is added depends on them, as bits
  };
  std::map<ValueId, CarriedSum> sums;
  std::map<std::pair<ValueId, uint64_t>, LaneValues> added; ///< by what `key` is
  static constexpr size_t mostAdded = 50'000;

  /// The condition on which a loop goes on, less that it has been reached and
  /// has gone on before: what lanes that have not reached it add is not used.
  ValueId ownCondition(const Loop &loop) const {
    const ValueId whole = loop.continues;
    if (graph.node(whole).op == Op::And)
      for (unsigned side : {0u, 1u})
        if (const ValueId before = graph.operand(whole, side);
            graph.node(before).op == Op::Carried &&
            graph.operand(before, 1) == whole)
          return graph.operand(whole, 1 - side);
    return whole;
  }

  const CarriedSum &sumOf(ValueId id) {
    auto [place, isNew] = sums.try_emplace(id); // no sum, if it meets itself
    if (!isNew)
      return place->second;
    CarriedSum sum;
    sum.loops = ExpressionGraph::loopBit(graph.node(id).number);
    sum.isSum = addsTo(graph.operand(id, 1), id, sum);
    return place->second = std::move(sum);
  }

  /// Returns true if `value` is `target` and what it notes in `sum`.
  bool addsTo(ValueId value, ValueId target, CarriedSum &sum,
              unsigned depth = 0) {
    constexpr unsigned mostTerms = 8;
    if (value == target)
      return true;
    const Node &node = graph.node(value);
    if (depth == mostTerms || node.bits != graph.node(target).bits)
      return false;
    if (node.op == Op::Add) {
      for (unsigned side : {0u, 1u}) {
        CarriedSum tried = sum;
        if (!addsTo(graph.operand(value, side), target, tried, depth + 1))
          continue;
        const ValueId term = graph.operand(value, 1 - side);
        tried.terms.push_back(term);
        tried.loops |= evaluation.loopsOf(term);
        sum = std::move(tried);
        return true;
      }
      return false;
    }
    if (node.op != Op::Final)
      return false;
    const LoopId loop = node.number;
    auto isOfLoop = [&](ValueId id) {
      return graph.node(id).op == Op::Carried && graph.node(id).number == loop;
    };
    CarriedSum::Inner inner;
    uint64_t loops = evaluation.loopsOf(ownCondition(kernel.loops[loop]));
    ValueId last = graph.operand(value, 0);
    for (; graph.node(last).op == Op::Add; last = graph.operand(last, 0)) {
      inner.terms.push_back(graph.operand(last, 1));
      loops |= evaluation.loopsOf(inner.terms.back());
    }
    if (!isOfLoop(last) || graph.node(last).bits != node.bits ||
        !addsTo(graph.operand(last, 0), target, sum, depth + 1))
      return false;
    const CarriedSum &below = sumOf(last);
    if (!below.isSum)
      return false;
    inner.carried = last;
    loops |= below.loops;
    if (loop < 63) // the others share a bit
      loops &= ~ExpressionGraph::loopBit(loop);
    sum.loops |= loops;
    sum.inner.push_back(std::move(inner));
    return true;
  }

  static void add(LaneValues &into, const LaneValues &from, unsigned bits) {
    const bool areUniform = into.isUniform() && from.isUniform();
    if (from.unknown && !into.unknown)
      into.why = from.why;
    into.assumed |= from.assumed;
    into.unknown |= from.unknown;
    if (into.unknown && areUniform) {
      into = uniformUnknown(into.why);
      return;
    }
    into.uniform = false;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      into.value[lane] = cut(into.value[lane] + from.value[lane], bits);
  }

  /// What the iterations before the current one have added to a carried value
  /// that is a sum.
  LaneValues addedTo(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    const CarriedSum &sum = sumOf(id);
    const unsigned last = iterations[node.number];
    Iterations at = iterations;
    LaneValues all;
    for (unsigned iteration = 0; iteration < last; ++iteration) {
      at[node.number] = iteration + 1;
      const auto place = std::pair(id, keyIn(sum.loops, at));
      if (auto found = added.find(place); found != added.end()) {
        all = found->second;
        continue;
      }
      --evaluation.budget;
      if (isSpent() || added.size() >= mostAdded)
        return unfollowed;
      at[node.number] = iteration;
      for (ValueId term : sum.terms)
        add(all, get(term, at), node.bits);
      for (const CarriedSum::Inner &inner : sum.inner)
        add(all, addedBy(inner, node.bits, at), node.bits);
      added.emplace(place, all);
    }
    return all;
  }

  LaneValues addedBy(const CarriedSum::Inner &inner, unsigned bits,
                     const Iterations &outside) {
    const LoopId loop = graph.node(inner.carried).number;
    return finalOf(inner.carried, loop, ownCondition(kernel.loops[loop]),
                   outside, [&](const Iterations &end) {
                     LaneValues value = addedTo(inner.carried, end);
                     for (ValueId term : inner.terms)
                       add(value, get(term, end), bits);
                     return value;
                   });
  }

  LaneValues carried(ValueId id, const Iterations &iterations) {
    LoopId loop = graph.node(id).number;
    unsigned iteration = iterations[loop];
    Iterations before = iterations;
    before[loop] = iteration ? iteration - 1 : 0;
    if (iteration == 0)
      return get(graph.operand(id, 0), before);
    if (!sumOf(id).inner.empty() && sumOf(id).isSum) {
      before[loop] = 0;
      LaneValues result = get(graph.operand(id, 0), before);
      add(result, addedTo(id, iterations), graph.node(id).bits);
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

  LaneValues final(ValueId id, const Iterations &outside) {
    const ValueId value = graph.operand(id, 0);
    const LoopId loop = graph.node(id).number;
    return finalOf(id, loop, kernel.loops[loop].continues, outside,
                   [&](const Iterations &end) { return get(value, end); });
  }

  /// What `valueIn` gives in the last iteration of a loop, that in which
  /// `condition` no longer holds. `id`: the node that asks.
  LaneValues
  finalOf(ValueId id, LoopId loop, ValueId condition, const Iterations &outside,
          llvm::function_ref<LaneValues(const Iterations &)> valueIn) {
    Iterations iterations = outside;
    uint8_t &iteration = iterations[loop];
    LaneValues result;
    uint32_t left = allLanes;
    for (iteration = 0; left && iteration < iterationsFollowed; ++iteration) {
      const LaneValues &continues = get(condition, iterations);
      result.assumed |= continues.assumed;
      if (uint32_t lost = left & continues.unknown) {
        if (left == allLanes && continues.uniform &&
            valueIn(iterations).isUniform())
          return uniformUnknown(id);
        result.unknown |= lost;
        result.why = continues.why;
        left &= ~lost;
      }
      uint32_t leaving = 0;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        if ((left >> lane & 1) && !(continues.value[lane] & 1))
          leaving |= 1u << lane;
      if (leaving)
        take(result, valueIn(iterations), leaving);
      left &= ~leaving;
    }
    if (left) {
      // The last iteration is a probe value: a multiple of 8, so that it adds
      // no misalignment, and a different one in each trial.
      iteration = iterationsFollowed - 8 - 7 * trial;
      take(result, valueIn(iterations), left);
      result.assumed = true;
    }
    return result;
  }

  static void take(LaneValues &into, const LaneValues &from, uint32_t lanes) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (lanes >> lane & 1)
        into.value[lane] = from.value[lane];
    into.assumed |= from.assumed;
    if (from.unknown & lanes) {
      into.unknown |= from.unknown & lanes;
      into.why = from.why;
    }
  }

  LaneValues ever(ValueId id, const Iterations &outside) {
    const Loop &loop = kernel.loops[graph.node(id).number];
    Iterations iterations = outside;
    uint8_t &iteration = iterations[graph.node(id).number];
    LaneValues result;
    result.why = id;
    uint32_t yes = 0, maybe = 0, left = allLanes;
    for (iteration = 0; left && iteration < iterationsFollowed; ++iteration) {
      const LaneValues &holds = get(graph.operand(id, 0), iterations);
      const LaneValues &continues = get(loop.continues, iterations);
      result.assumed |= holds.assumed | continues.assumed;
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        uint32_t bit = 1u << lane;
        if (!(left & bit))
          continue;
        if (holds.unknown & bit)
          maybe |= bit;
        else if (holds.value[lane] & 1)
          yes |= bit;
        if (continues.unknown & bit)
          maybe |= bit; // further iterations may follow
        else if (!(continues.value[lane] & 1))
          left &= ~bit;
      }
      left &= ~yes;
      if (maybe)
        left &= ~maybe;
    }
    for (unsigned lane = 0; lane < warpSize; ++lane)
      result.value[lane] = yes >> lane & 1;
    result.unknown = (maybe | left) & ~yes;
    return result;
  }

  LaneValues join(ValueId id, const Iterations &iterations) {
    llvm::ArrayRef<ValueId> operands = graph.operands(id);
    // A lane may have the values whose condition may hold.
    struct Way {
      const LaneValues *condition;
      const LaneValues *value;
    };
    llvm::SmallVector<Way, 4> ways;
    LaneValues result;
    bool uniformChoice = true;
    for (size_t i = 0; i + 1 < operands.size(); i += 2) {
      const LaneValues &condition = get(operands[i], iterations);
      bool possible = false;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        possible |=
            (condition.unknown >> lane & 1) || (condition.value[lane] & 1);
      if (!possible)
        continue;
      result.assumed |= condition.assumed;
      uniformChoice &= condition.isUniform();
      ways.push_back({&condition, &get(operands[i + 1], iterations)});
    }
    if (ways.empty())
      return operands.size() > 1 ? get(operands[1], iterations) : varying(id);
    if (ways.size() == 1) {
      LaneValues only = *ways[0].value;
      only.assumed |= result.assumed;
      return only;
    }
    bool uniformValues = true;
    for (const Way &way : ways) {
      result.assumed |= way.value->assumed;
      uniformValues &= way.value->isUniform();
    }
    if (uniformChoice && uniformValues && graph.node(id).bits <= 1) {
      bool allKnown = llvm::all_of(ways, [](const Way &way) {
        return !way.value->unknown && !way.condition->unknown;
      });
      if (!allKnown)
        return agree(ways) ? *ways[0].value : uniformUnknown(id);
    }
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      const Way *pick = nullptr;
      bool clash = false;
      for (const Way &way : ways) {
        bool may = (way.condition->unknown >> lane & 1) ||
                   (way.condition->value[lane] & 1);
        if (!may)
          continue;
        clash |= way.value->unknown >> lane & 1;
        if (pick && way.value->value[lane] != pick->value->value[lane])
          clash = true;
        if (way.value->unknown >> lane & 1)
          result.why = way.value->why;
        pick = &way;
      }
      if (pick)
        result.value[lane] = pick->value->value[lane];
      if (clash) {
        result.unknown |= 1u << lane;
        if (!result.why)
          result.why = id;
      }
    }
    // All lanes have the same one of several values. Each trial takes another
    // one, so costs that depend on the choice become a range.
    if (result.unknown && uniformChoice && !anyUnknown(ways)) {
      LaneValues chosen = *ways[trial % ways.size()].value;
      chosen.assumed = true;
      return chosen;
    }
    return result;
  }

  template <class Ways> static bool anyUnknown(const Ways &ways) {
    return llvm::any_of(ways,
                        [](const auto &way) { return way.value->unknown; });
  }
  template <class Ways> static bool agree(const Ways &ways) {
    return llvm::all_of(ways, [&](const auto &way) {
      return !way.value->unknown && way.value->value == ways[0].value->value;
    });
  }

  LaneValues select(ValueId id, const Iterations &iterations) {
    const LaneValues &condition = get(graph.operand(id, 0), iterations);
    const LaneValues &yes = get(graph.operand(id, 1), iterations);
    const LaneValues &no = get(graph.operand(id, 2), iterations);
    LaneValues result;
    if (!condition.unknown && condition.isUniform()) {
      result = condition.value[0] & 1 ? yes : no;
      result.assumed |= condition.assumed;
      return result;
    }
    result.assumed = condition.assumed | yes.assumed | no.assumed;
    if (condition.unknown && condition.uniform && !yes.unknown && !no.unknown) {
      result = trial % 2 ? no : yes;
      result.assumed = true;
      return result;
    }
    if (condition.isUniform() && yes.isUniform() && no.isUniform() &&
        (condition.unknown || yes.unknown || no.unknown))
      return uniformUnknown(id);
    uint32_t chosen = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint32_t bit = 1u << lane;
      if (!(condition.unknown & bit)) {
        if (condition.value[lane] & 1)
          chosen |= bit;
        continue;
      }
      bool same = !((yes.unknown | no.unknown) & bit) &&
                  yes.value[lane] == no.value[lane];
      result.value[lane] = yes.value[lane];
      if (!same) {
        result.unknown |= bit;
        result.why = condition.why;
      }
    }
    take(result, yes, chosen);
    take(result, no, ~chosen & ~condition.unknown);
    return result;
  }

  LaneValues fromLane(ValueId id, const Iterations &iterations) {
    const LaneValues &value = get(graph.operand(id, 0), iterations);
    const LaneValues &lane = get(graph.operand(id, 1), iterations);
    if (value.unknown || lane.unknown)
      return lane.isUniform() ? uniformUnknown(id) : varying(id);
    LaneValues result;
    result.assumed = value.assumed | lane.assumed;
    for (unsigned i = 0; i < warpSize; ++i)
      result.value[i] = value.value[lane.value[i] % warpSize];
    return result;
  }

  LaneValues ballot(ValueId id, const Iterations &iterations) {
    const LaneValues &holds = get(graph.operand(id, 0), iterations);
    if (holds.unknown & exists())
      return uniformUnknown(holds.why, /*votes=*/true);
    uint64_t bits = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      bits |= (holds.value[lane] & 1) << lane;
    return splat(bits & exists(), holds.assumed);
  }

  /// The values of a floating-point operation; none if an operand has none. A
  /// quotient by a probe value is as good as any, so it has none either.
  std::optional<LaneValues> floats(ValueId id, const Iterations &iterations) {
    const auto operation = floatOperation(graph.text(id));
    if (!operation)
      return std::nullopt;
    llvm::SmallVector<const LaneValues *, 3> operands;
    LaneValues result;
    unsigned integerBits = graph.node(id).bits;
    for (ValueId operand : graph.operands(id)) {
      operands.push_back(&get(operand, iterations));
      if (operands.back()->unknown)
        return std::nullopt;
      result.assumed |= operands.back()->assumed;
      if (const unsigned bits = graph.node(operand).bits)
        integerBits = bits;
    }
    if (operands.empty() ||
        (operation->kind == FloatOperation::Kind::Divide &&
         operands.back()->assumed))
      return std::nullopt;
    llvm::SmallVector<uint64_t, 3> values(operands.size());
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      for (size_t i = 0; i < operands.size(); ++i)
        values[i] = operands[i]->value[lane];
      const auto value = operation->of(values, integerBits);
      if (!value)
        return std::nullopt;
      result.value[lane] = *value;
    }
    return result;
  }

  LaneValues opaque(ValueId id, const Iterations &iterations) {
    if (auto result = floats(id, iterations))
      return *result;
    for (ValueId operand : graph.operands(id)) {
      const LaneValues &value = get(operand, iterations);
      if (value.isUniform())
        continue;
      // The cause is the operand's cause, if the operand is unknown.
      return varying(value.unknown ? value.why : id);
    }
    return uniformUnknown(id);
  }

  LaneValues unaryNode(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    ValueId operand = graph.operand(id, 0);
    LaneValues result = get(operand, iterations);
    if (result.unknown && result.uniform)
      return uniformUnknown(result.why, result.votes && keepsVotes(node.op));
    unsigned from = graph.node(operand).bits;
    if (from == 0) // the operand is no integer
      return result.isUniform() ? uniformUnknown(id) : varying(id);
    for (uint64_t &value : result.value)
      value = node.op == Op::SignExtend ? uint64_t(signedOf(value, from))
                                        : unary(node.op, value, from);
    return result;
  }

  LaneValues binaryNode(ValueId id, const Iterations &iterations) {
    const Node &node = graph.node(id);
    const LaneValues &a = get(graph.operand(id, 0), iterations);
    const LaneValues &b = get(graph.operand(id, 1), iterations);
    if (node.bits == 1 && (node.op == Op::And || node.op == Op::Or))
      return logical(node.op, a, b);
    if (doubts && (node.op == Op::Equal || node.op == Op::NotEqual) &&
        !a.unknown && !b.unknown && a.isUniform() != b.isUniform() &&
        (a.isUniform() ? a : b).assumed && !(a.isUniform() ? b : a).assumed)
      return ofOneLane(node.op, a.isUniform() ? b : a);
    unsigned bits =
        std::max(1u, unsigned(graph.node(graph.operand(id, 0)).bits));
    if ((isQuotientOfSizes(node.op, a, b, bits) &&
         !isOfBlock(graph.operand(id, 0))) ||
        isDifferenceOfSizes(id, a, b))
      return uniformUnknown(id);
    if (isBlockInGroups(node.op, a, b, bits))
      return splat(1, true);
    LaneValues result;
    result.assumed = a.assumed | b.assumed;
    result.unknown = a.unknown | b.unknown;
    result.why = a.unknown ? a.why : b.why;
    if (result.unknown && a.isUniform() && b.isUniform())
      return uniformUnknown(result.why,
                            (a.votes || b.votes) && keepsVotes(node.op));
    const bool isUsual = !result.unknown && !(b.assumed && isShift(node.op));
    if (isUsual && a.isUniform() && b.isUniform() && !divides(node.op)) {
      if (const auto value = binary(node.op, a.value[0], b.value[0], bits)) {
        result.value.fill(*value);
        return result;
      }
    } else if (isUsual &&
               allLanesOf(node.op, a.value, b.value, bits, result.value)) {
      return result;
    }
    // The product of probe sizes has wrapped to zero, as in `i / (h * w * c)`:
    // it stands for a large value.
    bool wrapped = divides(node.op) && b.assumed && !b.unknown &&
                   b.isUniform() && bits >= 32 && cut(b.value[0], bits) == 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (result.unknown >> lane & 1)
        continue;
      uint64_t right = wrapped ? uint64_t(1) << (bits - 2) : b.value[lane];
      if (b.assumed && isShift(node.op) && cut(right, bits) >= bits)
        right %= bits; // keeps a probe value in the range of shift counts
      if (auto value = binary(node.op, a.value[lane], right, bits))
        result.value[lane] = *value;
      else
        result.unknown |= 1u << lane;
    }
    if (a.unknown || b.unknown || !result.unknown)
      return result;
    // The probe values are not consistent if they divide by zero.
    if (a.isUniform() && b.isUniform())
      return uniformUnknown(id);
    result.why = id;
    return result;
  }

  /// Gives the quotient of two probe sizes, as in `channels / heads`, a probe
  /// value of its own: it stands for a size too, and would be close to 0.
  static bool isQuotientOfSizes(Op op, const LaneValues &a, const LaneValues &b,
                                unsigned bits) {
    constexpr uint64_t large = 1024, few = 32;
    if ((op != Op::DivideSigned && op != Op::DivideUnsigned) || !a.assumed ||
        !b.assumed || a.unknown || b.unknown || !a.isUniform() ||
        !b.isUniform())
      return false;
    uint64_t size = cut(a.value[0], bits), by = cut(b.value[0], bits);
    return size >= large && by >= large && size / by < few;
  }

  /// Returns true for an index, which is no size: `first / length` is the row
  /// of a warp, and the same as `last / length` mostly.
  bool isOfBlock(ValueId value) const {
    using Walk = ExpressionGraph::Walk;
    return !graph.walk(value, [&](ValueId id) {
      return graph.node(id).op == Op::BlockIndex ? Walk::Stop : Walk::Into;
    });
  }

  /// Returns true for a block that is divided into groups of a probe size:
  /// `blockDim.x / width` is one group then, not none.
  static bool isBlockInGroups(Op op, const LaneValues &a, const LaneValues &b,
                              unsigned bits) {
    constexpr uint64_t largestBlock = 1024; // threads
    if ((op != Op::DivideSigned && op != Op::DivideUnsigned) || a.assumed ||
        !b.assumed || a.unknown || b.unknown || !a.isUniform() ||
        !b.isUniform())
      return false;
    const uint64_t block = cut(a.value[0], bits), group = cut(b.value[0], bits);
    return block >= warpSize && block <= largestBlock && block < group;
  }

  /// Returns true for a difference of two sizes, as in `end[i] - begin[i]`:
  /// that of two probe values is negative as often as not, so it has one of its
  /// own.
  bool isDifferenceOfSizes(ValueId id, const LaneValues &a,
                           const LaneValues &b) const {
    auto isSize = [&](ValueId operand, const LaneValues &value) {
      const Op op = graph.node(withoutResizing(graph, operand)).op;
      return (op == Op::Loaded || op == Op::Parameter) && value.assumed &&
             !value.unknown && value.isUniform();
    };
    const Node &node = graph.node(id);
    return node.op == Op::Subtract && node.bits >= 32 &&
           a.value[0] != b.value[0] && isSize(graph.operand(id, 0), a) &&
           isSize(graph.operand(id, 1), b);
  }

  /// Handles `threadIdx.x == chosen` with an unknown `chosen`. Lanes with
  /// different values cannot all be equal to it; assumes that lane 0 is.
  static LaneValues ofOneLane(Op op, const LaneValues &lanes) {
    LaneValues result;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      result.value[lane] =
          (lanes.value[lane] == lanes.value[0]) == (op == Op::Equal);
    return result;
  }

  /// Applies Kleene's logic: false and unknown is false, true or unknown is
  /// true.
  static LaneValues logical(Op op, const LaneValues &a, const LaneValues &b) {
    LaneValues result;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint32_t bit = 1u << lane;
      bool x = a.value[lane] & 1, y = b.value[lane] & 1, end = op == Op::Or;
      bool aKnown = !(a.unknown & bit), bKnown = !(b.unknown & bit);
      if ((aKnown && x == end) || (bKnown && y == end)) {
        result.value[lane] = end;
      } else {
        result.value[lane] = !end;
        if (!aKnown || !bKnown)
          result.unknown |= bit;
      }
    }
    result.assumed = a.assumed | b.assumed;
    result.why = a.unknown ? a.why : b.why;
    result.uniform =
        result.unknown == allLanes && a.isUniform() && b.isUniform();
    return result;
  }

  const Object *at(uint64_t address) const {
    if (address < uint64_t(1) << 32) {
      unsigned slot = address >> sharedRangeBits;
      for (ObjectId id = 0; slot && id < kernel.objects.size(); ++id)
        if (sharedSlot[id] == slot)
          return &kernel.objects[id];
      return nullptr;
    }
    uint64_t range = address >> objectRangeBits;
    if (range == 0)
      return nullptr;
    if (range <= kernel.objects.size())
      return &kernel.objects[range - 1];
    range -= kernel.objects.size() + 1;
    return range < evaluation.found.size() ? &evaluation.found[range] : nullptr;
  }

  uint32_t exists() const {
    uint64_t threads = shape.threads(), first = uint64_t(index) * warpSize;
    if (first >= threads)
      return 0;
    uint64_t count = std::min<uint64_t>(threads - first, warpSize);
    return count == warpSize ? allLanes : (1u << count) - 1;
  }

  struct May {
    uint32_t lanes = 0;
    bool sure = true;
  };

  May mayHold(ValueId condition, const Iterations &iterations) {
    const LaneValues &holds = getDeep(condition, iterations);
    uint32_t lanes = holds.unknown;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (holds.value[lane] & 1)
        lanes |= 1u << lane;
    return {lanes & exists(), !holds.unknown && !holds.assumed};
  }

  /// The iteration of a loop of unknown length before which each one has more
  /// lanes that pass the guard than the one before, and after which they stay
  /// the same; 0 if there is none.
  unsigned lastOfFewerLanes(LoopId id, ValueId guard, Iterations &iterations) {
    if (kernel.loops[id].tripCount ||
        !(evaluation.loopsOf(guard) & ExpressionGraph::loopBit(id)) ||
        mayHold(kernel.loops[id].continues, iterations).sure)
      return 0;
    unsigned last = 0;
    uint32_t before = mayHold(guard, iterations).lanes;
    for (unsigned iteration = 1; iteration < iterationsFollowed; ++iteration) {
      iterations[id] = iteration;
      const uint32_t lanes = mayHold(guard, iterations).lanes;
      if (lanes == before)
        last = iteration - 1;
      if (lanes == before || (lanes & before) != before)
        break;
      before = lanes;
    }
    iterations[id] = 0;
    return last;
  }

  struct Visits {
    ValueId guard;
    llvm::function_ref<bool(const Iterations &)> visit;
    /// Limits the iterations of a nest: they give averages.
    unsigned left = 256;
    bool leavesOut = false; ///< iterations in which fewer lanes pass the guard
  };

  bool visitIterations(llvm::ArrayRef<LoopId> loops, Iterations &iterations,
                       Visits &visits) {
    if (loops.empty()) {
      if (visits.left == 0)
        return false;
      --visits.left;
      return visits.visit(iterations);
    }
    LoopId id = loops.front();
    const Loop &loop = kernel.loops[id];
    const unsigned start = lastOfFewerLanes(id, visits.guard, iterations);
    visits.leavesOut |= start > 0;
    for (unsigned iteration = start; iteration < iterationsFollowed;
         ++iteration) {
      iterations[id] = iteration ? iteration - 1 : 0;
      May may = mayHold(iteration ? loop.continues : loop.enters, iterations);
      if (!may.lanes)
        break;
      iterations[id] = iteration;
      if (!visitIterations(loops.drop_front(), iterations, visits))
        return false;
      // A known trip count determines the iterations, whatever guards the loops
      // around.
      if (iteration > start && !may.sure && !loop.tripCount)
        break;
    }
    iterations[id] = 0;
    return true;
  }
};

Warp::Warp(Evaluation &evaluation, Shape shape, unsigned index, unsigned block,
           unsigned trial)
    : state_(std::make_unique<State>(evaluation, shape, index, block, trial)) {}
Warp::Warp(const Warp &of, const BlockPlace &block)
    : Warp(of.state_->evaluation, of.state_->shape, of.state_->index,
           of.state_->block, of.state_->trial) {
  state_->place = block;
  state_->chosen = of.state_->chosen;
}
Warp::Warp(const Warp &of, unsigned index)
    : Warp(of.state_->evaluation, of.state_->shape, index, of.state_->block,
           of.state_->trial) {
  std::shared_ptr<BlockValues> &shared = of.state_->ofBlock;
  if (!shared)
    shared = std::make_shared<BlockValues>(state_->kernel);
  state_->ofBlock = shared;
  state_->place = of.state_->place;
  state_->isPlaceKnown = of.state_->isPlaceKnown;
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
  uint32_t lanes = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    lanes |= uint32_t(holds.value[lane] & 1) << lane;
  return lanes & ~holds.unknown & state_->exists();
}

void Warp::pin(const BlockPlace &block) {
  assert(!state_->ofBlock && "shared values are those of one place");
  state_->place = block;
  state_->isPlaceKnown = true;
}

void Warp::doubt() {
  assert(!state_->ofBlock && "shared values have doubts or not");
  state_->doubts = true;
}

bool Warp::doubts() const { return state_->doubts; }

uint32_t Warp::lanes() const { return state_->exists(); }

const BlockPlace &Warp::block() const { return state_->place; }

const Object *Warp::objectAt(uint64_t address) const {
  return state_->at(address);
}

bool Warp::forEachIteration(
    llvm::ArrayRef<LoopId> loops, ValueId guard,
    llvm::function_ref<bool(const Iterations &)> visit) {
  Iterations iterations;
  State::Visits visits{guard, visit};
  state_->visitIterations(loops, iterations, visits);
  return visits.leavesOut;
}

} // namespace warplint
