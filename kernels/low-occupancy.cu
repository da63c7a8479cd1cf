// Kernels of which few warps fit in an SM, each beside a twin of which more do:
// it pays where warps wait for memory, and does harm where it takes registers.
#include "twin.h"

namespace {

const char *const check = "low-occupancy";
constexpr int threads = 128;

/// The mean of neighbours, by a strip in shared memory for each block.
template <int words> __device__ void smooth(const float *in, float *out) {
  __shared__ float strip[words];
  const int first = blockIdx.x * words;
#pragma unroll 1
  for (int i = threadIdx.x; i < words; i += threads)
    strip[i] = in[first + i];
  __syncthreads();
#pragma unroll 1
  for (int i = threadIdx.x; i < words; i += threads)
    out[first + i] = 0.5f * (strip[i] + strip[i ^ 1]);
}

__global__ void smoothByLargeStrips(const float *in, float *out) { // expect: low-occupancy
  smooth<12 * 1024>(in, out);
}

__global__ void smoothByStrips(const float *in, float *out) {
  smooth<1024>(in, out);
}

/// Products of pairs of columns: 8x8 sums in registers for each thread.
__device__ void products(const float *a, const float *b, float *c, int rows,
                         int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8] = {};
  for (int k = 0; k < depth; ++k) {
    float x[8], y[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      x[r] = a[(k * 8 + r) * rows + i];
      y[r] = b[(k * 8 + r) * rows + i];
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
  c[i] = total;
}

__global__ void __launch_bounds__(256, 2)
productsInRegisters(const float *a, const float *b, float *c, int rows, // expect: low-occupancy
                    int depth) {
  products(a, b, c, rows, depth);
}

// All the warps that fit, at the cost of spills.
__global__ void __launch_bounds__(256, 8)
productsFullSm(const float *a, const float *b, float *c, int rows, // expect: tight-launch-bounds // expect: register-spill
               int depth) {
  products(a, b, c, rows, depth);
}

bool compareStrips() {
  const int count = 12 * 1024 * 4096;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(count, -1, 1));
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "strips", "strips of 48 KiB -> 4 KiB: 16 -> 64 warps"},
      [&] {
        smoothByLargeStrips<<<count / (12 * 1024), threads>>>(in.get(), slow.get());
      },
      slow,
      [&] { smoothByStrips<<<count / 1024, threads>>>(in.get(), fast.get()); },
      fast);
}

bool compareProducts() {
  const int rows = 1 << 18, depth = 16;
  const size_t values = size_t(rows) * depth * 8;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(values, -1, 1, 1)),
      b(twin::randomNumbers<float>(values, -1, 1, 2));
  twin::DeviceArray<float> slow(rows), fast(rows);
  return twin::compare(
      {check, "registers", "tile of 8x8 sums: 16 -> 64 warps, with spills", 1e-5},
      [&] {
        productsInRegisters<<<rows / 256, 256>>>(a.get(), b.get(), slow.get(),
                                                 rows, depth);
      },
      slow,
      [&] {
        productsFullSm<<<rows / 256, 256>>>(a.get(), b.get(), fast.get(), rows,
                                            depth);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareStrips();
  agreed = compareProducts() && agreed;
  return agreed ? 0 : 1;
}
