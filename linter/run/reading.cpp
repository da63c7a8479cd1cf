#include "run/reading.h"

namespace warplint {

Outline outlineOf(const SourceModel &model) {
  Outline outline{{},
                  model.launches,
                  model.errors,
                  model.notRead,
                  model.userFiles,
                  model.markedFiles};
  for (const Kernel &kernel : model.kernels)
    outline.kernels.push_back(outlineOf(kernel));
  return outline;
}

} // namespace warplint
