#include "cost/joined_costs.h"
#include "cost/free_stride.h"
#include "cost/reached.h"
#include "cost/vector_width.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplint {

namespace {

/// Leaves out stores of a constant, selected by data, over a value that the
/// thread has just stored: they correct rare exceptions (a deviation of 0
/// that becomes 1), so counting all lanes would overestimate them.
void leaveCorrections(const Kernel &kernel, std::vector<Cost> &costs) {
  for (size_t i = 0; i < costs.size(); ++i) {
    const Access &access = kernel.accesses[i];
    Cost &cost = costs[i];
    if (access.operation != Operation::Store || !access.storesSame ||
        cost.chosenBy.empty() || cost.space != Space::Global)
      continue;
    for (size_t before = 0; before < i; ++before)
      if (const Access &first = kernel.accesses[before];
          first.operation == Operation::Store &&
          first.address == access.address && first.loops == access.loops &&
          costs[before].chosenBy.empty()) {
        cost.basis = Basis::Unknown;
        cost.why = std::exchange(cost.chosenBy, "");
        break;
      }
  }
}

/// The ways of an access as part of an aligned one of `bytes`.
unsigned waysAt(const Cost &cost, unsigned bytes) {
  return conflictWays(alignedTo(cost.addresses, bytes), cost.active, bytes);
}

/// Recomputes the ways of conflicting accesses as part of the wider
/// instruction that the compiler makes, or may make.
void widen(const Kernel &kernel, Shape shape, std::vector<Cost> &costs) {
  for (size_t i = 0; i < costs.size(); ++i) {
    Cost &cost = costs[i];
    if (cost.space != Space::Shared || cost.basis == Basis::Unknown ||
        cost.ways < 1.5)
      continue;
    unsigned bytes = vectorBytes(kernel, shape, i);
    if (bytes == kernel.accesses[i].bytes)
      continue;
    const unsigned sure = surelyVectorBytes(kernel, shape, i);
    if (sure > kernel.accesses[i].bytes)
      cost.ways = cost.high = waysAt(cost, sure);
    if (sure >= bytes) {
      cost.low = cost.lowWhole = cost.ways;
      continue;
    }
    const double joined = waysAt(cost, bytes);
    cost.low = std::min(cost.low, joined);
    cost.lowWhole = std::min(cost.lowWhole, joined);
    if (cost.lowWhole < cost.ways)
      cost.basis = Basis::Assumed;
  }
}

/// No bank has more words of an array than the array has rows of all banks,
/// whatever the unknown sizes in an index are.
void limitByArray(const Kernel &kernel, std::vector<Cost> &costs) {
  constexpr double bytesOfBanks = 128;
  for (size_t i = 0; i < costs.size(); ++i) {
    Cost &cost = costs[i];
    if (cost.space != Space::Shared || cost.basis == Basis::Unknown)
      continue;
    const auto object = onlyObject(kernel, kernel.accesses[i].address);
    const uint64_t bytes = object ? kernel.objects[*object].bytes : 0;
    if (!bytes)
      continue;
    const double most = std::ceil(double(bytes) / bytesOfBanks);
    for (double *ways : {&cost.ways, &cost.low, &cost.high, &cost.lowWhole})
      *ways = std::min(*ways, most);
  }
}

/// Takes the lanes of an access to be neighbours where the caller chooses all
/// strides: that is what tensors and matrices are usually passed for. The type
/// of a library's array says which index is contiguous; PTX does not have it,
/// and answers what the strides can cost.
void takeCallersLayout(const Kernel &kernel, std::vector<Cost> &costs) {
  if (kernel.isCompiled || kernel.isDispatched)
    return;
  SpareStrides spare(kernel);
  for (size_t i = 0; i < costs.size(); ++i) {
    const Access &access = kernel.accesses[i];
    Cost &cost = costs[i];
    if (cost.basis != Basis::Assumed || cost.space != Space::Global ||
        cost.excess() < 2 || access.layout ||
        (!hasFreeStrides(kernel, access) && !spare.hasOfView(access)))
      continue;
    uint64_t next = cost.addresses[llvm::countr_zero(cost.active)];
    next -= next % lineBytes;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      if (cost.active >> lane & 1)
        cost.addresses[lane] = std::exchange(next, next + access.bytes);
    cost.sectors = cost.idealSectors =
        sectorsTouched(cost.addresses, cost.active, access.bytes);
  }
}

} // namespace

std::vector<Cost> joined(const Kernel &kernel, Shape shape,
                         std::vector<Cost> costs) {
  leaveCorrections(kernel, costs);
  takeCallersLayout(kernel, costs);
  widen(kernel, shape, costs);
  limitByArray(kernel, costs);
  return costs;
}

} // namespace warplint
