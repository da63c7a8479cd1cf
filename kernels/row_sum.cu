// The sums of the rows of a matrix, a block for each row: threads step through
// the row side by side, then a tree in shared memory adds what they have.
// A general kernel, one whose sizes are constants, and one with several
// accumulators for each thread. Nothing here is strided or written twice.
#include "program.h"

namespace {

constexpr int blockSize = 256;
constexpr int rowLength = 2048;

__global__ void rowSum(const float *A, float *out, int M, int N) {
  __shared__ float s[1024];
  int row = blockIdx.x;
  int tx = threadIdx.x;
  if (row >= M)
    return;
  float acc = 0.0f;
  for (int j = tx; j < N; j += blockDim.x)
    acc += A[row * N + j];
  s[tx] = acc;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) { // expect: shared-tree-reduction
    if (tx < stride)
      s[tx] += s[tx + stride];
    __syncthreads();
  }
  if (tx == 0)
    out[row] = s[0];
}

template <int B, int N>
__global__ __launch_bounds__(B) void rowSumOf(const float *A, float *out) {
  __shared__ float s[B];
  int row = blockIdx.x;
  int tx = threadIdx.x;
  float acc = 0.0f;
  for (int j = tx; j < N; j += B)
    acc += A[row * N + j];
  s[tx] = acc;
  __syncthreads();
#pragma unroll
  for (int stride = B / 2; stride > 0; stride >>= 1) { // expect: shared-tree-reduction
    if (tx < stride)
      s[tx] += s[tx + stride];
    __syncthreads();
  }
  if (tx == 0)
    out[row] = s[0];
}

__device__ float warpSum(float v) {
  for (int distance = 16; distance > 0; distance >>= 1)
    v += __shfl_down_sync(0xffffffffu, v, distance);
  return v;
}

// Four sums that do not wait for one another, and a last warp that needs no
// barriers.
__global__ void rowSumByFour(const float *A, float *out, int M, int N) {
  __shared__ float s[1024];
  int row = blockIdx.x;
  int tx = threadIdx.x;
  int step = blockDim.x;
  if (row >= M)
    return;
  float acc0 = 0.0f, acc1 = 0.0f, acc2 = 0.0f, acc3 = 0.0f;
  int j = tx;
  for (; j + 3 * step < N; j += 4 * step) {
    acc0 += A[row * N + j];
    acc1 += A[row * N + j + step];
    acc2 += A[row * N + j + 2 * step];
    acc3 += A[row * N + j + 3 * step];
  }
  for (; j < N; j += step)
    acc0 += A[row * N + j];
  s[tx] = (acc0 + acc1) + (acc2 + acc3);
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= 32; stride >>= 1) {
    if (tx < stride)
      s[tx] += s[tx + stride];
    __syncthreads();
  }
  if (tx < 32) {
    float v = warpSum(s[tx]);
    if (tx == 0)
      out[row] = v;
  }
}

std::vector<float> rowSumsOnHost(const std::vector<float> &A, int M, int N) {
  std::vector<float> sums(M);
  for (int row = 0; row < M; ++row) {
    double sum = 0;
    for (int j = 0; j < N; ++j)
      sum += A[std::size_t(row) * N + j];
    sums[row] = static_cast<float>(sum);
  }
  return sums;
}

bool run(int M, int N) {
  std::vector<float> A =
      twin::randomNumbers<float>(std::size_t(M) * N, -1, 1);
  std::vector<float> expected = rowSumsOnHost(A, M, N);
  twin::DeviceArray<float> dA(A), out(M);

  rowSum<<<M, blockSize>>>(dA.get(), out.get(), M, N);
  bool right = program::verify("any sizes", out, expected, 1e-4);

  out.clear();
  rowSumByFour<<<M, blockSize>>>(dA.get(), out.get(), M, N);
  right = program::verify("four accumulators", out, expected, 1e-4) && right;

  if (N == rowLength) {
    out.clear();
    rowSumOf<blockSize, rowLength><<<M, blockSize>>>(dA.get(), out.get());
    right = program::verify("constant sizes", out, expected, 1e-4) && right;
  }
  return right;
}

} // namespace

int main() {
  bool right = run(3000, rowLength);
  right = run(3000, rowLength - 1) && right;
  return right ? 0 : 1;
}
