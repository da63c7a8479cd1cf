#include "cost/lanes.h"
#include "cost/steady.h"
#include "cost/vector_width.h"
#include "os/deadline.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cmath>

namespace warplint {

const char *spelling(Basis basis) {
  switch (basis) {
  case Basis::Exact:
    return "exact";
  case Basis::Assumed:
    return "assumed";
  case Basis::Unknown:
    return "unknown";
  }
  return "";
}

namespace {

using Addresses = std::array<uint64_t, warpSize>;
using Numbers = llvm::SmallVector<uint64_t, 128>;
using Walk = ExpressionGraph::Walk;

void addSectors(const Addresses &addresses, uint32_t active, unsigned bytes,
                Numbers &sectors) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      for (uint64_t sector = addresses[lane] / sectorBytes;
           sector <= (addresses[lane] + bytes - 1) / sectorBytes; ++sector)
        sectors.push_back(sector);
}

unsigned distinct(Numbers &numbers) {
  std::sort(numbers.begin(), numbers.end());
  return std::unique(numbers.begin(), numbers.end()) - numbers.begin();
}

struct Span {
  uint64_t from, to;
};

uint64_t distinctBytes(llvm::SmallVectorImpl<Span> &spans) {
  std::sort(spans.begin(), spans.end(),
            [](Span a, Span b) { return a.from < b.from; });
  uint64_t bytes = 0, end = 0;
  for (Span span : spans) {
    uint64_t from = std::max(span.from, end);
    if (span.to > from)
      bytes += span.to - from;
    end = std::max(end, span.to);
  }
  return bytes;
}

void addSpans(const Addresses &addresses, uint32_t active, unsigned bytes,
              llvm::SmallVectorImpl<Span> &spans) {
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      spans.push_back({addresses[lane], addresses[lane] + bytes});
}

unsigned sectorsFor(uint64_t bytes) {
  return std::max<uint64_t>(1, (bytes + sectorBytes - 1) / sectorBytes);
}

/// Kernel parameters lie in constant memory too.
bool isConstantBank(Space space) {
  return space == Space::Constant || space == Space::Parameter;
}

/// The cost of a request in the unit of its space: ways, wavefronts or sectors.
unsigned figure(Space space, const Addresses &addresses, uint32_t active,
                unsigned bytes) {
  return space == Space::Shared  ? conflictWays(addresses, active, bytes)
         : isConstantBank(space) ? distinctAddresses(addresses, active)
                                 : sectorsTouched(addresses, active, bytes);
}

/// The cost of one request of a warp.
struct Request {
  Addresses addresses;
  uint32_t active = 0; ///< 0: no request yet
  Space space = Space::Unknown;
  unsigned sectors = 0, ideal = 0, ways = 0, wavefronts = 0;

  /// The offset in bytes, if the same lanes all move by it.
  std::optional<uint64_t> movedTo(const Addresses &to, uint32_t lanes) const {
    if (!active || lanes != active)
      return std::nullopt;
    const unsigned first = llvm::countr_zero(active);
    const uint64_t bytes = to[first] - addresses[first];
    for (unsigned lane = first; lane < warpSize; ++lane)
      if ((active >> lane & 1) && to[lane] - addresses[lane] != bytes)
        return std::nullopt;
    return bytes;
  }
};

/// The sums over the requests of one access in one trial.
struct Sum {
  double sectors = 0, ideal = 0, ways = 0, wavefronts = 0, lanes = 0;
  unsigned requests = 0;
  double value(Space space) const {
    return (space == Space::Shared  ? ways
            : isConstantBank(space) ? wavefronts
                                    : sectors) /
           requests;
  }
};

class CostReader {
public:
  CostReader(const Kernel &kernel, const KernelShape &shape)
      : kernel_(kernel), shape_(shape.shape), launches_(shape.launches),
        evaluation_(kernel, launches_), costs_(kernel.accesses.size()),
        keptOut_(kernel.accesses.size()), least_(kernel.accesses.size()),
        requests_(kernel.accesses.size()) {}

