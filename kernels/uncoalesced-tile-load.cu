// Kernels that fill a tile in shared memory by uncoalesced loads, each beside a twin
// that turns the corner.
#include "twin.h"

namespace {

constexpr int tile = 32;
const char *const check = "uncoalesced-tile-load";

// c = a * b, where b is stored by columns.
__global__ void productByColumns(const float *a, const float *b, float *c,
                                 int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int column = blockIdx.x * tile + threadIdx.x;
  int row = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x]; // expect: fine-grained-tile
    bs[threadIdx.y][threadIdx.x] = b[column * n + k + threadIdx.y]; // expect: uncoalesced-tile-load
    __syncthreads();
    for (int j = 0; j < tile; ++j)
      sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void productByCorner(const float *a, const float *b, float *c,
                                int n) {
  __shared__ float as[tile][tile], bs[tile][tile + 1];
  int column = blockIdx.x * tile + threadIdx.x;
  int row = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x]; // expect: fine-grained-tile
    bs[threadIdx.x][threadIdx.y] =
        b[(blockIdx.x * tile + threadIdx.y) * n + k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < tile; ++j)
      sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Each thread loads a row of the tile.
__global__ void rowsByThread(const float *in, float *out, int n) {
  __shared__ float part[128][tile + 1];
  int first = blockIdx.x * 128;
  float most = -1e30f;
  for (int k = 0; k < n; k += tile) {
    for (int j = 0; j < tile; ++j)
      part[threadIdx.x][j] = in[(first + threadIdx.x) * n + k + j]; // expect: uncoalesced-tile-load
    __syncthreads();
    for (int j = 0; j < tile; ++j)
      most = fmaxf(most, part[threadIdx.x][j]);
    __syncthreads();
  }
  out[first + threadIdx.x] = most;
}

__global__ void rowsByWarp(const float *in, float *out, int n) {
  __shared__ float part[128][tile + 1];
  int first = blockIdx.x * 128;
  float most = -1e30f;
  for (int k = 0; k < n; k += tile) {
    for (int r = threadIdx.x / 32; r < 128; r += 4)
      part[r][threadIdx.x % 32] = in[(first + r) * n + k + threadIdx.x % 32];
    __syncthreads();
    for (int j = 0; j < tile; ++j)
      most = fmaxf(most, part[threadIdx.x][j]);
    __syncthreads();
  }
  out[first + threadIdx.x] = most;
}

bool compareProducts() {
  const int n = 2048;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(n * n, -1, 1)),
      b(twin::randomNumbers<float>(n * n, -1, 1, 2));
  twin::DeviceArray<float> slow(n * n), fast(n * n);
  const dim3 grid(n / tile, n / tile), block(tile, tile);
  return twin::compare(
      {check, "product", "tiles of a matrix by columns: as stored -> turned",
       1e-4},
      [&] {
        productByColumns<<<grid, block>>>(a.get(), b.get(), slow.get(), n);
      },
      slow,
      [&] { productByCorner<<<grid, block>>>(a.get(), b.get(), fast.get(), n); },
      fast);
}

bool compareRows() {
  const int rows = 1 << 16, n = 512;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(rows) * n, -1, 1));
  twin::DeviceArray<float> slow(rows), fast(rows);
  return twin::compare(
      {check, "rows", "rows of a tile: one for each thread -> for each warp"},
      [&] { rowsByThread<<<rows / 128, 128>>>(in.get(), slow.get(), n); }, slow,
      [&] { rowsByWarp<<<rows / 128, 128>>>(in.get(), fast.get(), n); }, fast);
}

} // namespace

int main() {
  bool agreed = compareProducts();
  agreed = compareRows() && agreed;
  return agreed ? 0 : 1;
}
