#include "cost/contention.h"
#include "cost/lanes.h"
#include "cost/same_address.h"
#include "cost/terms.h"
#include "cost/update_time.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace warplint {

namespace {

/// An upper bound of the number of values of an expression, and their lowest
/// and highest as signed numbers of its width.
struct Range {
  static constexpr double many = std::numeric_limits<double>::infinity();
  double count = many;
  bool bounded = false;
  int64_t low = 0, high = 0;

  static Range one() { return {1, false, 0, 0}; }
  static Range between(int64_t low, int64_t high, double count = many) {
    return {std::min(count, double(high) - double(low) + 1), true, low, high};
  }
};

class RangeReader {
public:
  RangeReader(const Kernel &kernel, Shape shape)
      : graph_(kernel.graph), shape_(shape) {}

  Range of(ValueId id) {
    if (auto it = known_.find(id); it != known_.end())
      return it->second;
    known_[id] = Range(); // stays so if the value depends on itself
    if (depth_ > deepest)
      return Range();
    ++depth_;
    Range range = compute(id);
    --depth_;
    return known_[id] = narrowed(range, graph_.node(id).bits);
  }

private:
  static constexpr unsigned deepest = 500;

  /// Bounds the number of values by their width.
  static Range narrowed(Range range, unsigned bits) {
    constexpr unsigned fewBits = 16;
    if (bits == 0 || bits > fewBits)
      return range;
    int64_t low = bits == 1 ? 0 : llvm::minIntN(bits);
    int64_t high = bits == 1 ? 1 : llvm::maxIntN(bits);
    if (!range.bounded || range.low < low || range.high > high)
      return Range::between(low, high, range.count);
    return range;
  }

  Range compute(ValueId id) {
    const Node &node = graph_.node(id);
    switch (node.op) {
    case Op::Constant: {
      bool whole = node.bits == 0 || node.bits >= 64;
      int64_t value = whole ? int64_t(node.number)
                      : node.bits == 1
                          ? int64_t(node.number & 1)
                          : llvm::SignExtend64(node.number, node.bits);
      return Range::between(value, value);
    }
    case Op::ThreadIndex:
      return Range::between(0, int64_t(node.number == 0   ? shape_.x
                                       : node.number == 1 ? shape_.y
                                                          : shape_.z) -
                                   1);
    case Op::Lane:
      return Range::between(0, warpSize - 1);
    case Op::Base:
    case Op::Parameter:
    case Op::Usually:
    case Op::BlockSize:
    case Op::GridSize:
      return Range::one();
    case Op::Loaded: // counts one value per address
      return of(graph_.operand(id, 0)).count == 1 ? Range::one() : Range();
    case Op::FromLane:
      return of(graph_.operand(id, 0));
    case Op::SignExtend:
      return of(graph_.operand(id, 0));
    case Op::Resize:
      return resized(id);
    case Op::Select:
      return both(of(graph_.operand(id, 1)), of(graph_.operand(id, 2)));
    case Op::Join:
      return joined(graph_.operands(id));
    case Op::CountOnes:
    case Op::LeadingZeros:
      return Range::between(0, node.bits);
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
    case Op::ShiftLeft:
    case Op::Or:
    case Op::Xor:
    case Op::And:
    case Op::DivideSigned:
    case Op::DivideUnsigned:
    case Op::RemainderSigned:
    case Op::RemainderUnsigned:
    case Op::ShiftRightSigned:
    case Op::ShiftRightUnsigned:
    case Op::MinSigned:
    case Op::MinUnsigned:
    case Op::MaxSigned:
    case Op::MaxUnsigned:
      return binary(node.op, of(graph_.operand(id, 0)),
                    of(graph_.operand(id, 1)), node.bits);
    default:
      return Range();
    }
  }

