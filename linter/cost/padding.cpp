#include "cost/padding.h"
#include "cost/kernel_time.h"
#include "llvm/ADT/bit.h"

namespace warplint {

namespace {

constexpr unsigned mostElements = 16;
constexpr uint64_t mostStaticShared = 48 * 1024;

/// An access to the array: its first request, and how often it runs.
struct Use {
  const Cost *cost;
  unsigned bytes;
  double times;
};

/// An array of rows in shared memory, and its uses.
struct RowArray {
  const Object *object;
  std::vector<Use> uses;
};

std::optional<RowArray> arrayOf(const CostedKernel &costed,
                                const ShapeCosts &shape, unsigned access) {
  Evaluation evaluation(costed.kernel);
  const Warp warp(evaluation, shape.shape.shape, 0, 0, 0);
  auto objectOf = [&](const Cost &cost) {
    return cost.active
               ? warp.objectAt(cost.addresses[llvm::countr_zero(cost.active)])
               : nullptr;
  };
  RowArray array{objectOf(shape.costs[access]), {}};
  if (!array.object || array.object->space != Space::Shared ||
      !array.object->rowBytes)
    return std::nullopt;
  Frequencies &frequencies = timeOf(costed, shape).frequencies();
  for (unsigned i = 0; i < shape.costs.size(); ++i) {
    const Access &use = costed.kernel.accesses[i];
    const Cost &cost = shape.costs[i];
    if (use.space != Space::Shared || cost.isKeptOut)
      continue;
    if (cost.basis == Basis::Unknown || !cost.active)
      return std::nullopt; // it may be of this array
    if (objectOf(cost) != array.object)
      continue;
    if (!use.bytes || use.bytes > 8)
      return std::nullopt;
    array.uses.push_back(
        {&cost, use.bytes, frequencies.of(use.loops, use.guard).perWarp});
  }
  return array;
}

double wavefrontsWith(const RowArray &array, uint64_t paddingBytes) {
  double sum = 0;
  for (const Use &use : array.uses) {
    std::array<uint64_t, warpSize> addresses = use.cost->addresses;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (use.cost->active >> lane & 1)
        addresses[lane] += uint64_t(offsetInObject(addresses[lane])) /
                           array.object->rowBytes * paddingBytes;
    sum += use.times * conflictWays(addresses, use.cost->active, use.bytes);
  }
  return sum;
}

uint64_t staticShared(const Kernel &kernel) {
  uint64_t bytes = 0;
  for (const Object &object : kernel.objects)
    if (object.space == Space::Shared)
      bytes += object.bytes;
  return bytes;
}

} // namespace

std::optional<Padding> bestPadding(const CostedKernel &costed,
                                   const ShapeCosts &shape, unsigned access) {
  const std::optional<RowArray> array = arrayOf(costed, shape, access);
  if (!array)
    return std::nullopt;
  const Object &object = *array->object;
  const uint64_t rows = object.bytes / object.rowBytes;
  Padding best;
  best.before = best.after = wavefrontsWith(*array, 0);
  for (unsigned elements = 1; elements <= mostElements; ++elements) {
    const uint64_t bytes = elements * object.elementBytes;
    if (staticShared(costed.kernel) + rows * bytes > mostStaticShared)
      break;
    if (const double after = wavefrontsWith(*array, bytes);
        after < best.after * 0.99) {
      best.after = after;
      best.elements = elements;
    }
  }
  if (best.after > best.before * 0.9)
    return std::nullopt;
  best.extent = object.rowBytes / object.elementBytes + best.elements;
  return best;
}

} // namespace warplint
