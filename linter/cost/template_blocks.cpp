#include "cost/template_blocks.h"
#include "cost/request.h"
#include <map>

namespace warplint {

void settleTemplateBlocks(std::vector<CostedKernel> &kernels) {
  // By the template and the file of the launch.
  std::map<std::pair<Place, std::string>, uint64_t> largest;
  const auto forEachLaunched = [&](auto use) {
    for (CostedKernel &costed : kernels)
      for (const ShapeCosts &costs : costed.shapes)
        if (const KernelShape &shape = costs.shape;
            shape.source == ShapeSource::Launch && !shape.place.file.empty() &&
            shape.shape.threads() % warpSize == 0)
          use(costed, shape.shape.threads(),
              largest[{costed.kernel.place, shape.place.file}]);
  };
  forEachLaunched([](CostedKernel &, uint64_t threads, uint64_t &most) {
    most = std::max(most, threads);
  });
  forEachLaunched([](CostedKernel &costed, uint64_t, uint64_t most) {
    costed.largestOfTemplate = std::max(costed.largestOfTemplate, most);
  });
}

} // namespace warplint