  Range resized(ValueId id) {
    Range range = of(graph_.operand(id, 0));
    unsigned from = graph_.node(graph_.operand(id, 0)).bits;
    unsigned to = graph_.node(id).bits;
    if (from == 0 || (range.bounded && range.low >= 0 && to >= from))
      return from == 0 ? Range() : range;
    if (to < from) // keeps the low bits
      return {std::min(range.count, std::exp2(double(to))), false, 0, 0};
    if (from < 32) // extends with zeros
      return Range::between(0, int64_t(llvm::maxUIntN(from)), range.count);
    return {range.count, false, 0, 0};
  }

  static Range both(const Range &a, const Range &b) {
    Range range{a.count + b.count, a.bounded && b.bounded,
                std::min(a.low, b.low), std::max(a.high, b.high)};
    return range.bounded ? Range::between(range.low, range.high, range.count)
                         : range;
  }

  Range joined(llvm::ArrayRef<ValueId> operands) {
    std::optional<Range> range;
    for (size_t i = 1; i < operands.size(); i += 2)
      range = range ? both(*range, of(operands[i])) : of(operands[i]);
    return range.value_or(Range());
  }

  /// Takes the lowest and the highest of the function's values at the corners
  /// of both ranges, if they fit the width.
  template <class Function>
  static Range corners(const Range &a, const Range &b, double count,
                       Function function) {
    if (!a.bounded || !b.bounded)
      return {count, false, 0, 0};
    __int128 low = std::numeric_limits<__int128>::max(), high = -low;
    for (int64_t x : {a.low, a.high})
      for (int64_t y : {b.low, b.high}) {
        __int128 value = function(__int128(x), __int128(y));
        low = std::min(low, value);
        high = std::max(high, value);
      }
    constexpr __int128 most = __int128(1) << 62;
    if (low < -most || high > most)
      return {count, false, 0, 0};
    return Range::between(int64_t(low), int64_t(high), count);
  }

  /// Bounds an unbounded range by its width.
  static Range filled(const Range &range, unsigned bits) {
    if (range.bounded || bits == 0 || bits > 32)
      return range;
    return Range::between(llvm::minIntN(bits), llvm::maxIntN(bits),
                          range.count);
  }

  static Range binary(Op op, const Range &a, const Range &b, unsigned bits) {
    double product = a.count * b.count;
    bool constant = b.bounded && b.low == b.high;
    int64_t c = b.low;
    switch (op) {
    case Op::Add:
      return corners(a, b, product, [](auto x, auto y) { return x + y; });
    case Op::Subtract:
      return corners(a, b, product, [](auto x, auto y) { return x - y; });
    case Op::Multiply:
      return corners(a, b, product, [](auto x, auto y) { return x * y; });
    case Op::ShiftLeft:
      if (!constant || c < 0 || c > 32)
        return {product, false, 0, 0};
      return corners(a, b, a.count, [](auto x, auto y) { return x << int(y); });
    case Op::And:
      for (const Range &mask : {a, b})
        if (mask.bounded && mask.low == mask.high && mask.low >= 0) {
          double kept = std::exp2(double(llvm::popcount(uint64_t(mask.low))));
          return Range::between(0, mask.low, std::min(product, kept));
        }
      return {product, false, 0, 0};
    case Op::DivideSigned:
    case Op::DivideUnsigned:
      if (!constant || c <= 0)
        return {product, false, 0, 0};
      if (op == Op::DivideUnsigned && (!a.bounded || a.low < 0))
        return {product, false, 0, 0};
      return corners(a, b, product, [](auto x, auto y) { return x / y; });
    case Op::ShiftRightSigned:
    case Op::ShiftRightUnsigned:
      if (!constant || c < 0 || c >= bits)
        return {product, false, 0, 0};
      if (a.bounded && (a.low >= 0 || op == Op::ShiftRightSigned))
        return Range::between(a.low >> c, a.high >> c, product);
      if (bits - c < 32) // `bits - c` bits remain
        return Range::between(0, (int64_t(1) << (bits - c)) - 1, product);
      return {product, false, 0, 0};
    case Op::RemainderSigned:
    case Op::RemainderUnsigned:
      if (!constant || c <= 0)
        return {product, false, 0, 0};
      return Range::between(0, c - 1, product);
    case Op::MinSigned:
    case Op::MaxSigned: {
      // A program caps an index at the end that its data reach: the other end
      // is that of the array.
      for (const Range &cap : {a, b})
        if (op == Op::MinSigned && cap.bounded && cap.low >= 0 &&
            !(a.bounded && b.bounded))
          return Range::between(0, cap.high, a.count + b.count);
      Range x = filled(a, bits), y = filled(b, bits);
      if (!x.bounded || !y.bounded)
        return {a.count + b.count, false, 0, 0};
      bool least = op == Op::MinSigned;
      return least
                 ? Range::between(std::min(x.low, y.low),
                                  std::min(x.high, y.high), a.count + b.count)
                 : Range::between(std::max(x.low, y.low),
                                  std::max(x.high, y.high), a.count + b.count);
    }
    case Op::MinUnsigned: // is at most the smaller operand
      for (const Range &most : {a, b})
        if (most.bounded && most.low >= 0)
          return Range::between(0, most.high, a.count + b.count);
      return {a.count + b.count, false, 0, 0};
    case Op::MaxUnsigned:
      return {a.count + b.count, false, 0, 0};
    default: // or, xor
      return {product, false, 0, 0};
    }
  }