  std::vector<Cost> read() {
    std::vector<std::vector<Sum>> sums;
    for (unsigned trial = 0; trial < smallSizes; ++trial)
      sums.push_back(runTrial(trial));
    Warp large(evaluation_, shape_, 0, 0, 0);
    Warp small(evaluation_, shape_, 0, 0, smallSizes);
    for (size_t i = 0; i < costs_.size(); ++i) {
      std::string ignored; // unknowns in lanes that a guard excludes
      finish(i, sums, unguarded(large, i, 0, ignored),
             unguarded(small, i, smallSizes, ignored));
    }
    leaveCorrections();
    widen();
    return std::move(costs_);
  }

private:
  std::vector<Sum> runTrial(unsigned trial) {
    std::vector<Sum> sums(kernel_.accesses.size());
    unsigned warps =
        std::min<uint64_t>(32, (shape_.threads() + warpSize - 1) / warpSize);
    for (unsigned block = 0; block < blocks(trial); ++block)
      for (unsigned index = 0; index < warps; ++index) {
        Warp warp(evaluation_, shape_, index, block, trial);
        for (size_t i = 0; i < sums.size(); ++i)
          if (costs_[i].why.empty() && !isOverdue())
            runAccess(warp, i, trial, sums[i]);
      }
    std::vector<size_t> unreached;
    for (size_t i = 0; i < sums.size(); ++i)
      if (!sums[i].requests)
        unreached.push_back(i);
    runUnreached(unreached, warps, trial, sums);
    return sums;
  }

  /// Evaluates accesses that probe values keep all threads of these blocks
  /// from. The remaining terms of the guard select the lanes.
  void runUnreached(llvm::ArrayRef<size_t> unreached, unsigned warps,
                    unsigned trial, std::vector<Sum> &sums) {
    if (unreached.empty())
      return;
    unreached_.insert(unreached_.end(), unreached.begin(), unreached.end());
    const Iterations first(kernel_.loops.size(), 0);
    for (unsigned index = 0; index < warps; ++index) {
      Warp warp(evaluation_, shape_, index, 0, trial);
      Warp doubting(evaluation_, shape_, index, 0, trial);
      doubting.doubt();
      for (size_t i : unreached)
        if (uint32_t active = doubting.may(kernel_.accesses[i].guard, first);
            active && costs_[i].why.empty() && kernel_.accesses[i].bytes &&
            request(warp, i, trial, first, active, sums[i], costs_[i].why))
          noteDataInGuard(warp, doubting, active, i);
    }
    Warp warp(evaluation_, shape_, 0, 0, trial);
    for (size_t i : unreached)
      if (!sums[i].requests)
        sums[i] = unguarded(warp, i, trial, costs_[i].why);
    if (!launches_.empty())
      countKeptOut(unreached, warps, trial);
  }

  /// Notes the accesses that no thread may reach even if no probe value decides
  /// a condition.
  void countKeptOut(llvm::ArrayRef<size_t> unreached, unsigned warps,
                    unsigned trial) {
    std::vector<bool> isOpen(costs_.size());
    for (unsigned block = 0; block < blocks(trial); ++block)
      for (unsigned index = 0; index < warps; ++index) {
        Warp doubting(evaluation_, shape_, index, block, trial);
        doubting.doubt();
        for (size_t i : unreached)
          isOpen[i] = isOpen[i] || mayReach(doubting, kernel_.accesses[i]);
      }
    for (size_t i : unreached)
      if (!isOpen[i])
        keptOut_[i] |= 1u << trial;
  }

  /// Ignores conditions that depend on an iteration: a later one may let
  /// threads through.
  bool mayReach(Warp &warp, const Access &access) {
    const Iterations first(kernel_.loops.size(), 0);
    auto mayHold = [&](ValueId condition) {
      return evaluation_.loopsOf(condition) || warp.may(condition, first);
    };
    return mayHold(access.guard) &&
           llvm::all_of(access.loops, [&](LoopId loop) {
             return mayHold(kernel_.loops[loop].enters);
           });
  }

  unsigned blocks(unsigned trial) const {
    if (!launches_.empty())
      if (auto all = launches_[trial % launches_.size()].blocks();
          all && *all && *all <= fewBlocks)
        return *all;
    // If a row of threads is not a whole number of sectors, blocks differ.
    return shape_.x % 32 == 0 ? 1 : 4;
  }

  /// The first iteration of the first warp without its guard: with small sizes,
  /// guards leave too few lanes to compare.
  Sum unguarded(Warp &warp, size_t i, unsigned trial, std::string &why) {
    Sum sum;
    if (costs_[i].why.empty() && kernel_.accesses[i].bytes)
      request(warp, i, trial, Iterations(kernel_.loops.size(), 0), warp.lanes(),
              sum, why);
    return sum;
  }

