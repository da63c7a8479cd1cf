// Four kernels whose lanes part ways again and again, each beside a twin in
// which whole warps go one way.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "divergent-branch";

__device__ float relax(float v, int turns) {
  for (int k = 0; k < turns; ++k)
    v = v * 1.0001f + sqrtf(v); // expect: slow-math
  return v;
}

__device__ float decay(float v, int turns) {
  for (int k = 0; k < turns; ++k)
    v = v * 0.9999f + __expf(-v);
  return v;
}

// Even elements are relaxed and odd ones decay.
__global__ void evenAndOddByLane(const float *in, float *out, int n,
                                 int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 2 == 0) // expect: divergent-branch
    out[i] = relax(in[i], turns);
  else
    out[i] = decay(in[i], turns);
}

// The same elements in another order: the first half of the warps of a block
// takes the even ones.
__global__ void evenAndOddByWarp(const float *in, float *out, int n,
                                 int turns) {
  int half = blockDim.x / 2, t = threadIdx.x;
  bool odd = t >= half;
  int i = blockIdx.x * blockDim.x + 2 * (odd ? t - half : t) + odd;
  if (i >= n)
    return;
  if (!odd)
    out[i] = relax(in[i], turns);
  else
    out[i] = decay(in[i], turns);
}

// Four kinds of elements, that alternate.
__global__ void kindsByLane(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = in[i];
  switch (threadIdx.x & 3) { // expect: divergent-branch
  case 0:
    v = relax(v, turns);
    break;
  case 1:
    v = decay(v, turns);
    break;
  case 2:
    for (int k = 0; k < turns; ++k)
      v = v * 0.8f + __sinf(v);
    break;
  default:
    for (int k = 0; k < turns; ++k)
      v = v * 0.7f + __cosf(v);
  }
  out[i] = v;
}

// By warp: elements of one kind are four apart, which costs sectors and is worth
// it.
__global__ void kindsByWarp(const float *in, float *out, int n, int turns) {
  int quarter = blockDim.x / 4, kind = threadIdx.x / quarter;
  int i = blockIdx.x * blockDim.x + 4 * (threadIdx.x % quarter) + kind;
  if (i >= n)
    return;
  float v = in[i]; // expect: strided-global-access
  switch (kind) {
  case 0:
    v = relax(v, turns);
    break;
  case 1:
    v = decay(v, turns);
    break;
  case 2:
    for (int k = 0; k < turns; ++k)
      v = v * 0.8f + __sinf(v);
    break;
  default:
    for (int k = 0; k < turns; ++k)
      v = v * 0.7f + __cosf(v);
  }
  out[i] = v; // expect: strided-global-access
}

// Sums of blocks: with growing distances, the threads that add are fewer in
// every warp in each step.
__global__ void sumWithGaps(const float *in, float *sums) {
  __shared__ float partial[threads];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int s = 1; s < threads; s *= 2) { // expect: shared-tree-reduction
    if (t % (2 * s) == 0)
      partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = partial[0];
}

// With shrinking distances they are fewer warps.
__global__ void sumWithoutGaps(const float *in, float *sums) {
  __shared__ float partial[threads];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int s = threads / 2; s > 0; s /= 2) { // expect: shared-tree-reduction
    if (t < s)
      partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = partial[0];
}

// One half of a red and black relaxation: cells of one colour are made from
// their neighbours of the other.
__global__ void colourByGuard(float *grid, int n, int colour, float weight) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
    return;
  if ((x + y) % 2 == colour) { // expect: divergent-branch
    float old = grid[y * n + x];
    float around = grid[y * n + x - 1] + grid[y * n + x + 1] +
                   grid[(y - 1) * n + x] + grid[(y + 1) * n + x];
    grid[y * n + x] = old + weight * (0.25f * around + 1.0f - old);
  }
}

// A thread for each cell of that colour: the same sectors, half the warps.
__global__ void colourByIndex(float *grid, int n, int colour, float weight) {
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + ((y + colour) & 1);
  if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
    return;
  float old = grid[y * n + x];
  float around = grid[y * n + x - 1] + grid[y * n + x + 1] +
                 grid[(y - 1) * n + x] + grid[(y + 1) * n + x]; // expect: strided-global-access
  grid[y * n + x] = old + weight * (0.25f * around + 1.0f - old);
}

bool compareSides() {
  const int n = 1 << 22, turns = 64;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  bool agreed = twin::compare(
      {check, "two-sides", "even and odd elements: by lane -> by warp", 1e-4},
      [&] {
        evenAndOddByLane<<<n / threads, threads>>>(in.get(), slow.get(), n,
                                                   turns);
      },
      slow,
      [&] {
        evenAndOddByWarp<<<n / threads, threads>>>(in.get(), fast.get(), n,
                                                   turns);
      },
      fast);
  return twin::compare(
             {check, "four-ways", "a switch over 4 kinds: by lane -> by warp", 1e-4},
             [&] {
               kindsByLane<<<n / threads, threads>>>(
                   in.get(), slow.get(), n, turns);
             },
             slow,
             [&] {
               kindsByWarp<<<n / threads, threads>>>(
                   in.get(), fast.get(), n, turns);
             },
             fast) &&
         agreed;
}

bool compareReductions() {
  const int blocks = 1 << 17;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(blocks) * threads, 0, 1));
  twin::DeviceArray<float> slow(blocks), fast(blocks);
  return twin::compare(
      {check, "interleaved-reduction",
       "block sums: every 2s-th thread adds -> the first s threads add", 1e-5},
      [&] { sumWithGaps<<<blocks, threads>>>(in.get(), slow.get()); }, slow,
      [&] { sumWithoutGaps<<<blocks, threads>>>(in.get(), fast.get()); }, fast);
}

bool compareColours() {
  const int n = 8192;
  const std::size_t cells = std::size_t(n) * n;
  twin::DeviceArray<float> slow(cells), fast(cells);
  dim3 block(64, 4);
  return twin::compare(
      {check, "red-black",
       "cells of one colour of 8192x8192: a guard -> a thread for each of them"},
      [&] {
        colourByGuard<<<dim3(n / 64, n / 4), block>>>(slow.get(), n, 0, 0.9f);
      },
      slow,
      [&] {
        colourByIndex<<<dim3(n / 128, n / 4), block>>>(fast.get(), n, 0, 0.9f);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareSides();
  agreed = compareReductions() && agreed;
  agreed = compareColours() && agreed;
  return agreed ? 0 : 1;
}
