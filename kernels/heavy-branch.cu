// A kernel whose option is off in every launch and still takes the registers of
// the code that it guards, beside its instance without that code: dependent
// loads of whole rows, whose latency only other warps hide.
#include "twin.h"

namespace {

const char *const check = "heavy-branch";
constexpr int threads = 256, tableSize = 1 << 24, steps = 64, row = 32;

/// 8x8 sums in registers, of values near an index.
__device__ __forceinline__ float refined(const float *table, int at,
                                         int depth) {
  float sum[8][8] = {};
#pragma unroll 1
  for (int k = 0; k < depth; ++k) {
    float x[8], y[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      x[r] = table[(at + k * 8 + r) % tableSize]; // expect: scattered-global-access
      y[r] = table[(at + k * 16 + r) % tableSize];
    }
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int q = 0; q < 8; ++q)
        sum[r][q] += x[r] * y[q];
  }
  float total = 0;
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int q = 0; q < 8; ++q)
      total = total * 0.5f + sum[r][q];
  return total;
}

/// Follows links from row to row: each step waits for the load of the step
/// before, and moves no more than the bytes that it needs.
__device__ __forceinline__ int walk(const int *next, int at) {
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
    at = next[at]; // expect: scattered-global-access
  return at;
}

__global__ void byArgument(const int *next, const float *table, float *out, // expect: low-occupancy
                           int depth, bool refine) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = walk(next, i);
  float total = at;
  if (refine) // expect: heavy-branch
    total += refined(table, at, depth);
  out[i] = total;
}

template <bool refine>
__global__ void byTemplate(const int *next, const float *table, float *out, // expect: low-occupancy
                           int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int at = walk(next, i);
  float total = at;
  if constexpr (refine)
    total += refined(table, at, depth);
  out[i] = total;
}

bool compareOptions() {
  const int count = 1 << 20;
  std::vector<int> links(tableSize);
  for (int i = 0; i < tableSize; ++i)
    links[i] =
        (i / row * 1664525u + 1013904223u) % (tableSize / row) * row + i % row;
  twin::DeviceArray<int> next(links);
  twin::DeviceArray<float> table(twin::randomNumbers<float>(tableSize, -1, 1));
  twin::DeviceArray<float> slow(count), fast(count);
  const bool refine = false;
  return twin::compare(
      {check, "option", "an option that is off: an argument -> a template "
                        "parameter"},
      [&] {
        byArgument<<<count / threads, threads>>>(next.get(), table.get(),
                                                 slow.get(), 16, refine);
      },
      slow,
      [&] {
        if (refine)
          byTemplate<true><<<count / threads, threads>>>(
              next.get(), table.get(), fast.get(), 16);
        else
          byTemplate<false><<<count / threads, threads>>>(
              next.get(), table.get(), fast.get(), 16);
      },
      fast);
}

} // namespace

int main() { return compareOptions() ? 0 : 1; }
