// Tiled kernels of one element for each thread, each beside a twin of several.
#include "twin.h"

namespace {

constexpr int tile = 16, coarse = 4;
const char *const check = "fine-grained-tile";

__global__ void productFine(const float *a, const float *b, float *c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int column = blockIdx.x * tile + threadIdx.x;
  int row = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x]; // expect: fine-grained-tile
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < tile; ++j)
      sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void productCoarse(const float *a, const float *b, float *c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile * coarse + tile];
  int column = blockIdx.x * tile * coarse + threadIdx.x;
  int row = blockIdx.y * tile + threadIdx.y;
  float sum[coarse] = {};
  for (int k = 0; k < n; k += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    for (int i = 0; i < coarse; ++i)
      bs[threadIdx.y][threadIdx.x + tile * i] =
          b[(k + threadIdx.y) * n + column + tile * i];
    __syncthreads();
    for (int j = 0; j < tile; ++j)
      for (int i = 0; i < coarse; ++i)
        sum[i] += as[threadIdx.y][j] * bs[j][threadIdx.x + tile * i];
    __syncthreads();
  }
  for (int i = 0; i < coarse; ++i)
    c[row * n + column + tile * i] = sum[i];
}

constexpr int wide = 32;

// The distances of all rows to all others.
__global__ void distancesFine(const float *a, const float *b, float *out,
                              int rows, int depth) {
  __shared__ float as[wide][wide + 1], bs[wide][wide + 1];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < depth; k += wide) {
    as[y][x] = a[(blockIdx.y * wide + y) * depth + k + x]; // expect: fine-grained-tile
    bs[y][x] = b[(blockIdx.x * wide + y) * depth + k + x];
    __syncthreads();
    for (int j = 0; j < wide; ++j)
      sum += fabsf(as[y][j] - bs[x][j]);
    __syncthreads();
  }
  out[(blockIdx.y * wide + y) * rows + blockIdx.x * wide + x] = sum;
}

__global__ void distancesCoarse(const float *a, const float *b, float *out,
                                int rows, int depth) {
  __shared__ float as[wide * coarse][wide + 1], bs[wide][wide + 1];
  int x = threadIdx.x, y = threadIdx.y;
  float sum[coarse] = {};
  for (int k = 0; k < depth; k += wide) {
    for (int i = 0; i < coarse; ++i)
      as[y + wide * i][x] =
          a[((blockIdx.y * coarse + i) * wide + y) * depth + k + x];
    bs[y][x] = b[(blockIdx.x * wide + y) * depth + k + x];
    __syncthreads();
    for (int j = 0; j < wide; ++j)
      for (int i = 0; i < coarse; ++i)
        sum[i] += fabsf(as[y + wide * i][j] - bs[x][j]);
    __syncthreads();
  }
  for (int i = 0; i < coarse; ++i)
    out[((blockIdx.y * coarse + i) * wide + y) * rows + blockIdx.x * wide + x] =
        sum[i];
}

bool compareProducts() {
  const int n = 2048;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(n * n, -1, 1)),
      b(twin::randomNumbers<float>(n * n, -1, 1, 2));
  twin::DeviceArray<float> slow(n * n), fast(n * n);
  const dim3 block(tile, tile), grid(n / tile, n / tile),
      fewer(n / tile / coarse, n / tile);
  return twin::compare(
      {check, "product", "tiled product of matrices: 1 element -> 4", 1e-4},
      [&] { productFine<<<grid, block>>>(a.get(), b.get(), slow.get(), n); },
      slow,
      [&] { productCoarse<<<fewer, block>>>(a.get(), b.get(), fast.get(), n); },
      fast);
}

bool compareDistances() {
  const int rows = 4096, depth = 256;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(rows * depth, -1, 1)),
      b(twin::randomNumbers<float>(rows * depth, -1, 1, 2));
  twin::DeviceArray<float> slow(rows * rows), fast(rows * rows);
  const dim3 block(wide, wide), grid(rows / wide, rows / wide),
      fewer(rows / wide, rows / wide / coarse);
  return twin::compare(
      {check, "distances", "distances of rows: 1 pair for each thread -> 4",
       1e-4},
      [&] {
        distancesFine<<<grid, block>>>(a.get(), b.get(), slow.get(), rows,
                                       depth);
      },
      slow,
      [&] {
        distancesCoarse<<<fewer, block>>>(a.get(), b.get(), fast.get(), rows,
                                          depth);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareProducts();
  agreed = compareDistances() && agreed;
  return agreed ? 0 : 1;
}
