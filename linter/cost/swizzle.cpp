#include "cost/swizzle.h"
#include "cost/kernel_time.h"
#include "cost/reached.h"
#include "cost/vector_width.h"
#include <map>
#include <set>

namespace warplint {

namespace {

/// The ways of requests, on average: as they are, and in either order.
struct Ways {
  double now = 0, padded = 0, swizzled = 0;
};

/// Nothing if an address is unknown.
std::optional<Ways> waysOf(const Access &access, Warp &warp) {
  Ways sum;
  double requests = 0;
  bool isKnown = true;
  warp.forEachIteration(
      access.loops, access.guard, [&](const Iterations &iterations) {
        const uint32_t active = warp.may(access.guard, iterations);
        if (!active)
          return true;
        const LaneValues &address = warp.evaluate(access.address, iterations);
        if (address.unknown & active)
          return isKnown = false;
        LaneAddresses now{}, padded{}, swizzled{};
        for (unsigned lane = 0; lane < warpSize; ++lane) {
          now[lane] = offsetInObject(address.value[lane]);
          const uint64_t i = now[lane] / wordBytes;
          padded[lane] = (i + i / banks) * wordBytes;
          swizzled[lane] = (i ^ (i & banks ? banks - 1 : 0)) * wordBytes;
        }
        sum.now += conflictWays(now, active, wordBytes);
        sum.padded += conflictWays(padded, active, wordBytes);
        sum.swizzled += conflictWays(swizzled, active, wordBytes);
        ++requests;
        return true;
      });
  if (!isKnown)
    return std::nullopt;
  if (requests)
    for (double *ways : {&sum.now, &sum.padded, &sum.swizzled})
      *ways /= requests;
  return sum;
}

/// An array of words, and the ways of all its accesses.
struct Uses {
  Ways all;                      ///< over a warp's requests
  std::map<unsigned, Ways> each; ///< by access
  Demand indexes;                ///< an instruction for each index
};

} // namespace

/// What is read of the arrays of one shape, which their accesses share.
class Swizzles {
public:
  /// Nothing if a use of the array is not followed or one of several
  /// neighbours.
  const std::optional<Uses> &usesOf(const CostedKernel &costed,
                                    const ShapeCosts &shape, ObjectId array) {
    auto [known, isNew] = known_.try_emplace(array);
    if (isNew)
      known->second = read(costed, shape, array);
    return known->second;
  }

private:
  static std::optional<Uses> read(const CostedKernel &costed,
                                  const ShapeCosts &shape, ObjectId array) {
    const Kernel &kernel = costed.kernel;
    Evaluation evaluation(kernel, shape.shape.launches);
    Warp warp(evaluation, shape.shape.shape, 0, 0, /*trial=*/0);
    const KernelTime &time = timeOf(costed, shape);
    Frequencies &frequencies = time.frequencies();
    std::set<std::pair<unsigned, ValueId>> indexes;
    Uses uses;
    for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
      const Access &use = kernel.accesses[i];
      const auto object = onlyObject(kernel, use.address);
      const bool isOther =
          object ? *object != array
                 : use.space != Space::Shared && use.space != Space::Unknown;
      if (isOther)
        continue;
      if (!object || use.bytes != wordBytes ||
          vectorBytes(kernel, shape.shape.shape, i) != wordBytes)
        return std::nullopt;
      const std::optional<Ways> ways = waysOf(use, warp);
      if (!ways)
        return std::nullopt;
      const double times = frequencies.of(use.loops, use.guard).perWarp;
      uses.all.now += times * ways->now;
      uses.all.padded += times * ways->padded;
      uses.all.swizzled += times * ways->swizzled;
      uses.each[i] = *ways;
      if (indexes.insert({use.region, use.address}).second)
        uses.indexes += time.ofInstructions(1, use);
    }
    return uses;
  }

  std::map<ObjectId, std::optional<Uses>> known_; ///< by array
};

std::optional<Swizzle> bestSwizzle(const CostedKernel &costed,
                                   const ShapeCosts &shape, unsigned access) {
  const Kernel &kernel = costed.kernel;
  const auto id = onlyObject(kernel, kernel.accesses[access].address);
  if (!id)
    return std::nullopt;
  const Object &array = kernel.objects[*id];
  const uint64_t elements = array.bytes / wordBytes;
  if (array.space != Space::Shared || array.rowBytes || elements < 2 * banks)
    return std::nullopt;
  if (!shape.swizzles)
    shape.swizzles = std::make_shared<Swizzles>();
  const std::optional<Uses> &uses = shape.swizzles->usesOf(costed, shape, *id);
  if (!uses)
    return std::nullopt;
  const Ways &all = uses->all, &own = uses->each.at(access);
  Swizzle best;
  // The last elements of another array would leave it.
  best.isPadding = elements % banks || all.padded <= all.swizzled * 1.01;
  best.before = all.now;
  best.after = best.isPadding ? all.padded : all.swizzled;
  best.ways = std::max(1.0, best.isPadding ? own.padded : own.swizzled);
  best.added = uses->indexes * (best.isPadding ? 2 : 3);
  best.elements = elements + (best.isPadding ? (elements - 1) / banks : 0);
  return best.after > best.before * 0.9 ? std::nullopt : std::optional(best);
}

} // namespace warplint
