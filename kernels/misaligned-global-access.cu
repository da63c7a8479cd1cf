// Two kernels whose warps begin in the middle of a sector, each beside a twin
// that begins with one.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "misaligned-global-access";

// The inner part of an array with a margin of one element.
__global__ void scaleBehindOne(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i + 1]; // expect: misaligned-global-access
}

// The same with a margin of a sector.
__global__ void scaleBehindEight(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i + 8];
}

// Samples behind a header of 4 bytes.
__global__ void sumBehindHeader(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += in[1 + k * (1 << 20) + i]; // expect: misaligned-global-access
  if (i < n)
    out[i] = sum;
}

__global__ void sumBehindPadding(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += in[8 + k * (1 << 20) + i];
  if (i < n)
    out[i] = sum;
}

bool compareMargins() {
  const int n = 1 << 25, margin = 8;
  std::vector<float> numbers = twin::randomNumbers<float>(n, -1, 1);
  std::vector<float> one(n + margin), eight(n + margin);
  std::copy(numbers.begin(), numbers.end(), one.begin() + 1);
  std::copy(numbers.begin(), numbers.end(), eight.begin() + margin);
  twin::DeviceArray<float> behindOne(one), behindEight(eight);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "margin", "inner part of an array: behind 1 element -> behind 8"},
      [&] {
        scaleBehindOne<<<n / threads, threads>>>(behindOne.get(), slow.get(),
                                                 n);
      },
      slow,
      [&] {
        scaleBehindEight<<<n / threads, threads>>>(behindEight.get(),
                                                   fast.get(), n);
      },
      fast);
}

bool compareHeaders() {
  const int n = 1 << 20, margin = 8;
  std::vector<float> numbers = twin::randomNumbers<float>(32 * n, -1, 1);
  std::vector<float> one(32 * n + margin), eight(32 * n + margin);
  std::copy(numbers.begin(), numbers.end(), one.begin() + 1);
  std::copy(numbers.begin(), numbers.end(), eight.begin() + margin);
  twin::DeviceArray<float> behindOne(one), behindEight(eight);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "header", "sums of samples: behind 4 bytes -> behind 32"},
      [&] {
        sumBehindHeader<<<n / threads, threads>>>(behindOne.get(), slow.get(),
                                                  n);
      },
      slow,
      [&] {
        sumBehindPadding<<<n / threads, threads>>>(behindEight.get(),
                                                   fast.get(), n);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareMargins();
  agreed = compareHeaders() && agreed;
  return agreed ? 0 : 1;
}