  void runAccess(Warp &warp, size_t i, unsigned trial, Sum &sum) {
    const Access &access = kernel_.accesses[i];
    if (access.bytes == 0) {
      costs_[i].why = "how the compiler copies";
      return;
    }
    warp.forEachIteration(access.loops, [&](const Iterations &iterations) {
      uint32_t active = warp.may(access.guard, iterations);
      return !active ||
             request(warp, i, trial, iterations, active, sum, costs_[i].why);
    });
  }

  /// Returns false and sets `why` if the address is unknown.
  bool request(Warp &warp, size_t i, unsigned trial,
               const Iterations &iterations, uint32_t active, Sum &sum,
               std::string &why) {
    const Access &access = kernel_.accesses[i];
    Cost &cost = costs_[i];
    const LaneValues &guard = warp.evaluate(access.guard, iterations);
    const LaneValues &address = warp.evaluate(access.address, iterations);
    if (address.unknown & active) {
      why = reason(kernel_, address.why);
      cost.cause = address.why;
      cost.lanes = llvm::popcount(active);
      return false;
    }
    unsigned first = llvm::countr_zero(active);
    const Object *object = warp.objectAt(address.value[first]);
    if (!cost.active && trial == 0) {
      cost.addresses = address.value;
      cost.active = active;
      cost.object = object ? object->name : "";
      cost.space = access.space != Space::Unknown ? access.space
                   : object                       ? object->space
                                                  : Space::Unknown;
    }
    if (!guard.isUniform())
      noteChosenLanes(guard, address.value, active, i);
    const Request &request = figuresOf(address.value, active, i);
    sum.sectors += request.sectors;
    sum.ideal += request.ideal;
    sum.ways += request.ways;
    sum.wavefronts += request.wavefronts;
    sum.lanes += llvm::popcount(active);
    ++sum.requests;
    return true;
  }

  /// Reuses the last request's figures: most requests of a loop are the last
  /// one at an offset.
  const Request &figuresOf(const Addresses &addresses, uint32_t active,
                           size_t i) {
    const unsigned bytes = kernel_.accesses[i].bytes;
    const Space space = costs_[i].space;
    Request &last = requests_[i];
    const auto moved =
        last.space == space ? last.movedTo(addresses, active) : std::nullopt;
    if (!moved || *moved % sectorBytes)
      last.sectors = sectorsTouched(addresses, active, bytes);
    if (!moved || *moved % wordBytes)
      last.ways =
          space == Space::Shared ? conflictWays(addresses, active, bytes) : 0;
    if (!moved) {
      llvm::SmallVector<Span, warpSize> spans;
      addSpans(addresses, active, bytes, spans);
      last.ideal = sectorsFor(distinctBytes(spans));
      last.wavefronts =
          isConstantBank(space) ? distinctAddresses(addresses, active) : 0;
    }
    last.addresses = addresses;
    last.active = active;
    last.space = space;
    return last;
  }

  /// Notes if data select some of the counted lanes.
  void noteChosenLanes(const LaneValues &guard, const Addresses &addresses,
                       uint32_t active, size_t i) {
    Cost &cost = costs_[i];
    const uint32_t sure = active & ~guard.unknown;
    if (!cost.chosenBy.empty() || sure == active)
      return;
    const unsigned bytes = kernel_.accesses[i].bytes;
    const unsigned least =
        sure ? figure(cost.space, addresses, sure, bytes) : 1;
    if (least < figure(cost.space, addresses, active, bytes)) {
      cost.chosenBy = reason(kernel_, guard.why);
      least_[i] = least;
    }
  }

  /// The same if probe values decide the guard, such as a flag in it: `warp`
  /// uses them and shows which term of the guard differs from lane to lane;
  /// `doubting` does not and shows if that term matters.
  void noteDataInGuard(Warp &warp, Warp &doubting, uint32_t active, size_t i) {
    const Access &access = kernel_.accesses[i];
    const Iterations first(kernel_.loops.size(), 0);
    LaneValues guard = doubting.evaluate(access.guard, first);
    const std::optional<ValueId> why = dataIn(warp, access.guard, active);
    if (guard.isUniform() || !why)
      return;
    guard.why = *why;
    noteChosenLanes(guard, warp.evaluate(access.address, first).value, active,
                    i);
  }

