// Sums of rows by a tree in shared memory, beside sums by shuffles: once for each
// block, and again and again in one.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "shared-tree-reduction";

__global__ void sumByTree(const float *in, float *sums) {
  __shared__ float part[threads];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int s = threads / 2; s > 0; s /= 2) { // expect: shared-tree-reduction
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

// Every second thread, every fourth thread, ...
__global__ void sumByGaps(const float *in, float *sums) {
  __shared__ float part[threads];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int s = 1; s < threads; s *= 2) { // expect: shared-tree-reduction
    if (t % (2 * s) == 0)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}

/// The sum of the block in its thread 0. `part` has an element for each warp.
__device__ float sumOfBlock(float sum, float *part) {
  int t = threadIdx.x;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t % 32 == 0)
    part[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = t < threads / 32 ? part[t] : 0;
    for (int d = threads / 64; d > 0; d /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, d);
  }
  return sum;
}

__global__ void sumByShuffles(const float *in, float *sums) {
  __shared__ float part[threads / 32];
  float sum = sumOfBlock(in[blockIdx.x * threads + threadIdx.x], part);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

// A block has several rows, and reduces each of them.
__global__ void rowsByTree(const float *in, float *sums, int rows) {
  __shared__ float part[threads];
  int t = threadIdx.x;
  for (int r = 0; r < rows; ++r) {
    int row = blockIdx.x * rows + r;
    part[t] = in[row * threads + t];
    __syncthreads();
    for (int s = threads / 2; s > 0; s /= 2) { // expect: shared-tree-reduction
      if (t < s)
        part[t] += part[t + s];
      __syncthreads();
    }
    if (t == 0)
      sums[row] = part[0];
    __syncthreads();
  }
}

__global__ void rowsByShuffles(const float *in, float *sums, int rows) {
  __shared__ float part[threads / 32];
  for (int r = 0; r < rows; ++r) {
    int row = blockIdx.x * rows + r;
    float sum = sumOfBlock(in[row * threads + threadIdx.x], part);
    if (threadIdx.x == 0)
      sums[row] = sum;
    __syncthreads();
  }
}

} // namespace

int main() {
  const int rows = 1 << 17, perBlock = 16;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(rows) * threads, 0, 1));
  twin::DeviceArray<float> slow(rows), fast(rows);
  auto shuffles = [&] {
    sumByShuffles<<<rows, threads>>>(in.get(), fast.get());
  };
  bool agreed = twin::compare(
      {check, "once", "block sums: a tree in shared memory -> shuffles", 1e-5},
      [&] { sumByTree<<<rows, threads>>>(in.get(), slow.get()); }, slow,
      shuffles, fast);
  agreed = twin::compare({check, "interleaved",
                          "block sums: every 2s-th thread adds -> shuffles", 1e-5},
                         [&] { sumByGaps<<<rows, threads>>>(in.get(), slow.get()); },
                         slow, shuffles, fast) &&
           agreed;
  agreed = twin::compare(
               {check, "in-a-loop",
                "16 rows for each block: a tree for each -> shuffles", 1e-5},
               [&] {
                 rowsByTree<<<rows / perBlock, threads>>>(in.get(), slow.get(),
                                                          perBlock);
               },
               slow,
               [&] {
                 rowsByShuffles<<<rows / perBlock, threads>>>(
                     in.get(), fast.get(), perBlock);
               },
               fast) &&
           agreed;
  return agreed ? 0 : 1;
}
