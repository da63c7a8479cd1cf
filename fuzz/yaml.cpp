#include "fuzz/targets.h"
#include "input/config.h"
#include "input/name_pattern.h"

using namespace llvm;

namespace warplint {

/// Its patterns are matched as well.
void fuzzYaml(StringRef bytes) {
  static const std::vector<ConfigurableCheck> known = {
      {"register-spill", "bytes", 1, 1024}, {"uniform-global-load", "", 0, 0}};
  auto config = readConfig("/p/.warplint.yaml", bytes, known);
  if (!config)
    return consumeError(config.takeError());
  for (const Said<KernelBlock> &block : config->blocks)
    (void)matchesName(block.value.pattern, "ns::gather<float, 4>");
  for (const Said<std::string> &pattern : config->skip)
    (void)matchesPath(pattern.value, "/p",
                      "/p/src/third_party/aaaaaaaaaa/a.cu");
}

} // namespace warplint