  const ExpressionGraph &graph_;
  Shape shape_;
  llvm::DenseMap<ValueId, Range> known_;
  unsigned depth_ = 0;
};

/// Evaluates an access in the warps of one block in one trial.
class BlockReader {
public:
  BlockReader(Evaluation &evaluation, Shape shape, const Access &access,
              unsigned block, unsigned trial)
      : evaluation_(evaluation), access_(access) {
    unsigned warps = std::min<uint64_t>(32, shape.warps());
    const Warp any(evaluation, shape, 0, block, trial);
    std::optional<Warp> anyDoubting;
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(any, index);
      exist_ += llvm::popcount(warp.lanes());
      // Two probe values that end a loop before it begins, as those of
      // `for (j = begin[i]; j < end[i]; ++j)` may, decide nothing.
      if (readWarp(warp))
        continue;
      isDoubted = true;
      if (!anyDoubting)
        anyDoubting.emplace(evaluation, shape, 0, block, trial).doubt();
      Warp doubting(*anyDoubting, index);
      readWarp(doubting);
    }
  }

  std::set<uint64_t> first; ///< addresses that first iterations use
  bool known = true, guardedByData = false;
  bool isDoubted = false; ///< probe values keep a warp from the access

  void into(Contention &result) const {
    result.share = exist_ ? double(taking_) / exist_ : 0;
    result.guardedByData |= guardedByData;
    result.lanes = requests_ ? double(lanes_) / requests_ : 0;
    result.addresses = requests_ ? double(addresses_) / requests_ : 0;
    result.perAddress = first.empty() ? 0 : double(taking_) / first.size();
  }

private:
  /// Returns false if the warp does not reach the access.
  bool readWarp(Warp &warp) {
    bool isFirst = true;
    warp.forEachIteration(
        access_.loops, access_.guard, [&](const Iterations &iterations) {
          uint32_t active = warp.may(access_.guard, iterations);
          if (!active)
            return true;
          if (isFirst)
            guardedByData |=
                isOfData(warp, access_.guard, iterations, active) ||
                llvm::any_of(access_.loops, [&](LoopId loop) {
                  ValueId enters = evaluation_.kernel.loops[loop].enters;
                  return isOfData(warp, enters, iterations, active);
                });
          const LaneValues &address =
              warp.evaluate(access_.address, iterations);
          known &= !(address.unknown & active);
          std::set<uint64_t> here;
          for (unsigned lane = 0; lane < warpSize; ++lane)
            if (active >> lane & 1)
              here.insert(address.value[lane]);
          if (isFirst) {
            taking_ += llvm::popcount(active);
            first.insert(here.begin(), here.end());
          }
          isFirst = false;
          if (here.size() == 1 && llvm::popcount(active) > 1)
            known &= !isOneByProbes(warp, iterations);
          lanes_ += llvm::popcount(active);
          addresses_ += here.size();
          ++requests_;
          return known;
        });
    return !isFirst;
  }

