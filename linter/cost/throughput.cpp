#include "cost/throughput.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

const Throughput &throughputOf(unsigned capability) {
  static constexpr Throughput rows[] = {
      {50, 4, 4, 32, 64, 1, 2, 0.4, 1.0, 16, 64},        // GTX 980
      {60, 2, 32, 16, 32, 1, 2, 0.28, 1.48, 56, 64},     // P100
      {61, 4, 4, 32, 64, 1, 2, 0.33, 1.58, 28, 64},      // GTX 1080 Ti
      {70, 4, 32, 16, 64, 1, 2, 0.23, 1.53, 80, 64},     // V100
      {75, 4, 2, 16, 64, 1, 2, 0.16, 1.59, 40, 32},      // T4
      {80, 4, 32, 16, 64, 1, 2, 0.32, 1.41, 108, 64},    // A100
      {86, 4, 2, 16, 64, 1, 2, 0.21, 1.7, 84, 48},       // RTX 3090
      {89, 4, 2, 16, 64, 1, 2, 0.1, 2.52, 128, 48},      // RTX 4090
      {90, 4, 64, 16, 64, 1, 0.9, 0.535, 1.98, 132, 64}, // H200
      {100, 4, 64, 16, 64, 1, 2, 0.85, 1.85, 148, 64},   // B200
      {120, 4, 2, 16, 64, 1, 2, 0.15, 2.41, 170, 48},    // RTX 5090
  };
  const Throughput *found = rows;
  for (const Throughput &row : rows)
    if (row.capability <= capability)
      found = &row;
  return *found;
}

unsigned capabilityOf(std::string_view architecture) {
  llvm::StringRef text(architecture);
  unsigned number = 0;
  return text.consume_front("sm_") && !text.consumeInteger(10, number)
             ? number
             : usualCapability;
}

} // namespace warplint
