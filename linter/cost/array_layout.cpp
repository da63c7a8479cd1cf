#include "cost/array_layout.h"
#include "cost/kernel_time.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace warplint {

const Index *slowIndex(TwoLanes &lanes, const ArrayLayout &layout,
                       const ShapeCosts &shape, unsigned access) {
  const auto [first, second] = neighbouringLanes(shape.costs[access]);
  auto differ = [&](const Index &index) {
    return lanes.differ(shape.shape, index.value, first, second);
  };
  if (differ(layout.indexes[layout.contiguous]) != false)
    return nullptr;
  for (const Index &index : layout.indexes)
    if (differ(index) == true)
      return &index;
  return nullptr;
}

bool isExtreme(const ArrayLayout &layout, const Index &index) {
  return &index == &layout.indexes.front() || &index == &layout.indexes.back();
}

double savedByOtherLayout(const CostedKernel &costed, const ShapeCosts &shape,
                          TwoLanes &lanes, unsigned access) {
  const ArrayLayout &layout = *costed.kernel.accesses[access].layout;
  const Cost &cost = shape.costs[access];
  if (!cost.sectors)
    return 0;
  const double now = timeOf(costed, shape).of(access).sectors;
  const Index *slow = slowIndex(lanes, layout, shape, access);
  if (slow && isExtreme(layout, *slow))
    return now * (1 - cost.idealSectors / cost.sectors);
  const auto [first, second] = neighbouringLanes(cost);
  if (lanes.differ(shape.shape, layout.indexes[layout.contiguous].value, first,
                   second) == true)
    return -now * (std::max(warpSize / cost.sectors, 1.0) - 1);
  return 0;
}

void settleLayouts(std::vector<CostedKernel> &kernels) {
  std::set<Place> better, worse;
  for (const CostedKernel &costed : kernels) {
    std::map<Place, std::vector<unsigned>> accesses;
    for (unsigned i = 0; i < costed.kernel.accesses.size(); ++i)
      if (const auto &layout = costed.kernel.accesses[i].layout;
          layout && layout->spelling)
        accesses[layout->spelling->places.front()].push_back(i);
    if (accesses.empty())
      continue;
    TwoLanes lanes(costed.kernel);
    for (const auto &[place, which] : accesses)
      for (const ShapeCosts &shape : costed.shapes) {
        double saved = 0;
        for (unsigned i : which)
          saved += savedByOtherLayout(costed, shape, lanes, i);
        if (saved > 0)
          better.insert(place);
        else if (saved < 0)
          worse.insert(place);
      }
  }
  for (const Place &place : worse)
    better.erase(place);
  for (CostedKernel &costed : kernels)
    costed.betterInOtherLayout = better;
}

} // namespace warplint
