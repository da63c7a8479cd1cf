#include "report/resources/resources.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

namespace warplint {

ResourceRow::Number ResourceRow::spill() const {
  if (!spillStores || !spillLoads)
    return std::nullopt;
  return *spillStores + *spillLoads;
}

llvm::ArrayRef<Measure> measures() {
  static constexpr Measure all[] = {
      {"spillStores", "spill stores", &ResourceRow::spillStores},
      {"spillLoads", "spill loads", &ResourceRow::spillLoads},
      {"stack", "stack", &ResourceRow::stack},
      {"arrays", "arrays", &ResourceRow::arrays},
      {"spills", "spills", &ResourceRow::spills},
      {"other", "other", &ResourceRow::other},
      {"cycles", "predicted cycles", &ResourceRow::cycles},
      {"occupancy", "occupancy", &ResourceRow::occupancy, true},
      {"registers", "registers", &ResourceRow::registers},
      {"shared", "shared", &ResourceRow::shared},
      {"barriers", "barriers", &ResourceRow::barriers},
  };
  return all;
}

/// Without a compiler report, spills are known only from their share of the
/// frame.
static unsigned spilled(const ResourceRow &row) {
  return row.spill().value_or(row.spills.value_or(0));
}

static auto harm(const ResourceRow &row) {
  return std::tuple(-int64_t(spilled(row)), -int64_t(row.stack.value_or(0)),
                    row.occupancy.value_or(100),
                    -int64_t(row.registers.value_or(0)),
                    -int64_t(row.shared.value_or(0)));
}

static auto identity(const ResourceRow &row) {
  return std::tie(row.kernel, row.signature, row.architecture, row.source,
                  row.flags, row.mangled, row.place);
}

bool hurtsMore(const ResourceRow &a, const ResourceRow &b) {
  auto harmA = harm(a), harmB = harm(b);
  return harmA != harmB ? harmA < harmB : identity(a) < identity(b);
}

void sortByHarm(std::vector<ResourceRow> &rows) {
  llvm::sort(rows, hurtsMore);
  rows.erase(llvm::unique(rows), rows.end());
}

} // namespace warplint
