// How long atomics take that meet in a small memory, and loads that all threads
// wait for: the ground for linter/cost/update_time.h and kernel_latency.cpp.
// Prints nanoseconds of a warp's request, and cycles of an iteration.
//
// One H200, CUDA 13.0, by addresses of 4 bytes (an integer, a float):
//   that data choose for each lane
//     1: 23.4, 56.2    2: 13.4, 32.0    4: 8.07, 19.3    8: 5.16, 12.4
//     16: 5.94, 8.26   32: 7.22, 7.31   64: 9.33, 9.36   128: 6.16, 6.18
//     256: 8.30, 8.28  512: 4.93, 4.94  1024: 2.74, 2.75 4096: 0.95, 0.95
//   that lie side by side, one of each lane
//     32: 2.38, 2.38   64: 2.38, 2.38   128: 1.21, 1.21  256: 1.22, 1.22
//     512: 0.64, 0.63  1024: 0.37, 0.37
//   that all lanes of a warp have, one of each warp
//     1: 23.4, 56.2    16: 22.5, 40.5   64: 22.2, 25.2   256: 11.8, 12.0
//     1024: 2.97, 3.09 4096: 1.08, 1.10
// Loads of one element for all threads, each iteration waiting for its own: 92
// cycles for a float, 201 for a float4; as copies of 16: 26 for a float. A step
// along lists in 4 MB, by four warps of an SM at a time: 374 cycles.
#include "program.h"

namespace {

constexpr int threads = 256, blocks = 1 << 14;

__global__ void choose(int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hash = i * 2654435761u;
  hash ^= hash >> 15;
  hash *= 0x2c1b3c6du;
  at[i] = (hash ^ hash >> 12) & (n - 1);
}

template <class T>
__global__ void byData(const int *at, T *sums, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[at[i] & last], T(at[i])); // expect: scattered-global-access
}

template <class T>
__global__ void byLane(const int *at, T *sums, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[i & last], T(at[i]));
}

template <class T>
__global__ void byWarp(const int *at, T *sums, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[i / 32 & last], T(at[i])); // expect: contended-atomic
}

__device__ float sum(float v) { return v; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

template <class T, int copies>
__global__ void sumForAll(const T *in, float *out, int n) {
  float total = 0;
#pragma unroll copies
  for (int i = 0; i < n; ++i) // expect: serial-accumulation
    total += sum(in[i]); // expect: block-wide-reload // expect: uniform-global-load
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

__global__ void follow(const int *next, int *out, int n) { // expect: low-occupancy
  extern __shared__ int taken[];
  int at = (blockIdx.x * blockDim.x + threadIdx.x) & ((1 << 20) - 1);
  for (int i = 0; i < n; ++i)
    at = next[at]; // expect: scattered-global-access
  taken[threadIdx.x] = at;
  out[blockIdx.x * blockDim.x + threadIdx.x] = taken[threadIdx.x];
}

template <class T>
void printUpdates(const char *type, const int *at, T *sums) {
  const double warps = double(blocks) * threads / 32;
  for (int n = 1; n <= 4096; n *= 2) {
    auto of = [&](auto kernel) {
      const float all = program::leastMicroseconds(
          [&] { kernel<<<blocks, threads>>>(at, sums, n - 1); });
      return all * 1e3 / warps;
    };
    std::printf("%d of %s: %.2f by data, %.2f by lane, %.2f by warp\n", n, type,
                of(byData<T>), of(byLane<T>), of(byWarp<T>));
  }
}

} // namespace

int main() {
  constexpr int n = blocks * threads, elements = 1 << 18;
  constexpr double gigahertz = 1.98;
  int *at, *sums;
  cudaMalloc(&at, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  choose<<<blocks, threads>>>(at, 1 << 20);
  printUpdates("integers", at, sums);
  printUpdates("floats", at, reinterpret_cast<float *>(sums));
  auto *floats = reinterpret_cast<float *>(at);
  auto *fours = reinterpret_cast<float4 *>(at);
  auto *out = reinterpret_cast<float *>(sums);
  auto cycles = [&](auto kernel, auto *in, int count) {
    return program::leastMicroseconds([&] { kernel<<<132, threads>>>(in, out, count); }) *
           1e3 * gigahertz / count;
  };
  std::printf("float %.0f, float4 %.0f, copies of float %.0f cycles\n",
              cycles(sumForAll<float, 1>, floats, elements),
              cycles(sumForAll<float4, 1>, fours, elements / 4),
              cycles(sumForAll<float, 16>, floats, elements));
  cudaFuncSetAttribute(follow, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       200000);
  std::printf("a step along a list: %.0f cycles\n",
              program::leastMicroseconds([&] {
                follow<<<4096, 128, 200000>>>(at, sums, 64);
              }) * 1e3 * gigahertz / (64 * 4096 / 132.0));
}