  /// The term of a condition that data make differ among the active lanes,
  /// whatever the terms that it is combined with.
  std::optional<ValueId> dataIn(Warp &warp, ValueId condition,
                                uint32_t active) {
    const ExpressionGraph &graph = kernel_.graph;
    const Iterations first(kernel_.loops.size(), 0);
    std::optional<ValueId> why;
    graph.walk(condition, [&](ValueId id) {
      if (id != condition && graph.node(id).bits != 1)
        return Walk::Past;
      const LaneValues &holds = warp.evaluate(id, first);
      if (!(holds.unknown & active) || holds.isUniform())
        return Walk::Into;
      why = holds.why;
      return Walk::Stop;
    });
    return why;
  }

  void finish(size_t i, const std::vector<std::vector<Sum>> &sums,
              const Sum &large, const Sum &small) {
    Cost &cost = costs_[i];
    const Access &access = kernel_.accesses[i];
    if (cost.space == Space::Unknown)
      cost.space = access.space;
    if (cost.space == Space::Unknown)
      cost.space = spaceOfBases(kernel_, access.address);
    // Each trial uses another launch; ignore launches that exclude the access.
    constexpr unsigned all = (1u << smallSizes) - 1;
    const unsigned without = keptOut_[i] == all ? 0 : keptOut_[i];
    const Sum &usual = sums[llvm::countr_one(without)][i];
    if (!cost.why.empty() || !usual.requests)
      return;
    cost.cause.reset();
    cost.sectors = usual.sectors / usual.requests;
    cost.idealSectors = usual.ideal / usual.requests;
    cost.ways = usual.ways / usual.requests;
    cost.wavefronts = usual.wavefronts / usual.requests;
    cost.lanes = usual.lanes / usual.requests;
    cost.low = cost.high = usual.value(cost.space);
    for (unsigned trial = 0; trial < sums.size(); ++trial)
      if (const Sum &sum = sums[trial][i];
          sum.requests && !(without >> trial & 1)) {
        cost.low = std::min(cost.low, sum.value(cost.space));
        cost.high = std::max(cost.high, sum.value(cost.space));
      }
    if (small.requests && large.requests &&
        small.value(cost.space) != large.value(cost.space)) {
      cost.low = std::min(cost.low, small.value(cost.space));
      cost.high = std::max(cost.high, small.value(cost.space));
    }
    if (!cost.chosenBy.empty())
      cost.low = std::min<double>(cost.low, least_[i]);
    cost.isKeptOut = keptOut_[i] == all && launches_.size() <= smallSizes;
    bool same = cost.high - cost.low < 1e-9;
    bool reached = !llvm::is_contained(unreached_, i);
    cost.basis = same && reached ? Basis::Exact : Basis::Assumed;
  }

  /// Leaves out stores of a constant, selected by data, over a value that the
  /// thread has just stored: they correct rare exceptions (a deviation of 0
  /// that becomes 1), so counting all lanes would overestimate them.
  void leaveCorrections() {
    for (size_t i = 0; i < costs_.size(); ++i) {
      const Access &access = kernel_.accesses[i];
      Cost &cost = costs_[i];
      if (access.operation != Operation::Store || !access.storesSame ||
          cost.chosenBy.empty() || cost.space != Space::Global)
        continue;
      for (size_t before = 0; before < i; ++before)
        if (const Access &first = kernel_.accesses[before];
            first.operation == Operation::Store &&
            first.address == access.address && first.loops == access.loops &&
            costs_[before].chosenBy.empty()) {
          cost.basis = Basis::Unknown;
          cost.why = std::exchange(cost.chosenBy, "");
          break;
        }
    }
  }

  /// Recomputes the ways of conflicting accesses as part of the wider
  /// instruction that the compiler makes.
  void widen() {
    for (size_t i = 0; i < costs_.size(); ++i) {
      Cost &cost = costs_[i];
      if (cost.space != Space::Shared || cost.basis == Basis::Unknown ||
          cost.ways < 1.5)
        continue;
      unsigned bytes = vectorBytes(kernel_, shape_, i);
      if (bytes == kernel_.accesses[i].bytes)
        continue;
      Addresses words = cost.addresses;
      for (uint64_t &address : words)
        address -= address % bytes;
      cost.ways = cost.low = cost.high =
          conflictWays(words, cost.active, bytes);
    }
  }

