// Block shapes, and how they reach a kernel.
#include "truth.h"
#include <cooperative_groups.h>

constexpr int width = 1 << 10;

// The same kernel with rows of threads that are no whole warps.
__global__ void copied(const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = in[y * width + x];
}

__global__ void transposed(const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * width + y] = in[y * width + x];
}

__global__ void linear(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[at * 2];
}

__global__ void threeDimensions(const float *in, float *out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  int block = blockIdx.x * 4096;
  out[block + (z * blockDim.y + y) * blockDim.x + x] =
      in[block + (x * blockDim.y + y) * blockDim.z + z];
}

__global__ void __launch_bounds__(192) bounded(const float *in, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[at / 2 + threadIdx.x % 2 * 65536];
}

template <int Rows> __global__ void byRows(const float *in, float *out) {
  int x = threadIdx.x, y = blockIdx.x * Rows + threadIdx.y;
  out[y * 64 + x] = in[x * 64 + y];
}
template <int Rows> void launchRows(const float *in, float *out) {
  const dim3 block(64 / Rows, Rows);
  byRows<Rows><<<32, block>>>(in, out);
}

// Half of what is read is the neighbour block's shared memory.
__global__ void __cluster_dims__(2, 1, 1)
    inClusters(const float *in, float *out) {
  __shared__ float mine[128];
  auto cluster = cooperative_groups::this_cluster();
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = in[at];
  cluster.sync();
  const float *theirs = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  out[at] = mine[threadIdx.x * 2 % 128];
  out[65536 + at] = theirs[threadIdx.x];
  cluster.sync();
}

__global__ void extended(const float *in, float *out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out[y * 32 + x] = in[y * 64 + 2 * x];
}

__global__ void byPointer(const float *in, float *out) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out[y * 12 + x] = in[y * 16 + x];
}

#define THREADS 96
#define BLOCKS(n) (((n) + THREADS - 1) / THREADS)

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  dim3 odd(24, 8), few(96, 3);
  copied<<<dim3(32, 8), odd>>>(a, b);
  copied<<<dim3(16, 8), dim3(40, 1)>>>(a, b);
  copied<<<dim3(8, 8), few>>>(a, b);
  transposed<<<dim3(32, 8), odd>>>(a, b);
  transposed<<<dim3(16, 16), dim3(8, 32)>>>(a, b);
  transposed<<<dim3(16, 16), dim3(5, 13)>>>(a, b);
  const int n = 96 * 64;
  linear<<<BLOCKS(n), THREADS>>>(a, b);
  linear<<<n / 40, 40>>>(a, b);
  linear<<<(n + 511) / 512, 512>>>(a, b);
  dim3 cube(8, 8);
  cube.z = 64 / cube.x / 2;
  threeDimensions<<<64, cube>>>(a, b);
  threeDimensions<<<64, dim3(2, 4, 16)>>>(a, b);
  bounded<<<64, 192>>>(a, b);
  launchRows<8>(a, b);
  launchRows<2>(a, b);
  inClusters<<<64, 128>>>(a, b);

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(64);
  config.blockDim = dim3(32, 6);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  TRUTH_CHECK(cudaLaunchKernelEx(&config, extended, (const float *)a, b));

  const float *in = a;
  void *arguments[] = {&in, &b};
  TRUTH_CHECK(cudaLaunchKernel((void *)byPointer, dim3(64), dim3(12, 16),
                               arguments, 0, nullptr));
  return truth::done();
}
