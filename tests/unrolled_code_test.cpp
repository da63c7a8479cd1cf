// What registers hold since loops are unrolled is not loaded again.
#include "cost/unrolled_code.h"
#include "time_of.h"

using namespace warplint;

namespace {

struct UnrolledCode : TimeOf {
  /// The part of the requests of `a` that is left.
  double partOfA(const std::string &text) {
    const KernelTime &time = read(text);
    return partsHeld(kernel->kernel, time.frequencies())[loadOfA()];
  }
  static std::string nearest(const std::string &inner,
                             const std::string &last = "") {
    return "__global__ void k(const float *a, const float *b, int *out,\n"
           "                  int centres) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;\n"
           "  float best = 1e30f;\n"
           "  for (int c = 0; c < centres; ++c) {\n"
           "    float sum = 0;\n"
           "    for (int j = 0; j < 16; ++j) {\n" +
           inner +
           "    }\n"
           "    if (sum < best) best = sum, at = c;\n" +
           last +
           "  }\n"
           "  out[i] = at;\n"
           "}\n"
           "int main() { k<<<4096, 256>>>(0, 0, 0, 64); }\n";
  }
};

} // namespace

// A million points against 64 centres take an H200 184 us. Loaded again for
// each centre they took 2,186, and 88 % of that were said to be lost to the
// stride.
TEST_F(UnrolledCode, APointStaysInRegistersForAllCentres) {
  const std::string point =
      "      float x = a[i * 16 + j] - b[c * 16 + j];\n      sum += x * x;\n";
  EXPECT_DOUBLE_EQ(partOfA(nearest(point)), 1.0 / 64);
  const KernelTime &time = timeOf(*kernel, kernel->shapes[0]);
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 184, 30);
  EXPECT_LT(coalescing(time, Operation::Load), .2);
}

TEST_F(UnrolledCode, WhatMayChangeIsLoadedAgain) {
  const std::string point =
      "      float x = a[i * 16 + j] - b[c * 16 + j];\n      sum += x * x;\n";
  EXPECT_DOUBLE_EQ(partOfA(nearest(point, "    out[c] = at;\n")), 1);
  EXPECT_DOUBLE_EQ(partOfA(nearest(point, "    __syncthreads();\n")), 1);
  EXPECT_DOUBLE_EQ(partOfA(nearest(point, "    __threadfence();\n")), 1);
  EXPECT_DOUBLE_EQ(partOfA(nearest(point + "      if (sum > best) break;\n")),
                   1);
  // Another element for each centre, a condition on it, a loop that stays.
  EXPECT_DOUBLE_EQ(
      partOfA(nearest("      sum += a[(i + c) * 16 + j] * b[c];\n")), 1);
  EXPECT_DOUBLE_EQ(
      partOfA(nearest("      if (b[c] > j) sum += a[i * 16 + j];\n")), 1);
  EXPECT_DOUBLE_EQ(partOfA(nearest("#pragma unroll 1\n"
                                   "      for (int m = 0; m < 16; ++m)\n"
                                   "        sum += a[i * 16 + m] * b[c];\n")),
                   1);
}

// The product of tiles that each thread has 4x4 elements of: an H200 takes 553
// us; 1,364 if each of its rows loaded the columns again.
TEST_F(UnrolledCode, RowsOfAThreadsTileShareTheColumns) {
  const KernelTime &time = read(R"(
__global__ void k(const float *a, const float *b, float *c, int n) {
  __shared__ float A[16][64], B[16][64];
  float s[4][4] = {};
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  for (int k = 0; k < n; k += 16) {
    for (int i = 0; i < 4; ++i) {
      int e = t + i * 256;
      A[e / 64][e % 64] = a[(k + e / 64) * n + blockIdx.y * 64 + e % 64];
      B[e / 64][e % 64] = b[(k + e / 64) * n + blockIdx.x * 64 + e % 64];
    }
    __syncthreads();
    for (int kk = 0; kk < 16; ++kk)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          s[i][j] += A[kk][ty * 4 + i] * B[kk][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] =
          s[i][j];
}
int main() { k<<<dim3(32, 32), dim3(16, 16)>>>(0, 0, 0, 2048); }
)");
  ASSERT_TRUE(time.microseconds());
  EXPECT_NEAR(*time.microseconds(), 553, 80);
}
