// Loops that one thread of a block executes while the others wait, beside the same
// work by all of them.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "single-lane-work";

__global__ void sumByOne(const float *in, float *sums) {
  __shared__ float part[threads];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int i = 0; i < threads; ++i) // expect: single-lane-work
      sum += part[i];
    sums[blockIdx.x] = sum;
  }
}

__global__ void sumByAll(const float *in, float *sums) {
  __shared__ float part[threads / 32];
  int t = threadIdx.x;
  float sum = in[blockIdx.x * threads + t];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t % 32 == 0)
    part[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    for (int w = 1; w < threads / 32; ++w)
      sum += part[w];
    sums[blockIdx.x] = sum;
  }
}

// A table that each block loads first.
__global__ void tableByOne(const float *in, const float *table, float *out,
                           int size) {
  __shared__ float own[1024];
  int t = threadIdx.x;
  if (t == 0)
    for (int i = 0; i < size; ++i) // expect: single-lane-work
      own[i] = table[i];
  __syncthreads();
  int i = blockIdx.x * threads + t;
  out[i] = in[i] * own[i % 1024];
}

__global__ void tableByAll(const float *in, const float *table, float *out,
                           int size) {
  __shared__ float own[1024];
  int t = threadIdx.x;
  for (int i = t; i < size; i += threads)
    own[i] = table[i];
  __syncthreads();
  int i = blockIdx.x * threads + t;
  out[i] = in[i] * own[i % 1024];
}

bool compareSums() {
  const int blocks = 1 << 16;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(blocks) * threads, 0, 1));
  twin::DeviceArray<float> slow(blocks), fast(blocks);
  return twin::compare(
      {check, "block-sum", "sums of 256 elements: one thread -> shuffles", 1e-5},
      [&] { sumByOne<<<blocks, threads>>>(in.get(), slow.get()); }, slow,
      [&] { sumByAll<<<blocks, threads>>>(in.get(), fast.get()); }, fast);
}

bool compareTables() {
  const int blocks = 1 << 13, size = 1024;
  const std::size_t n = std::size_t(blocks) * threads;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> table(twin::randomNumbers<float>(size, 0, 1, 2));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "table", "a table of 1024 elements: loaded by one thread -> by all"},
      [&] {
        tableByOne<<<blocks, threads>>>(in.get(), table.get(), slow.get(), size);
      },
      slow,
      [&] {
        tableByAll<<<blocks, threads>>>(in.get(), table.get(), fast.get(), size);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareSums();
  agreed = compareTables() && agreed;
  return agreed ? 0 : 1;
}
