// How often the stores of a kernel execute, of kernels as users write them.
#pragma once
#include "cost/frequency.h"
#include "read_text.h"
#include <cmath>
#include <gmock/gmock.h>

namespace warplint {

/// The counts of the stores of the first kernel.
struct FrequencyOf : testing::Test {
  SourceModel model;

  std::vector<Frequency> stores(const std::string &text) {
    model = readText(text);
    std::vector<Frequency> result;
    if (model.kernels.empty())
      return result;
    const Kernel &kernel = model.kernels[0];
    Frequencies frequencies(kernel, kernel.shapes[0]);
    for (const Access &access : kernel.accesses)
      if (access.operation == Operation::Store)
        result.push_back(frequencies.of(access.loops, access.guard));
    assumed = frequencies.assumedBounds();
    return result;
  }
  std::vector<std::string> assumed;
};

// A loop over the whole grid, and its launch.
inline const std::string overGrid =
    "__global__ void k(int *out, int n) {\n"
    "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
    "       i += blockDim.x * gridDim.x)\n"
    "    out[i] = i;\n"
    "}\n";
inline const std::string launched = "int main() { k<<<64, 256>>>(0, 100); }\n";

} // namespace warplint