  bool isOfData(Warp &warp, ValueId condition, const Iterations &iterations,
                uint32_t active) {
    const LaneValues &taken = warp.evaluate(condition, iterations);
    return ((taken.unknown & active) && !taken.uniform) ||
           anyInside(condition, iterations, [&](ValueId id) {
             return comparesProbes(warp, id, iterations) || isOwnWord(id);
           });
  }

  /// Returns true if the lanes have one address only since a probe value bounds
  /// or chooses what differs between them: `min(thread * chunk, length)`.
  bool isOneByProbes(Warp &warp, const Iterations &iterations) {
    using Walk = ExpressionGraph::Walk;
    const ExpressionGraph &graph = evaluation_.kernel.graph;
    if (!warp.evaluate(access_.address, iterations).assumed)
      return false;
    return !graph.walk(access_.address, [&](ValueId id) {
      const Op op = graph.node(id).op;
      const bool chooses = op == Op::Select || op == Op::Join;
      if (!chooses && op != Op::MinSigned && op != Op::MinUnsigned &&
          op != Op::MaxSigned && op != Op::MaxUnsigned)
        return Walk::Into;
      const LaneValues &value = warp.evaluate(id, iterations);
      const bool isOne = value.assumed && !value.unknown && value.isUniform();
      const llvm::SmallVector<ValueId> alternatives = alternativesOf(graph, id);
      return isOne && llvm::any_of(chooses ? llvm::ArrayRef(alternatives)
                                           : graph.operands(id),
                                   [&](ValueId operand) {
                                     return !warp.evaluate(operand, iterations)
                                                 .isUniform();
                                   })
                 ? Walk::Stop
                 : Walk::Into;
    });
  }

  /// Returns true if `isSuch` is true of a value that a condition is made of.
  /// How a loop goes on does not decide on its first iteration: each thread
  /// makes a compare-and-swap once at least.
  bool anyInside(ValueId condition, const Iterations &iterations,
                 llvm::function_ref<bool(ValueId)> isSuch) {
    using Walk = ExpressionGraph::Walk;
    const ExpressionGraph &graph = evaluation_.kernel.graph;
    return !graph.walk(condition, [&](ValueId id) {
      const Node &node = graph.node(id);
      if (isSuch(id))
        return Walk::Stop;
      if (node.op != Op::Carried || iterations[node.number])
        return Walk::Into;
      return anyInside(graph.operand(id, 0), iterations, isSuch) ? Walk::Stop
                                                                 : Walk::Past;
    });
  }

  /// Returns true for `quotient != fast`, where a divisor and its reciprocal
  /// are arguments: their probe values are not consistent with each other.
  bool comparesProbes(Warp &warp, ValueId id, const Iterations &iterations) {
    const ExpressionGraph &graph = evaluation_.kernel.graph;
    const Node &node = graph.node(id);
    return node.bits == 1 &&
           (node.op == Op::Equal || node.op == Op::NotEqual) &&
           llvm::all_of(graph.operands(id), [&](ValueId operand) {
             return warp.evaluate(operand, iterations).assumed;
           });
  }

  /// Returns true for what is loaded where the atomic writes: "as long as there
  /// is something to change".
  bool isOwnWord(ValueId id) const {
    const ExpressionGraph &graph = evaluation_.kernel.graph;
    return graph.node(id).op == Op::Loaded &&
           graph.operand(id, 0) == access_.address;
  }

