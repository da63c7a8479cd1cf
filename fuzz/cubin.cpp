#include "machine/cubin.h"
#include "fuzz/targets.h"
#include "machine/fatbin.h"

using namespace llvm;

namespace warplint {

static void readAsCubin(MemoryBufferRef file) {
  if (auto report = readCubin(file); !report)
    consumeError(report.takeError());
  if (auto architecture = architectureOfCubin(file); !architecture)
    consumeError(architecture.takeError());
}

/// Reads a cubin, or a file that holds cubins.
void fuzzCubin(StringRef bytes) {
  readAsCubin({bytes, "x"});
  auto files = readDeviceImages({bytes, "x"});
  if (!files)
    return consumeError(files.takeError());
  for (const DeviceImage &image : files->images)
    if (!image.isPtx)
      readAsCubin({image.bytes, "x"});
}

} // namespace warplint
