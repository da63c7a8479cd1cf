// A source whose kernels hold many registers.
#pragma once
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/Support/Path.h"
#include <gmock/gmock.h>

namespace warplint {

/// The kernel 'product', and 'tight': the same with launch bounds that make it
/// spill.
inline const std::string crowded = [] {
  const std::string body = R"((const float *a, const float *b, float *c, int n,
      int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8] = {};
  for (int k = 0; k < depth; ++k) {
    float x[8], y[8];
    for (int r = 0; r < 8; ++r) {
      x[r] = a[(k * 8 + r) * n + i];
      y[r] = b[(k * 8 + r) * n + i];
    }
    for (int r = 0; r < 8; ++r)
      for (int q = 0; q < 8; ++q)
        sum[r][q] += x[r] * y[q];
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; ++q)
      c[(r * 8 + q) * n + i] = sum[r][q];
}
)";
  return "\n__global__ void product" + body +
         "__global__ void __launch_bounds__(256, 5) tight" + body;
}();

inline bool hasNvdisasm() {
  const std::string nvcc = nvccForTests();
  return bool(llvm::sys::findProgramByName("nvdisasm")) ||
         (!nvcc.empty() &&
          llvm::sys::findProgramByName("nvdisasm",
                                       {llvm::sys::path::parent_path(nvcc)}));
}

/// Returns what `registers` says of the kernels of a source.
inline std::string registersIn(const char *source) {
  InputFolder folder;
  const Outcome run = runProgram(
      {"registers", folder.write("a.cu", source), "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  return run.out;
}

} // namespace warplint

#define NEEDS_NVDISASM                                                         \
  if (nvccForTests().empty() || !hasNvdisasm())                                \
  GTEST_SKIP() << "NO NVDISASM: who holds registers is not tested at all"
