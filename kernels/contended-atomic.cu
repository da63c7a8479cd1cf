// Five kernels in which all lanes of a warp, or all threads of a grid, update a
// few addresses, each beside a twin that adds up elsewhere first.
#include "twin.h"

namespace {

constexpr int threads = 256, warp = 32;
const char *const check = "contended-atomic";

/// The sum of what the threads of a block have; in thread 0.
template <class T> __device__ T blockSum(T value) {
  __shared__ T partial[threads / warp];
  for (int distance = warp / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  if (threadIdx.x % warp == 0)
    partial[threadIdx.x / warp] = value;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 1; k < threads / warp; ++k)
      value += partial[k];
  return value;
}

// One sum of everything.
template <class T>
__global__ void sumByThread(const T *in, T *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(total, in[i]); // expect: contended-atomic
}

template <class T>
__global__ void sumByBlock(const T *in, T *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = blockSum(i < n ? in[i] : T(0));
  if (threadIdx.x == 0)
    atomicAdd(total, sum);
}

// A sum for each block: other blocks have other addresses, but the lanes of a
// warp have the same.
__global__ void rowByThread(const float *in, float *rows, int columns) {
  float value = in[blockIdx.x * columns + threadIdx.x];
  atomicAdd(&rows[blockIdx.x], value); // expect: contended-atomic
}

__global__ void rowByBlock(const float *in, float *rows, int columns) {
  float sum = blockSum(in[blockIdx.x * columns + threadIdx.x]);
  if (threadIdx.x == 0)
    rows[blockIdx.x] += sum;
}

// The same in shared memory, where the compiler makes a loop of an atomic of
// floats.
__global__ void rowByShared(const float *in, float *rows, int columns) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * columns + threadIdx.x]); // expect: contended-atomic
  __syncthreads();
  if (threadIdx.x == 0)
    rows[blockIdx.x] += sum;
}

// How often each byte occurs.
__global__ void countGlobal(const unsigned char *in, unsigned *count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    atomicAdd(&count[in[i]], 1u); // expect: contended-atomic // expect: scattered-global-access
}

__global__ void countShared(const unsigned char *in, unsigned *count, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  atomicAdd(&count[threadIdx.x], mine[threadIdx.x]);
}

template <class T> bool compareSums(const char *name, const char *what) {
  const int n = 1 << 22;
  twin::DeviceArray<T> in(std::vector<T>(n, T(1)));
  twin::DeviceArray<T> slow(1), fast(1);
  return twin::compare(
      {check, name, what}, // ones: the sums are exact in any order
      [&] { sumByThread<T><<<n / threads, threads>>>(in.get(), slow.get(), n); },
      slow,
      [&] { sumByBlock<T><<<n / threads, threads>>>(in.get(), fast.get(), n); },
      fast);
}

bool compareRows() {
  const int rows = 1 << 14;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(rows) * threads, 0, 1));
  twin::DeviceArray<float> slow(rows), fast(rows);
  auto byBlock = [&] {
    rowByBlock<<<rows, threads>>>(in.get(), fast.get(), threads);
  };
  bool agreed = twin::compare(
      {check, "sum-per-block", "a float sum for each block: all threads -> one",
       1e-5},
      [&] { rowByThread<<<rows, threads>>>(in.get(), slow.get(), threads); },
      slow, byBlock, fast);
  return twin::compare(
             {check, "shared-word",
              "the same by one word of shared memory -> shuffles", 1e-5},
             [&] {
               rowByShared<<<rows, threads>>>(in.get(), slow.get(), threads);
             },
             slow, byBlock, fast) &&
         agreed;
}

bool compareHistograms() {
  const int n = 1 << 22, blocks = 1056;
  twin::DeviceArray<unsigned char> in(
      twin::randomNumbers<unsigned char>(n, 0, 256));
  twin::DeviceArray<unsigned> slow(256), fast(256);
  return twin::compare(
      {check, "histogram",
       "256 bins in global memory -> in shared memory, one set per block"},
      [&] { countGlobal<<<blocks, threads>>>(in.get(), slow.get(), n); }, slow,
      [&] { countShared<<<blocks, threads>>>(in.get(), fast.get(), n); }, fast);
}

} // namespace

int main() {
  bool agreed = compareSums<float>(
      "sum", "one float sum of 4194304: all threads -> one of each block");
  agreed = compareSums<int>("integer-sum",
                            "the same of int, which the compiler turns into "
                            "one atomic per warp") &&
           agreed;
  agreed = compareRows() && agreed;
  agreed = compareHistograms() && agreed;
  return agreed ? 0 : 1;
}
