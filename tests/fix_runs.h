// Sources with findings that have a fix, and runs that write it.
#pragma once
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include <gmock/gmock.h>

namespace warplint {

const char *const transpose = R"(
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + y] = tile[threadIdx.x][threadIdx.y];
}
void run(const float *in, float *out, int n) {
  transpose<<<dim3(8, 8), dim3(32, 32)>>>(in, out, n);
}
)";

const char *const sums = R"(
__global__ void sums(float *a, const float *b, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < turns; ++k)
    a[i] += b[k * n + i];
}
)";

/// Two powers with one text in one line, and a factor that each iteration
/// loads.
const char *const powers = R"(
__global__ void powers(float *out, const float *in, const float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    float x = in[k * 1024 + i];
    out[k * 1024 + i] = c[i] * powf(x, 2.0f) + powf(x, 2.0f) / powf(c[i] - x, 3);
  }
}
)";

/// A table of counts with an index that is loaded.
const char *const counts = R"(
__global__ void counts(const int *key, int *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count[8] = {};
  for (int k = 0; k < turns; ++k)
    ++count[key[k * n + i] & 7];
  for (int b = 0; b < 8; ++b)
    out[b * n + i] = count[b];
}
)";

/// A double that changes nothing.
const char *const clamp = R"(
__global__ void clamp(float *a, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  for (int k = 0; k < turns; ++k)
    x = max(x * 0.5f - 0.125f, 1e-3);
  a[i] = x;
}
)";

/// Two doubles in one expression, of which each rounds.
const char *const mix = R"(
__global__ void mix(float *a, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = x;
  for (int k = 0; k < turns; ++k)
    x = 0.9 * x + 0.1 * y;
  a[i] = x;
}
)";

struct FixRun : testing::Test {
  InputFolder folder;

  void SetUp() override {
    if (nvccForTests().empty())
      GTEST_SKIP() << "NO NVCC: no fix can be proven";
  }

  Outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--arch", "sm_90", "--no-cache"});
    return runProgram(words);
  }
};

} // namespace warplint
