#include "cost/vector_width.h"
#include "cost/terms.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

constexpr unsigned narrowest = 4;      // bytes that ptxas combines (measured)
constexpr unsigned widest = 16;        // bytes of one shared-memory instruction
constexpr uint64_t fullyUnrolled = 64; // iterations
constexpr size_t mostTogether = 256;   // accesses examined together

/// One access in one iteration of its innermost loop.
struct Instance {
  const Access *access;
  LaneValues address;
};

class VectorFinder {
public:
  VectorFinder(const Kernel &kernel, Shape shape, unsigned access,
               unsigned trial, bool isSure)
      : kernel_(kernel), access_(kernel.accesses[access]), isSure_(isSure),
        evaluation_(kernel), warp_(evaluation_, shape, 0, 0, trial) {}

  unsigned find() {
    unsigned bytes = widest;
    // The first iterations of all loops alone may be a coincidence.
    Iterations iteration;
    bytes = std::min(bytes, wholeFrom(iteration));
    for (size_t i = 0; i < access_.loops.size() && bytes > access_.bytes; ++i) {
      bool innermost = i + 1 == access_.loops.size();
      iteration[access_.loops[i]] = innermost ? iterations() : 1;
      bytes = std::min(bytes, wholeFrom(iteration));
      iteration[access_.loops[i]] = 0;
    }
    return bytes;
  }

private:
  /// The widest combination in these iterations of the loops.
  unsigned wholeFrom(const Iterations &iteration) {
    if (!mayGrow(iteration))
      return access_.bytes;
    collect(iteration);
    if (together_.size() > mostTogether)
      return access_.bytes;
    for (unsigned bytes : {widest, widest / 2})
      if (bytes >= 2 * access_.bytes && isWhole(bytes))
        return bytes;
    return access_.bytes;
  }

  bool mayGrow(const Iterations &iteration) {
    if (access_.bytes < narrowest || access_.bytes > widest / 2 ||
        access_.isVolatile || access_.operation == Operation::Atomic)
      return false;
    own_ = warp_.evaluate(access_.address, iteration);
    return !own_.unknown && warp_.objectAt(own_.value[0]);
  }

  /// The iterations of its loop that are adjacent once it is unrolled.
  unsigned iterations() {
    if (access_.loops.empty() || kernel_.isCompiled)
      return 1;
    const Loop &loop = kernel_.loops[access_.loops.back()];
    // The compiler moves nothing over a barrier, and a lane that is inactive in
    // the next iteration must not load for it.
    if (loop.hasBarrier || !sameLanesNextIteration() || hasBranch())
      return 1;
    bool unrolls = loop.unroll == Unroll::Full ||
                   (loop.unroll == Unroll::Unsaid && loop.tripCount &&
                    *loop.tripCount <= fullyUnrolled);
    if (loop.unroll == Unroll::Count && loop.tripCount)
      return std::min<uint64_t>(loop.unrollCount, widest / access_.bytes);
    return unrolls && loop.tripCount
               ? std::min<uint64_t>(*loop.tripCount, widest / access_.bytes)
               : 1;
  }

  bool sameLanesNextIteration() {
    Iterations first, next = first;
    next[access_.loops.back()] = 1;
    return warp_.may(access_.guard, first) == warp_.may(access_.guard, next);
  }

  /// A branch that no select replaces keeps the iterations in separate blocks.
  bool hasBranch() const {
    constexpr double ofSelect = 2; // instructions
    return llvm::any_of(kernel_.branches, [&](const Branch &branch) {
      return branch.loops == access_.loops &&
             llvm::any_of(branch.sides, [](const Side &side) {
               return side.hasAccess || side.work > ofSelect;
             });
    });
  }

  void collect(Iterations iteration) {
    together_.clear();
    for (unsigned t = 0; t < iterations(); ++t) {
      if (t)
        ++iteration[access_.loops.back()];
      for (const Access &other : kernel_.accesses)
        if (other.region == access_.region &&
            other.barrierInterval == access_.barrierInterval &&
            (other.space == Space::Shared || other.space == Space::Unknown) &&
            together_.size() <= mostTogether)
          together_.push_back(
              {&other, warp_.evaluate(other.address, iteration)});
    }
  }

