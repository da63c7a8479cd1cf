// Kernels that spill within their launch bounds, each beside the same kernel
// with bounds that leave it its registers.
#include "twin.h"

namespace {

const char *const check = "tight-launch-bounds";

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

__global__ void __launch_bounds__(256, 8)
productsFullSm(const float *a, const float *b, float *c, int rows, int depth) { // expect: tight-launch-bounds // expect: register-spill
  products(a, b, c, rows, depth);
}

__global__ void __launch_bounds__(1024)
productsAnyBlock(const float *a, const float *b, float *c, int rows, int depth) { // expect: tight-launch-bounds // expect: register-spill
  products(a, b, c, rows, depth);
}

__global__ void __launch_bounds__(256, 2)
productsRoomy(const float *a, const float *b, float *c, int rows, int depth) { // expect: low-occupancy
  products(a, b, c, rows, depth);
}

/// A polynomial of degree 27 at 4 points, coefficients of the thread's own
/// row: read before the loop, and needed in each of its iterations.
__device__ void iterate(const float *rows, float *out, int count, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[28];
#pragma unroll
  for (int k = 0; k < 28; ++k)
    c[k] = rows[k * count + i];
  float x[4];
#pragma unroll
  for (int p = 0; p < 4; ++p)
    x[p] = 0.1f * (p + 1);
  for (int t = 0; t < turns; ++t)
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      float y = 0;
#pragma unroll
      for (int k = 0; k < 28; ++k)
        y = y * x[p] + c[k];
      x[p] = y - floorf(y);
    }
  out[i] = x[0] + x[1] + x[2] + x[3];
}

__global__ void __launch_bounds__(256, 8)
iterateFullSm(const float *rows, float *out, int count, int turns) { // expect: tight-launch-bounds // expect: register-spill
  iterate(rows, out, count, turns);
}

__global__ void __launch_bounds__(256)
iterateRoomy(const float *rows, float *out, int count, int turns) {
  iterate(rows, out, count, turns);
}

bool compareProducts() {
  const int rows = 1 << 18, depth = 16;
  const size_t values = size_t(rows) * depth * 8;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(values, -1, 1, 1)),
      b(twin::randomNumbers<float>(values, -1, 1, 2));
  twin::DeviceArray<float> slow(rows), fast(rows);
  auto roomy = [&] {
    productsRoomy<<<rows / 256, 256>>>(a.get(), b.get(), fast.get(), rows, depth);
  };
  bool agreed = twin::compare(
      {check, "second-number", "tile of 8x8 sums: (256, 8) -> (256, 2)", 1e-5},
      [&] {
        productsFullSm<<<rows / 256, 256>>>(a.get(), b.get(), slow.get(), rows,
                                            depth);
      },
      slow, roomy, fast);
  return twin::compare(
             {check, "first-number", "blocks of 256: (1024) -> (256, 2)", 1e-5},
             [&] {
               productsAnyBlock<<<rows / 256, 256>>>(a.get(), b.get(),
                                                     slow.get(), rows, depth);
             },
             slow, roomy, fast) &&
         agreed;
}

bool compareIterations() {
  const int count = 1 << 20, turns = 64;
  twin::DeviceArray<float> rows(
      twin::randomNumbers<float>(size_t(count) * 28, -1, 1));
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "few-spills", "28 coefficients in a loop: (256, 8) -> (256)", 1e-5},
      [&] {
        iterateFullSm<<<count / 256, 256>>>(rows.get(), slow.get(), count, turns);
      },
      slow,
      [&] {
        iterateRoomy<<<count / 256, 256>>>(rows.get(), fast.get(), count, turns);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareProducts();
  agreed = compareIterations() && agreed;
  return agreed ? 0 : 1;
}
