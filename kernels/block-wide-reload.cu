// Kernels whose warps load the same elements in a loop, each beside a twin that
// keeps a tile of them in shared memory.
#include "twin.h"

namespace {

const char *const check = "block-wide-reload";

template <int Tile>
__global__ void productByGlobal(const float *a, const float *b, float *c,
                                int n) {
  int column = blockIdx.x * Tile + threadIdx.x;
  int row = blockIdx.y * Tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column]; // expect: block-wide-reload
  c[row * n + column] = sum;
}

template <int Tile>
__global__ void productByShared(const float *a, const float *b, float *c,
                                int n) {
  __shared__ float as[Tile][Tile], bs[Tile][Tile];
  int column = blockIdx.x * Tile + threadIdx.x;
  int row = blockIdx.y * Tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x]; // expect: fine-grained-tile
    bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < Tile; ++j)
      sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// The distances of each query, one for each block, to many points.
constexpr int threads = 256, dimensions = 64;

__global__ void distancesByGlobal(const float *query, const float *point,
                                  float *out, int points) {
  int i = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
  for (int d = 0; d < dimensions; ++d) {
    float apart = query[blockIdx.y * dimensions + d] - point[d * points + i]; // expect: block-wide-reload
    sum += apart * apart;
  }
  out[blockIdx.y * points + i] = sum;
}

__global__ void distancesByShared(const float *query, const float *point,
                                  float *out, int points) {
  __shared__ float mine[dimensions];
  if (threadIdx.x < dimensions)
    mine[threadIdx.x] = query[blockIdx.y * dimensions + threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * threads + threadIdx.x;
  float sum = 0;
  for (int d = 0; d < dimensions; ++d) {
    float apart = mine[d] - point[d * points + i];
    sum += apart * apart;
  }
  out[blockIdx.y * points + i] = sum;
}

bool compareProducts() {
  constexpr int tile = 32, n = 2048;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(n * n, -1, 1)),
      b(twin::randomNumbers<float>(n * n, -1, 1, 2));
  twin::DeviceArray<float> slow(n * n), fast(n * n);
  const dim3 grid(n / tile, n / tile), block(tile, tile);
  return twin::compare(
      {check, "product", "product of matrices: from global -> tiles of 32x32",
       1e-4},
      [&] {
        productByGlobal<tile><<<grid, block>>>(a.get(), b.get(), slow.get(), n);
      },
      slow,
      [&] {
        productByShared<tile><<<grid, block>>>(a.get(), b.get(), fast.get(), n);
      },
      fast);
}

bool compareDistances() {
  const int points = 1 << 18, queries = 64;
  twin::DeviceArray<float> query(
      twin::randomNumbers<float>(queries * dimensions, 0, 1)),
      point(twin::randomNumbers<float>(std::size_t(points) * dimensions, 0, 1,
                                       2));
  twin::DeviceArray<float> slow(std::size_t(points) * queries),
      fast(std::size_t(points) * queries);
  const dim3 grid(points / threads, queries);
  return twin::compare(
      {check, "query", "a query for each block: from global -> shared"},
      [&] {
        distancesByGlobal<<<grid, threads>>>(query.get(), point.get(),
                                             slow.get(), points);
      },
      slow,
      [&] {
        distancesByShared<<<grid, threads>>>(query.get(), point.get(),
                                             fast.get(), points);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareProducts();
  agreed = compareDistances() && agreed;
  return agreed ? 0 : 1;
}
