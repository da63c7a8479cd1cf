#include "findings/moved_accesses.h"
#include "cost/same_address.h"
#include "findings/in_ptx.h"
#include "findings/locate.h"
#include "model/may_be_global.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

bool mayMove(const CostedKernel &source, unsigned i) {
  const Access &access = source.kernel.accesses[i];
  const ShapeCosts &shape = source.shapes.front();
  return access.operation != Operation::Atomic && !access.isVolatile &&
         access.need == Need::EachTime && !access.loops.empty() &&
         access.place.line && shape.costs[i].space == Space::Global &&
         sameAddressNextIteration(source.kernel, shape.shape.shape, access,
                                  access.loops.back())
             .value_or(false);
}

/// Returns true if the PTX access is in no loop, or in one that leads it to
/// another address.
bool isOutside(const CostedKernel &ptx, unsigned i) {
  const Access &access = ptx.kernel.accesses[i];
  return access.loops.empty() ||
         !sameAddressNextIteration(ptx.kernel, ptx.shapes.front().shape.shape,
                                   access, access.loops.back())
              .value_or(true);
}

} // namespace

std::vector<unsigned> movedAccesses(const CompiledView &view) {
  std::vector<unsigned> moved;
  if (!view.ptx)
    return moved;
  const CostedKernel &source = view.source, &ptx = *view.ptx;
  for (unsigned i = 0; i < source.kernel.accesses.size(); ++i) {
    if (!mayMove(source, i))
      continue;
    const Access &access = source.kernel.accesses[i];
    std::vector<unsigned> left;
    for (unsigned j = 0; j < ptx.kernel.accesses.size(); ++j)
      if (const Access &other = ptx.kernel.accesses[j];
          other.operation == access.operation && mayBeGlobal(other.space) &&
          comesFrom(other, access))
        left.push_back(j);
    // Of an unrolled loop, several go to one address.
    const Shape shape = ptx.shapes.front().shape.shape;
    if (!left.empty() &&
        llvm::all_of(left, [&](unsigned j) { return isOutside(ptx, j); }) &&
        mostToOneAddress(ptx.kernel, shape, left) <=
            std::max(1u, mostToOneAddressInSource(i, view)))
      moved.push_back(i);
  }
  return moved;
}

} // namespace warplint
