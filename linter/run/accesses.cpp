// Sources to the list of their accesses.
#include "run/list_kernels.h"
#include "run/pipeline.h"

namespace warplint {

llvm::Expected<AccessReport> accesses(const Options &options) {
  auto list =
      listKernels<AccessRow>(options, [](const Kernel &kernel, const Work &) {
        return accessRows(kernel);
      });
  if (!list)
    return list.takeError();
  return AccessReport{std::move(list->rows), std::move(list->report)};
}

} // namespace warplint