  const Kernel &kernel_;
  Shape shape_;
  llvm::ArrayRef<Launched> launches_;
  Evaluation evaluation_;
  std::vector<Cost> costs_;
  std::vector<size_t> unreached_;
  std::vector<unsigned>
      keptOut_; ///< by access: trials that do without, as bits
  std::vector<unsigned>
      least_; ///< by access: its figure if data choose the fewest lanes
  std::vector<Request> requests_; ///< by access, the last
};

} // namespace

llvm::SmallVector<ValueId, 4> addressRoots(const ExpressionGraph &graph,
                                           ValueId address) {
  llvm::SmallVector<ValueId, 4> roots;
  graph.walk(address, [&](ValueId id) {
    switch (graph.node(id).op) {
    case Op::Add:
    case Op::Subtract:
    case Op::Resize:
    case Op::Carried:
    case Op::Final:
    case Op::Join:
    case Op::Select:
      return Walk::Into;
    default:
      roots.push_back(id);
      return Walk::Past;
    }
  });
  return roots;
}

/// Those that lie in memory.
static llvm::SmallVector<ValueId, 4> rootsInMemory(const ExpressionGraph &graph,
                                                   ValueId address) {
  llvm::SmallVector<ValueId, 4> roots = addressRoots(graph, address);
  llvm::erase_if(roots, [&](ValueId id) {
    return graph.node(id).op != Op::Base && graph.node(id).op != Op::Loaded;
  });
  return roots;
}

Space spaceOfBases(const Kernel &kernel, ValueId address) {
  const ExpressionGraph &graph = kernel.graph;
  Space space = Space::Unknown;
  for (ValueId root : rootsInMemory(graph, address)) {
    const Node &node = graph.node(root);
    if (node.op == Op::Loaded && !node.pointer)
      continue; // an index
    Space here =
        node.op == Op::Base ? kernel.objects[node.number].space : Space::Global;
    if (space != Space::Unknown && space != here)
      return Space::Unknown;
    space = here;
  }
  return space;
}

unsigned sectorsTouched(const Addresses &addresses, uint32_t active,
                        unsigned bytes) {
  Numbers sectors;
  addSectors(addresses, active, bytes, sectors);
  return distinct(sectors);
}

unsigned conflictWays(const Addresses &addresses, uint32_t active,
                      unsigned bytes) {
  // The hardware serves wider accesses by halves and quarters of a warp (CUDA
  // programming guide; measured: float4 at stride 1 has no conflict).
  unsigned parts = bytes <= 4 ? 1 : bytes == 8 ? 2 : 4;
  unsigned lanes = warpSize / parts, most = 0;
  for (unsigned part = 0; part < parts; ++part) {
    Numbers words;
    for (unsigned lane = part * lanes; lane < (part + 1) * lanes; ++lane)
      if (active >> lane & 1)
        for (uint64_t word = addresses[lane] / wordBytes;
             word <= (addresses[lane] + bytes - 1) / wordBytes; ++word)
          words.push_back(word);
    words.resize(distinct(words));
    std::array<unsigned, banks> perBank{};
    for (uint64_t word : words)
      most = std::max(most, ++perBank[word % banks]);
  }
  return most;
}

unsigned distinctAddresses(const Addresses &addresses, uint32_t active) {
  Numbers numbers;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (active >> lane & 1)
      numbers.push_back(addresses[lane]);
  return distinct(numbers);
}

std::vector<Cost> costs(const Kernel &kernel, const KernelShape &shape) {
  return CostReader(kernel, shape).read();
}

std::vector<Cost> costs(const Kernel &kernel, Shape shape) {
  return costs(kernel, KernelShape{shape, ShapeSource::Option, {}, {}});
}

Footprint footprint(const Kernel &kernel, llvm::ArrayRef<Cost> costs,
                    llvm::ArrayRef<unsigned> accesses) {
  Numbers sectors;
  llvm::SmallVector<Span, 128> spans;
  for (unsigned i : accesses) {
    unsigned bytes = kernel.accesses[i].bytes;
    addSectors(costs[i].addresses, costs[i].active, bytes, sectors);
    addSpans(costs[i].addresses, costs[i].active, bytes, spans);
  }
  return {distinct(sectors), sectorsFor(distinctBytes(spans))};
}

