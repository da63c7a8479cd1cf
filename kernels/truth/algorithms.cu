// Pieces of real algorithms: stencils, decoded tensors, register tiles, matrix
// fragments, scans.
#include "truth.h"
#include <cuda_fp16.h>
#include <mma.h>

__device__ __forceinline__ int cell(int x, int y, int z, int nx, int ny) {
  return (z * ny + y) * nx + x;
}

__global__ void stencil(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
    return;
  for (int z = 1; z < nz - 1; ++z) {
    float sum = in[cell(x, y, z, nx, ny)];
    sum += in[cell(x - 1, y, z, nx, ny)];
    sum += in[cell(x, y + 1, z, nx, ny)];
    sum += in[cell(x, y, z - 1, nx, ny)];
    out[cell(x, y, z, nx, ny)] = sum;
  }
}

// One thread for each element of a tensor, from channels first to last.
__global__ void channelsLast(const float *in, float *out, int channels,
                             int size, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int position = i % size, channel = i / size % channels;
  int image = i / (size * channels);
  out[(image * size + position) * channels + channel] = in[i];
}

constexpr int tileSize = 32, perThread = 4;
__global__ void registerTile(const float *a, const float *b, float *c, int n) {
  __shared__ float left[tileSize][tileSize + 1], right[tileSize][tileSize];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tileSize, column = blockIdx.x * tileSize;
  float sum[perThread] = {};
  for (int k = 0; k < n; k += tileSize) {
    for (int i = y; i < tileSize; i += blockDim.y) {
      left[x][i] = a[(row + i) * n + k + x];
      right[i][x] = b[(k + i) * n + column + x];
    }
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < tileSize; ++j) {
      float shared = right[j][x];
      for (int i = 0; i < perThread; ++i)
        sum[i] += left[j][y + 8 * i] * shared;
    }
    __syncthreads();
  }
  for (int i = 0; i < perThread; ++i)
    c[(row + y + 8 * i) * n + column + x] = sum[i];
}

// How the lanes share a fragment is the hardware's affair.
__global__ void fragments(const __half *a, const __half *b, float *c) {
  using namespace nvcuda::wmma;
  __shared__ __half tile[16 * 16];
  for (int i = threadIdx.x; i < 256; i += 32)
    tile[i] = b[i];
  __syncwarp();
  fragment<matrix_a, 16, 16, 16, __half, row_major> left;
  fragment<matrix_b, 16, 16, 16, __half, col_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0);
  load_matrix_sync(left, a + blockIdx.x * 256, 16);
  load_matrix_sync(right, tile, 16);
  mma_sync(sum, left, right, sum);
  store_matrix_sync(c + blockIdx.x * 256, sum, 16, mem_row_major);
}

__global__ void matrixLoads(const unsigned *in, unsigned *out) {
  __shared__ __align__(16) unsigned tile[32 * 4];
  int lane = threadIdx.x;
  for (int k = lane; k < 128; k += 32)
    tile[k] = in[k];
  __syncwarp();
  unsigned address = __cvta_generic_to_shared(&tile[lane * 4]);
  unsigned r0, r1;
  // clang-format off
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r0), "=r"(r1) : "r"(address));
  // clang-format on
  out[blockIdx.x * 64 + lane * 2] = r0;
  out[blockIdx.x * 64 + lane * 2 + 1] = r1;
}

// The last warp of a reduction, as it was written before __syncwarp.
__global__ void lastWarp(const float *in, float *out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  s[threadIdx.x + 32] = in[threadIdx.x + 32];
  __syncwarp();
  volatile float *v = s;
  v[threadIdx.x] += v[threadIdx.x + 32];
  v[threadIdx.x] += v[threadIdx.x + 16];
  if (threadIdx.x == 0)
    out[blockIdx.x] = v[0] + v[8];
}

__global__ void scanOfAWarp(const int *in, int *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int sum = in[at];
  for (int by = 1; by < 32; by <<= 1) {
    int other = __shfl_up_sync(~0u, sum, by);
    if (lane >= by)
      sum += other;
  }
  if (lane == 31)
    out[at / 32] = sum;
}

// A warp for each row, its lanes along the columns that the row has.
__global__ void rowsOfAMatrix(const int *starts, const int *columns,
                              const float *values, const float *x, float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x & 31;
  float sum = 0;
  for (int j = starts[row] + lane; j < starts[row + 1]; j += 32)
    sum += values[j] * x[columns[j]];
  for (int by = 16; by; by /= 2)
    sum += __shfl_down_sync(~0u, sum, by);
  if (lane == 0)
    y[row] = sum;
}

// A column of four values for each thread, written along the rows.
__global__ void transposedInRegisters(const float4 *in, float *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[at];
  const float parts[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[k * n + at] = parts[k];
}

__global__ void bitReversed(const float2 *in, float2 *out, int bits) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  out[__brev(at) >> (32 - bits)] = in[at];
}

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  float *c = truth::zeros<float>();
  stencil<<<dim3(16, 16), dim3(16, 16)>>>(a, b, 256, 256, 6);
  channelsLast<<<256, 256>>>(a, b, 16, 1024, 65536);
  registerTile<<<dim3(8, 8), dim3(32, 8)>>>(a, b, c, 256);
  fragments<<<64, 32>>>((__half *)a, (__half *)b, c);
  matrixLoads<<<64, 32>>>((unsigned *)a, (unsigned *)b);
  lastWarp<<<64, 32>>>(a, b);
  scanOfAWarp<<<64, 256>>>((int *)a, (int *)b);
  std::vector<int> starts(2049);
  for (int row = 0; row <= 2048; ++row)
    starts[row] = row * 32;
  int *rows = truth::zeros<int>();
  TRUTH_CHECK(cudaMemcpy(rows, starts.data(), 2049 * sizeof(int),
                         cudaMemcpyHostToDevice));
  rowsOfAMatrix<<<256, 256>>>(rows, truth::spread(1 << 16, 9, 8192), a, b, c);
  transposedInRegisters<<<64, 256>>>((float4 *)a, b, 16384);
  bitReversed<<<64, 256>>>((float2 *)a, (float2 *)b, 14);
  return truth::done();
}
