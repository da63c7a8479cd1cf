// Two kernels that need more registers than they may have, each beside a twin
// that may have them, or needs fewer.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "register-spill";

/// An 8x8 tile of a product for each thread, from 8 + 8 values in each iteration.
template <int tile>
__device__ __forceinline__ void
addProducts(const float *a, const float *b, float *c, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[tile][tile] = {};
  for (int k = 0; k < depth; ++k) {
    float x[tile], y[tile];
#pragma unroll
    for (int r = 0; r < tile; ++r)
      x[r] = a[(k * tile + r) * n + i];
#pragma unroll
    for (int q = 0; q < tile; ++q)
      y[q] = b[(k * tile + q) * n + i];
#pragma unroll
    for (int r = 0; r < tile; ++r)
#pragma unroll
      for (int q = 0; q < tile; ++q)
        sum[r][q] += x[r] * y[q];
  }
#pragma unroll
  for (int r = 0; r < tile; ++r)
#pragma unroll
    for (int q = 0; q < tile; ++q)
      c[(r * tile + q) * n + i] = sum[r][q];
}

// The launch bounds ask for 2048 threads on a multiprocessor (1024 where it
// has no more): 32 registers each, for a tile that has 64 elements.
__global__ void __launch_bounds__(256, 8)
    tilesForManyThreads(const float *a, // expect: register-spill // expect: tight-launch-bounds
                        const float *b, float *c, int n, int depth) {
  addProducts<8>(a, b, c, n, depth);
}

__global__ void __launch_bounds__(256)
    tilesForOneBlock(const float *a, const float *b, float *c, int n, // expect: low-occupancy
                     int depth) {
  addProducts<8>(a, b, c, n, depth);
}

constexpr int values = 48;

// Values that all depend on each other, and room for 2048 threads.
__global__ void __launch_bounds__(1024, 2)
    smoothForManyThreads(const float *in, // expect: register-spill // expect: tight-launch-bounds
                         float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[values];
#pragma unroll
  for (int k = 0; k < values; ++k)
    v[k] = in[k * n + i];
#pragma unroll
  for (int turn = 0; turn < 4; ++turn)
#pragma unroll
    for (int k = 0; k < values; ++k)
      v[k] = 0.5f * v[(k + 11) % values] + 0.25f * v[(5 * k + turn) % values];
#pragma unroll
  for (int k = 0; k < values; ++k)
    out[k * n + i] = v[k];
}

__global__ void __launch_bounds__(256)
    smoothForFewThreads(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[values];
#pragma unroll
  for (int k = 0; k < values; ++k)
    v[k] = in[k * n + i];
#pragma unroll
  for (int turn = 0; turn < 4; ++turn)
#pragma unroll
    for (int k = 0; k < values; ++k)
      v[k] = 0.5f * v[(k + 11) % values] + 0.25f * v[(5 * k + turn) % values];
#pragma unroll
  for (int k = 0; k < values; ++k)
    out[k * n + i] = v[k];
}

bool compareTiles() {
  const int n = 1 << 18, depth = 16;
  std::vector<float> left = twin::randomNumbers<float>(size_t(n) * 8 * depth,
                                                       -1, 1, 1);
  std::vector<float> right = twin::randomNumbers<float>(size_t(n) * 8 * depth,
                                                        -1, 1, 2);
  twin::DeviceArray<float> a(left), b(right);
  twin::DeviceArray<float> slow(size_t(n) * 64), fast(size_t(n) * 64);
  return twin::compare(
      {check, "tile",
       "8x8 tile per thread: launch bounds for 2048 threads -> for one block",
       1e-5},
      [&] {
        tilesForManyThreads<<<n / threads, threads>>>(a.get(), b.get(),
                                                      slow.get(), n, depth);
      },
      slow,
      [&] {
        tilesForOneBlock<<<n / threads, threads>>>(a.get(), b.get(),
                                                   fast.get(), n, depth);
      },
      fast);
}

bool compareSmoothing() {
  const int n = 1 << 20;
  std::vector<float> start =
      twin::randomNumbers<float>(size_t(n) * values, -1, 1);
  twin::DeviceArray<float> in(start);
  twin::DeviceArray<float> slow(size_t(n) * values), fast(size_t(n) * values);
  return twin::compare(
      {check, "smoothing",
       "48 values per thread: launch bounds (1024, 2) -> (256)", 1e-5},
      [&] {
        smoothForManyThreads<<<n / threads, threads>>>(in.get(), slow.get(), n);
      },
      slow,
      [&] {
        smoothForFewThreads<<<n / threads, threads>>>(in.get(), fast.get(), n);
      },
      fast);
}

} // namespace

int main() {
  bool agree = compareTiles();
  agree &= compareSmoothing();
  return agree ? 0 : 1;
}