  /// Returns true if accesses cover the aligned word of `bytes` around this
  /// one.
  bool isWhole(unsigned bytes) {
    uint64_t inWord = own_.value[0] % bytes;
    if (llvm::any_of(own_.value.toArray(),
                     [&](uint64_t at) { return at % bytes != inWord; }))
      return false;
    size_t first = together_.size(), last = 0;
    // LLVM combines such words before ptxas does, over what goes elsewhere.
    bool isAligned = false;
    for (uint64_t at = 0; at < bytes; at += access_.bytes) {
      auto part = llvm::find_if(together_, [&](const Instance &other) {
        return isPart(other, at - inWord);
      });
      if (part == together_.end())
        return false;
      size_t index = part - together_.begin();
      isAligned |= part->access->alignment >= bytes;
      first = std::min(first, index);
      last = std::max(last, index);
    }
    for (size_t i = first + 1; i < last; ++i)
      if (disturbs(together_[i], inWord, bytes, isAligned))
        return false;
    return true;
  }

  /// Strips constant offsets: the register of `[%rd1+8]`.
  ValueId withoutOffset(ValueId address) const {
    const ExpressionGraph &graph = kernel_.graph;
    for (bool stripped = true; stripped;) {
      stripped = false;
      const Op op = graph.node(address).op;
      if (op == Op::Resize)
        address = graph.operand(address, 0), stripped = true;
      else if (op == Op::Add)
        for (unsigned i : {0, 1})
          if (!stripped &&
              graph.node(graph.operand(address, i)).op == Op::Constant)
            address = graph.operand(address, 1 - i), stripped = true;
    }
    return address;
  }

  /// Returns true if the source shows a constant offset from this access, also
  /// between iterations of an unrolled loop.
  bool isAtOffset(ValueId address) {
    const ExpressionGraph &graph = kernel_.graph;
    Terms own, other;
    addTerms(graph, access_.address, 1, own);
    addTerms(graph, address, 1, other);
    if (own != other || iterations() < 2)
      return own == other;
    const LoopId loop = access_.loops.back();
    return llvm::all_of(own, [&](const auto &term) {
      const Node &node = graph.node(term.first);
      return (node.op == Op::Carried && node.number == loop) ||
             !(graph.loopsOf()[term.first] & ExpressionGraph::loopBit(loop));
    });
  }

  /// Returns true if in each lane it accesses the bytes `distance` after this
  /// access.
  bool isPart(const Instance &other, uint64_t distance) {
    if (other.access->operation != access_.operation ||
        other.access->bytes != access_.bytes || other.access->isVolatile ||
        other.address.unknown ||
        (kernel_.isCompiled && withoutOffset(other.access->address) !=
                                   withoutOffset(access_.address)) ||
        (isSure_ && !isAtOffset(other.access->address)))
      return false;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (other.address.value[lane] - own_.value[lane] != distance)
        return false;
    return true;
  }

  /// Returns true if an access has its bytes in this one's word in every lane.
  bool isInWord(const Instance &other, uint64_t inWord, unsigned bytes) const {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (other.address.value[lane] - (own_.value[lane] - inWord) >= bytes)
        return false;
    return true;
  }

  /// Returns true if it prevents the combination of accesses around it: it may
  /// write what they load, or touch what they store. ptxas moves no store over
  /// another access to shared memory, wherever that one is, and no load over a
  /// store.
  bool disturbs(const Instance &other, uint64_t inWord, unsigned bytes,
                bool isAligned) const {
    const bool isAlike = other.access->operation == access_.operation;
    if (isAlike && access_.operation == Operation::Load)
      return false;
    if (other.address.unknown)
      return true;
    if (isAlike && isInWord(other, inWord, bytes))
      return false;
    if (!isAligned && other.access->space == Space::Shared)
      return true;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint64_t word = own_.value[lane] - inWord, at = other.address.value[lane];
      if (at < word + bytes && word < at + other.access->bytes)
        return true;
    }
    return false;
  }

  const Kernel &kernel_;
  const Access &access_;
  const bool isSure_; ///< parts are at constant offsets
  Evaluation evaluation_;
  Warp warp_;
  LaneValues own_;
  std::vector<Instance> together_; ///< in the order of execution
};

} // namespace

static unsigned bytesOf(const Kernel &kernel, Shape shape, unsigned access,
                        bool isSure) {
  // Values that the compiler does not know, such as arguments, may be odd.
  unsigned bytes = widest;
  for (unsigned trial : {0, 2})
    bytes = std::min(
        bytes, VectorFinder(kernel, shape, access, trial, isSure).find());
  return bytes;
}

unsigned vectorBytes(const Kernel &kernel, Shape shape, unsigned access) {
  return bytesOf(kernel, shape, access, /*isSure=*/false);
}

unsigned surelyVectorBytes(const Kernel &kernel, Shape shape, unsigned access) {
  return bytesOf(kernel, shape, access, /*isSure=*/true);
}

} // namespace warplint
