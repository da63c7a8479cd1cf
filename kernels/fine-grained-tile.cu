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

constexpr int threads = 256;

__device__ float pull(float4 from, float4 to) {
  float dx = to.x - from.x, dy = to.y - from.y, dz = to.z - from.z;
  float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
  return to.w * r * r * r * dx;
}

// All bodies pass through the tile of each block.
__global__ void pullFine(const float4 *body, float *out, int n) {
  __shared__ float4 part[threads];
  int i = blockIdx.x * threads + threadIdx.x;
  float4 own = body[i];
  float sum = 0;
  for (int k = 0; k < n; k += threads) {
    part[threadIdx.x] = body[k + threadIdx.x]; // expect: fine-grained-tile
    __syncthreads();
    for (int j = 0; j < threads; ++j)
      sum += pull(own, part[j]);
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void pullCoarse(const float4 *body, float *out, int n) {
  __shared__ float4 part[threads];
  int i = blockIdx.x * threads * 2 + threadIdx.x;
  float4 own = body[i], second = body[i + threads];
  float sum = 0, other = 0;
  for (int k = 0; k < n; k += threads) {
    part[threadIdx.x] = body[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < threads; ++j) {
      sum += pull(own, part[j]);
      other += pull(second, part[j]);
    }
    __syncthreads();
  }
  out[i] = sum;
  out[i + threads] = other;
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

bool comparePulls() {
  const int n = 1 << 17;
  std::vector<float> numbers = twin::randomNumbers<float>(4 * n, 0, 1);
  std::vector<float4> bodies(n);
  for (int i = 0; i < n; ++i)
    bodies[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2],
                 numbers[4 * i + 3]};
  twin::DeviceArray<float4> body(bodies);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "bodies", "tiles of bodies: 1 body for each thread -> 2", 1e-3},
      [&] { pullFine<<<n / threads, threads>>>(body.get(), slow.get(), n); },
      slow,
      [&] {
        pullCoarse<<<n / threads / 2, threads>>>(body.get(), fast.get(), n);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareProducts();
  agreed = comparePulls() && agreed;
  return agreed ? 0 : 1;
}
