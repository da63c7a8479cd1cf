// Loops with a pragma that the compiler cannot follow, beside the same loops with
// a known bound, and without the pragma.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "ignored-unroll";

__global__ void filterOfAnyLength(const float *in, float *out,
                                  const float *weight, int length) {
  int i = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < length; ++k) // expect: ignored-unroll
    sum += weight[k] * in[i + k];
  out[i] = sum;
}

template <int length>
__global__ void filterOfKnownLength(const float *in, float *out,
                                    const float *weight) {
  int i = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < length; ++k)
    sum += weight[k] * in[i + k];
  out[i] = sum;
}

__global__ void longWithPragma(const float *in, float *out, int n, int columns) {
  int i = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < n; ++k) // expect: ignored-unroll
    sum += in[k * columns + i];
  out[i] = sum;
}

__global__ void longWithoutPragma(const float *in, float *out, int n,
                                  int columns) {
  int i = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[k * columns + i];
  out[i] = sum;
}

bool compareFilters() {
  const int n = 1 << 22, length = 7;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n + length, 0, 1));
  twin::DeviceArray<float> weight(twin::randomNumbers<float>(length, 0, 1, 2));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "short-filter",
       "a filter of 7 elements: an argument -> a template parameter", 1e-5},
      [&] {
        filterOfAnyLength<<<n / threads, threads>>>(in.get(), slow.get(),
                                                    weight.get(), length);
      },
      slow,
      [&] {
        filterOfKnownLength<length>
            <<<n / threads, threads>>>(in.get(), fast.get(), weight.get());
      },
      fast);
}

bool compareLongLoops() {
  const int columns = 1 << 14, n = 1 << 12;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(n) * columns, 0, 1));
  twin::DeviceArray<float> slow(columns), fast(columns);
  return twin::compare(
      {check, "long-loop", "sums of 4096 rows: with the pragma -> without it",
       1e-5},
      [&] {
        longWithPragma<<<columns / threads, threads>>>(in.get(), slow.get(), n,
                                                       columns);
      },
      slow,
      [&] {
        longWithoutPragma<<<columns / threads, threads>>>(in.get(), fast.get(), n,
                                                          columns);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareFilters();
  agreed = compareLongLoops() && agreed;
  return agreed ? 0 : 1;
}