  Evaluation &evaluation_;
  const Access &access_;
  uint64_t exist_ = 0, taking_ = 0, lanes_ = 0, addresses_ = 0, requests_ = 0;
};

} // namespace

double Contention::lanesAtOneAddress() const {
  constexpr double atRandom = 2;
  if (known)
    return std::max(1.0, lanesPerAddress());
  return mostAddresses ? std::max(atRandom, mostLanesTogether(
                                                warpSize, *mostAddresses))
                       : atRandom;
}

std::optional<uint64_t> mostValues(const Kernel &kernel, Shape shape,
                                   ValueId value) {
  double count = RangeReader(kernel, shape).of(value).count;
  if (count > 1e15)
    return std::nullopt;
  return uint64_t(count);
}

std::optional<Bounds> boundsOf(const Kernel &kernel, Shape shape,
                               ValueId value) {
  const Range range = RangeReader(kernel, shape).of(value);
  return range.bounded ? std::optional(Bounds{range.low, range.high})
                       : std::nullopt;
}

/// All but `mostAddresses`; `launch` is one launch or none.
static Contention ofLaunch(const Kernel &kernel, Shape shape,
                           const Access &access,
                           llvm::ArrayRef<Launched> launch) {
  Contention result;
  Evaluation evaluation(kernel, launch);
  BlockReader usual(evaluation, shape, access, 0, 0);
  usual.into(result);
  result.known = usual.known && !usual.first.empty();
  if (!result.known)
    return result;
  auto isSameInNext = [&](const BlockReader &block, unsigned trial) {
    const BlockReader next(evaluation, shape, access, 1, trial);
    return next.known && next.first == block.first;
  };
  result.sameInAllBlocks = isSameInNext(usual, 0) &&
                           !mayDifferByBlock(evaluation, shape, access.address);
  // Lanes and blocks may share an address by coincidence; other probe values
  // show that.
  for (unsigned trial : {1u, 2u}) {
    Contention other;
    const BlockReader here(evaluation, shape, access, 0, trial);
    here.into(other);
    result.sameInAllBlocks =
        result.sameInAllBlocks && isSameInNext(here, trial);
    if (other.lanesPerAddress() < result.lanesPerAddress()) {
      result.lanes = other.lanes;
      result.addresses = other.addresses;
    }
    result.perAddress = std::min(result.perAddress, other.perAddress);
  }
  const BlockReader small(evaluation, shape, access, 0, smallSizes);
  Contention other;
  small.into(other);
  if (!small.known || other.lanesPerAddress() >= result.lanesPerAddress())
    return result;
  result.ofLargeSizes = true;
  // Large sizes never lead there: small ones are as likely as others. So it is
  // where `if (first / size == last / size)` has an `else`.
  if (usual.isDoubted) {
    result.lanes = other.lanes;
    result.addresses = other.addresses;
    result.perAddress = std::min(result.perAddress, other.perAddress);
  }
  return result;
}

Contention contention(const Kernel &kernel, const KernelShape &shape,
                      const Access &access) {
  constexpr size_t most = 8;
  const llvm::ArrayRef<Launched> launches(shape.launches);
  Contention worst =
      ofLaunch(kernel, shape.shape, access, launches.take_front(1));
  for (size_t i = 1; i < std::min(most, launches.size()); ++i)
    if (const Contention one =
            ofLaunch(kernel, shape.shape, access, launches[i]);
        one.lanesPerAddress() > worst.lanesPerAddress())
      worst = one;
  worst.mostAddresses = mostValues(kernel, shape.shape, access.address);
  return worst;
}

const Contention &contentionOf(const Kernel &kernel, const ShapeCosts &costs,
                               unsigned access) {
  std::shared_ptr<const Contention> &known = costs.contentions[access];
  if (!known)
    known = std::make_shared<const Contention>(
        contention(kernel, costs.shape, kernel.accesses[access]));
  return *known;
}

} // namespace warplint
