#include "cost/demand.h"
#include <algorithm>

namespace warplint {

Demand &Demand::operator+=(const Demand &other) {
  instructions += other.instructions;
  doubles += other.doubles;
  special += other.special;
  logic += other.logic;
  products += other.products;
  wavefronts += other.wavefronts;
  sectors += other.sectors;
  storing += other.storing;
  dramSectors += other.dramSectors;
  unsureSectors += other.unsureSectors;
  latency += other.latency;
  together += other.together;
  serialNanoseconds += other.serialNanoseconds;
  return *this;
}

Demand &Demand::operator-=(const Demand &other) {
  auto take = [](double &from, double what) {
    from = std::max(0.0, from - what);
  };
  take(instructions, other.instructions);
  take(doubles, other.doubles);
  take(special, other.special);
  take(logic, other.logic);
  take(products, other.products);
  take(wavefronts, other.wavefronts);
  take(sectors, other.sectors);
  take(storing, other.storing);
  take(dramSectors, other.dramSectors);
  take(unsureSectors, other.unsureSectors);
  take(latency, other.latency);
  take(together, other.together);
  take(serialNanoseconds, other.serialNanoseconds);
  return *this;
}

Demand Demand::operator*(double factor) const {
  return {instructions * factor,     doubles * factor,
          special * factor,          logic * factor,
          products * factor,         wavefronts * factor,
          sectors * factor,          storing * factor,
          dramSectors * factor,      unsureSectors * factor,
          latency * factor,          together * factor,
          serialNanoseconds * factor};
}

Demand Demand::waits() const {
  Demand wait;
  wait.latency = latency;
  wait.together = together;
  return wait;
}

Demand Demand::ofSmallData() const {
  Demand small = *this;
  small.dramSectors = std::max(0.0, dramSectors - unsureSectors);
  small.unsureSectors = 0;
  return small;
}

} // namespace warplint
