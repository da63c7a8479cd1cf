// Tests what machine instructions leave in registers, by the real nvcc and
// nvdisasm.
#include "register_sources.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

// ptxas turns short branches into guarded instructions, and keeps a register
// for what they write from the kernel's start.
TEST(RegisterValues, NamesWhatAGuardedInstructionWillWrite) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__global__ void boundary(const int *listX, const int *listY, const int *listZ,
                         double *x, double *y, double *z, int n, int freeX,
                         int freeY, int freeZ) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (freeX == 0)
    x[listX[i]] = 0;
  if (freeY == 0)
    y[listY[i]] = 0;
  if (freeZ == 0)
    z[listZ[i]] = 0;
}
)");
  EXPECT_THAT(out, HasSubstr("parameter 'listX'"));
  EXPECT_THAT(out, HasSubstr("parameter 'listY'"));
  EXPECT_THAT(out, testing::Not(HasSubstr("unnamed")));
}

// The PTX has an array of the frame; ptxas selects among registers by the
// index.
TEST(RegisterValues, NamesAnArrayThatPtxasKeepsInRegisters) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__global__ void nearest(const int *x, int *out, int n, int radius) {
  int best[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k)
    best[k] = radius;
  for (int j = 0; j < n; ++j) {
    int distance = x[j] * x[j];
    int k = distance & 7;
    if (distance < best[k]) {
      out[i * 8 + k] = j;
      best[k] = distance;
    }
  }
}
)");
  EXPECT_THAT(out, HasSubstr("elements of 'best[8]' hold "));
  EXPECT_THAT(out, testing::Not(HasSubstr("__local_depot")));
}

// A register that a called function returns in has its name.
TEST(RegisterValues, NamesTheResultOfACall) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__device__ __noinline__ float power(float x, int n) {
  float y = 1;
  for (int i = 0; i < n; ++i)
    y = y * x + 1;
  return y;
}
__global__ void sum(const float *a, float *b, int n) {
  b[threadIdx.x] = power(a[0], n) * power(a[1], n + 1) - power(a[2], n + 2) *
                   power(a[3], n + 3);
}
)");
  EXPECT_THAT(out, HasSubstr("result of 'power'"));
}

} // namespace
