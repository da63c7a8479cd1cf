// Launches that leave SMs idle, beside launches that fill them: too few blocks,
// and a few more than fit at once on a GPU of 132 SMs.
#include "twin.h"

namespace {

const char *const check = "small-grid";

__global__ void addInBlock(int n, const float *x, float *y) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = x[i] + 1;
}

__global__ void addInGrid(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

constexpr int rows = 272, columns = 1 << 15, threads = 1024;

__device__ float work(float x) {
  for (int k = 0; k < 64; ++k)
    x = x * 0.9999f + 0.0001f;
  return x;
}

// A block for each row; two of them fit on an SM.
__global__ void __launch_bounds__(threads, 2)
    blockForRow(const float *in, float *sums) {
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += threads)
    sum += work(in[blockIdx.x * columns + i]);
  atomicAdd(&sums[blockIdx.x * threads + threadIdx.x], sum);
}

// Eight blocks for each row: the last wave is an eighth as long.
__global__ void __launch_bounds__(threads, 2)
    blocksForRow(const float *in, float *sums) {
  const int part = columns / 8, begin = blockIdx.y * part;
  float sum = 0;
  for (int i = threadIdx.x; i < part; i += threads)
    sum += work(in[blockIdx.x * columns + begin + i]);
  atomicAdd(&sums[blockIdx.x * threads + threadIdx.x], sum);
}

bool compareBlocks() {
  constexpr int n = 1 << 20;
  twin::DeviceArray<float> x(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "one-block", "2^20 elements: one block -> a thread for each"},
      [&] {
        addInBlock<<<1, 256>>>(n, x.get(), slow.get()); // expect: small-grid
      },
      slow, [&] { addInGrid<<<n / 256, 256>>>(n, x.get(), fast.get()); }, fast);
}

bool compareWaves() {
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(rows) * columns, 0, 1));
  twin::DeviceArray<float> slow(rows * threads), fast(rows * threads);
  return twin::compare(
      {check, "last-wave",
       "272 blocks where 264 fit at once -> eight times as many, an eighth each",
       1e-4},
      [&] {
        blockForRow<<<rows, threads>>>(in.get(), slow.get()); // expect: small-grid
      },
      slow,
      [&] { blocksForRow<<<dim3(rows, 8), threads>>>(in.get(), fast.get()); },
      fast);
}

} // namespace

int main() {
  bool agreed = compareBlocks();
  agreed = compareWaves() && agreed;
  return agreed ? 0 : 1;
}
