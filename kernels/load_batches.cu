// How long a warp waits for loads that are under way together: the ground for
// linter/cost/load_ahead.h. Prints cycles of a batch of loads.
//
// One H200 at 1.98 GHz, CUDA 13.0, by 1, 4, 8 and 16 warps on each SM:
//   from L2 (8 MB)          from DRAM (4 GB; those that L2 holds left out)
//    1: 354, 354, 355, 356    -, -, -, 783
//    2: 378, 377, 377, 381    -, -, 878, 893
//    4: 407, 406, 409, 499    -, 976, 991, 1053
//    8: 460, 460, 470, 638    -, 1105, 1164, 1327
//   16: 568, 574, 610, 993    1251, 1305, 1459, 2024
//   32: 1061, 1065, 1250, 1923 2365, 2513, 2806, 3982
#include "program.h"
namespace {
constexpr int batches = 256;
template <int together>
__global__ void wait(const int *a, int *out, size_t mask) {
  const size_t threads = size_t(gridDim.x) * blockDim.x;
  size_t at = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int b = 0; b < batches; ++b) {
    int v[together];
#pragma unroll
    for (int k = 0; k < together; ++k)
      v[k] = a[(at + k * threads) & mask]; // warplint: allow(scattered-global-access) a chain
#pragma unroll
    for (int k = 0; k < together; ++k)
      sum += v[k];
    at += together * threads + sum;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <int together>
void print(const int *a, int *out, size_t words) {
  std::printf("%2d loads:", together);
  for (int warps : {1, 4, 8, 16}) {
    float us = program::leastMicroseconds([&] { wait<together><<<132, warps * 32>>>(a, out, words - 1); });
    std::printf("  %d warps %.0f", warps, us * 1e3 * 1.98 / batches);
  }
  std::printf("\n");
}
} // namespace
int main() {
  int *a, *out;
  size_t words = size_t(1) << 30;
  TWIN_CHECK(cudaMalloc(&a, words * 4));
  TWIN_CHECK(cudaMalloc(&out, 4 << 20));
  TWIN_CHECK(cudaMemset(a, 0, words * 4));
  for (size_t w : {words, size_t(1) << 21}) {
    std::printf("%zu MB\n", w >> 18);
    print<1>(a, out, w);
    print<2>(a, out, w);
    print<4>(a, out, w);
    print<8>(a, out, w);
    print<16>(a, out, w);
    print<32>(a, out, w);
  }
}