namespace {

/// Returns true if the address is computed from memory that the loop writes: a
/// ticket, an index that advances.
bool readsWhatIsWritten(const Kernel &kernel, ValueId address, LoopId loop) {
  const ExpressionGraph &graph = kernel.graph;
  llvm::DenseSet<ValueId> read;
  graph.walk(address, [&](ValueId id) {
    if (graph.node(id).op == Op::Loaded)
      for (ValueId root : rootsInMemory(graph, graph.operand(id, 0)))
        read.insert(root);
    return Walk::Into;
  });
  return !read.empty() &&
         llvm::any_of(kernel.accesses, [&](const Access &access) {
           return access.operation != Operation::Load &&
                  llvm::is_contained(access.loops, loop) &&
                  llvm::any_of(
                      rootsInMemory(graph, access.address),
                      [&](ValueId root) { return read.contains(root); });
         });
}

} // namespace

std::optional<bool> sameAddressNextIteration(const Kernel &kernel, Shape shape,
                                             const Access &access,
                                             LoopId loop) {
  if (readsWhatIsWritten(kernel, access.address, loop))
    return std::nullopt;
  Evaluation evaluation(kernel);
  const Iterations first(kernel.loops.size(), 0);
  Iterations second = first;
  second[loop] = 1;
  // One trial proves that addresses differ. It does not prove that they are
  // equal: that may be a coincidence of probe values.
  bool same = true;
  for (unsigned trial = 0; trial < 3; ++trial) {
    Warp warp(evaluation, shape, 0, 0, trial);
    const LaneValues &now = warp.evaluate(access.address, first);
    const LaneValues &next = warp.evaluate(access.address, second);
    if (now.unknown || next.unknown)
      return std::nullopt;
    if (now.value != next.value)
      return false;
    same = same && !mayDiffer(
                       kernel.graph, access.address,
                       [&](ValueId id) -> const LaneValues & {
                         return warp.evaluate(id, first);
                       },
                       [&](ValueId id) -> const LaneValues & {
                         return warp.evaluate(id, second);
                       });
  }
  return same ? std::optional(true) : std::nullopt;
}

bool sameAddressForAll(const Kernel &kernel, Shape shape,
                       const Access &access) {
  Evaluation evaluation(kernel);
  const Iterations iterations(kernel.loops.size(), 0);
  std::optional<uint64_t> common;
  const unsigned last = (shape.threads() + warpSize - 1) / warpSize - 1;
  for (unsigned block : {0, 1})
    for (unsigned index : {0u, std::min(1u, last), last}) {
      Warp warp(evaluation, shape, index, block, 0);
      const LaneValues &address = warp.evaluate(access.address, iterations);
      if (address.unknown || !address.isUniform() ||
          common.value_or(address.value[0]) != address.value[0])
        return false;
      common = address.value[0];
    }
  return !mayDifferByBlock(evaluation, shape, access.address);
}

bool mayDifferByBlock(Evaluation &evaluation, Shape shape, ValueId value) {
  const Iterations first(evaluation.kernel.loops.size(), 0);
  Warp one(evaluation, shape, 0, 0, 0), other(evaluation, shape, 0, 1, 0);
  return mayDiffer(
      evaluation.kernel.graph, value,
      [&](ValueId id) -> const LaneValues & { return one.evaluate(id, first); },
      [&](ValueId id) -> const LaneValues & {
        return other.evaluate(id, first);
      });
}

std::string reason(const Kernel &kernel, ValueId why) {
  if (why == tooLong)
    return "an expression that is too long to follow";
  const ExpressionGraph &graph = kernel.graph;
  const Node &node = graph.node(why);
  switch (node.op) {
  case Op::Loaded: {
    const std::string &text = graph.text(why);
    return text.empty() ? "a value loaded from memory"
                        : "'" + text + "', loaded from memory";
  }
  case Op::Varying:
    return graph.text(why).empty() ? "a value that is not followed"
                                   : graph.text(why);
  case Op::Forwarded:
    return "what its own array holds";
  case Op::Join:
  case Op::Select:
    return "which way a branch goes";
  case Op::Final:
  case Op::Ever:
    return "how often a loop runs";
  case Op::Opaque:
    return graph.text(why).empty() ? "a computed value that is not followed"
                                   : "the result of '" + graph.text(why) + "'";
  case Op::DivideSigned:
  case Op::DivideUnsigned:
  case Op::RemainderSigned:
  case Op::RemainderUnsigned:
    return "a division whose divisor may be zero";
  default:
    return "an expression that is not followed";
  }
}

} // namespace warplint
