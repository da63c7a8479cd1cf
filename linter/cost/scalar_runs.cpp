#include "cost/scalar_runs.h"
#include "cost/reached.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <map>

namespace warplint {

namespace {

constexpr unsigned widest = 16, narrowest = 4; // bytes of a vector access
constexpr double fewLanes = 8;

bool isScalar(const Access &access, const Cost &cost) {
  return cost.space == Space::Global && cost.basis != Basis::Unknown &&
         cost.active && cost.lanes >= fewLanes &&
         access.operation != Operation::Atomic &&
         access.need == Need::EachTime && !access.isVolatile &&
         !access.isAsync && !access.inLibrary && access.bytes &&
         access.bytes < widest && llvm::isPowerOf2_32(access.bytes);
}

/// The addresses of the first warp, in two ways to choose unknown sizes: large
/// and aligned ones, and odd ones.
class Addresses {
public:
  Addresses(const Kernel &kernel, Shape shape)
      : evaluation_(kernel), aligned_(evaluation_, shape, 0, 0, 0),
        odd_(evaluation_, shape, 0, 0, 2) {}

  /// How far the address of each lane of `active` is above a multiple of
  /// `bytes`, whatever the sizes are; none if that differs.
  std::optional<unsigned> above(ValueId address, uint32_t active,
                                unsigned bytes) {
    std::optional<unsigned> common;
    for (Warp *warp : {&aligned_, &odd_}) {
      const LaneValues &at = warp->evaluate(address, none_);
      if (at.unknown & active)
        return std::nullopt;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        if (active >> lane & 1) {
          const unsigned here = unsigned(uint64_t(at.value[lane]) % bytes);
          if (common.value_or(here) != here)
            return std::nullopt;
          common = here;
        }
    }
    return common;
  }

  /// Returns true if each iteration of `loop` moves the address on by `bytes`.
  bool movesBy(ValueId address, uint32_t active, LoopId loop, unsigned bytes) {
    Iterations second = none_;
    second[loop] = 1;
    const LaneValues here = aligned_.evaluate(address, none_);
    const LaneValues &there = aligned_.evaluate(address, second);
    if ((here.unknown | there.unknown) & active)
      return false;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (active >> lane & 1 && there.value[lane] - here.value[lane] != bytes)
        return false;
    return true;
  }

private:
  Evaluation evaluation_;
  Warp aligned_, odd_;
  const Iterations none_;
};

/// Returns true if `next` follows `before` in each lane, `bytes` on.
bool follows(const Cost &before, const Cost &next, unsigned bytes) {
  if (before.active != next.active)
    return false;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (before.active >> lane & 1 &&
        next.addresses[lane] - before.addresses[lane] != bytes)
      return false;
  return true;
}

/// The elements that one access can move: the largest power of two that fits
/// into the run at a multiple of its size; 1 if there is none, or if most of
/// the run would stay single. Three bytes of four are loaded as four: the
/// fourth is in the same aligned word.
unsigned joinedOf(const Kernel &kernel, const ShapeCosts &shape, unsigned first,
                  unsigned elements, Addresses &addresses) {
  const Access &access = kernel.accesses[first];
  const Cost &cost = shape.costs[first];
  if (distinctAddresses(cost.addresses, cost.active) !=
      unsigned(llvm::popcount(cost.active)))
    return 1;
  const bool mayLoadMore =
      access.operation == Operation::Load && elements % 4 == 3;
  for (unsigned joined = widest / access.bytes; joined > 1; joined /= 2) {
    const unsigned size = joined * access.bytes;
    if (joined > elements + mayLoadMore || size < narrowest)
      continue;
    const auto above = addresses.above(access.address, cost.active, size);
    if (!above)
      continue;
    if (!*above)
      return joined;
    // The elements before and after the vectors stay single.
    const unsigned before = (size - *above) / access.bytes;
    if (before < elements &&
        2 * ((elements - before) / joined * joined) > elements)
      return joined;
  }
  return 1;
}

/// The iterations of the innermost loop around an access, if each of them moves
/// it on by `bytes` and all of them stay in a line; 1 otherwise.
unsigned repeatsOf(const Access &access, const Kernel &kernel, uint32_t active,
                   unsigned bytes, Addresses &addresses) {
  if (access.loops.empty())
    return 1;
  const LoopId loop = access.loops.back();
  const auto trips = kernel.loops[loop].tripCount;
  return trips && *trips <= lineBytes / bytes &&
                 addresses.movesBy(access.address, active, loop, bytes)
             ? std::max<unsigned>(1, *trips)
             : 1;
}

using Key = std::tuple<unsigned, std::vector<LoopId>, Operation, unsigned,
                       uint64_t>; // region, loops, operation, bytes, object

/// Splits accesses to one object into runs.
void addRuns(const Kernel &kernel, const ShapeCosts &shape,
             std::vector<unsigned> members, Addresses &addresses,
             std::vector<ScalarRun> &runs) {
  auto start = [&](unsigned i) {
    const Cost &cost = shape.costs[i];
    return cost.addresses[llvm::countr_zero(cost.active)];
  };
  llvm::stable_sort(
      members, [&](unsigned a, unsigned b) { return start(a) < start(b); });
  // Two accesses to one element count once.
  members.erase(
      std::unique(members.begin(), members.end(),
                  [&](unsigned a, unsigned b) { return start(a) == start(b); }),
      members.end());
  for (size_t from = 0; from < members.size();) {
    size_t end = from + 1;
    while (end < members.size() &&
           follows(shape.costs[members[end - 1]], shape.costs[members[end]],
                   kernel.accesses[members[end]].bytes))
      ++end;
    ScalarRun run;
    run.accesses.assign(members.begin() + from, members.begin() + end);
    run.elements = run.accesses.size();
    const Access &first = kernel.accesses[members[from]];
    auto repeats = [&](unsigned elements) {
      return repeatsOf(first, kernel, shape.costs[members[from]].active,
                       elements * first.bytes, addresses);
    };
    // Each iteration takes the next elements, or the window moves on by one.
    if (const unsigned whole = repeats(run.elements); whole > 1)
      run.elements *= whole;
    else if (run.elements > 1)
      run.elements += repeats(1) - 1;
    run.joined =
        joinedOf(kernel, shape, members[from], run.elements, addresses);
    if (run.joined > 1)
      runs.push_back(std::move(run));
    from = end;
  }
}

} // namespace

std::vector<ScalarRun> scalarRuns(const Kernel &kernel,
                                  const ShapeCosts &shape) {
  Addresses addresses(kernel, shape.shape.shape);
  std::vector<ScalarRun> runs;
  std::map<Key, std::vector<unsigned>> groups;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    const Cost &cost = shape.costs[i];
    if (!isScalar(access, cost))
      continue;
    groups[{access.region, access.loops, access.operation, access.bytes,
            *objectOf(cost)}]
        .push_back(i);
  }
  for (auto &[key, members] : groups)
    addRuns(kernel, shape, std::move(members), addresses, runs);
  llvm::stable_sort(runs, [](const ScalarRun &a, const ScalarRun &b) {
    return a.accesses.front() < b.accesses.front();
  });
  return runs;
}

} // namespace warplint
