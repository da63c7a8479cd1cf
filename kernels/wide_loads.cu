// How long the banks of L1 and of shared memory take for loads of 4, 8 and 16
// bytes whose lanes share addresses: the ground for linter/cost/request's
// bankWavefronts and for the look-up of lines in linter/cost/kernel_requests.
// Prints cycles of an SM for each request of a warp; the data lie in L1.
//
// One H200, CUDA 13.0, rows of 128 bytes (all of them begin in one bank); the
// element that a lane loads:         global: 4, 8, 16 bytes  shared: 4, 8, 16
//   lane                               1.1   2.0   4.0        1.0   2.0   4.0
//   0                                  1.1   2.0   4.1        1.0   1.3   2.2
//   lane / 2                           1.1   2.0   4.1        1.0   1.2   2.2
//   lane % 2                           1.1   2.0   4.1        1.0   1.3   2.2
//   lane % 4                           1.1   2.0   4.1        1.0   2.0   4.0
//   lane % 8                           1.1   2.0   4.1        1.0   2.0   4.0
//   row lane                          32    32    32         32    32    32
//   row lane % 16                     16    32    32         16    32    32
//   row lane % 8                       8    16    32          8    16    32
//   row lane % 4                       4     8    16          4     8    16
//   row lane % 2                       2     4     8          2     2     4
//   row lane / 2                      16    16    16         16    16    16
//   row lane / 2 % 8                   8    16    16          8     8    16
//   row lane / 4                       8     8     8          8     8     8
// Rows of 144 bytes, which begin in other banks, of floats in L1: row lane, lane
// / 2, lane / 4, lane / 8: 9.0, 4.9, 2.8, 1.7.
#include "program.h"

namespace {

enum class Element {
  Lane,
  First,
  Half,
  Odd,
  OfFour,
  OfEight,
  Row,
  RowOf16,
  RowOf8,
  RowOf4,
  RowOf2,
  RowOfPair,
  RowOfPairOf8,
  RowOfFour,
  RowOfEight,
  All
};

__device__ int elementOf(Element element, int lane, int row) {
  switch (element) {
  case Element::First:
    return 0;
  case Element::Half:
    return lane / 2;
  case Element::Odd:
    return lane % 2;
  case Element::OfFour:
    return lane % 4;
  case Element::OfEight:
    return lane % 8;
  case Element::Row:
    return lane * row;
  case Element::RowOf16:
    return lane % 16 * row;
  case Element::RowOf8:
    return lane % 8 * row;
  case Element::RowOf4:
    return lane % 4 * row;
  case Element::RowOf2:
    return lane % 2 * row;
  case Element::RowOfPair:
    return lane / 2 * row;
  case Element::RowOfPairOf8:
    return lane / 2 % 8 * row;
  case Element::RowOfFour:
    return lane / 4 * row;
  case Element::RowOfEight:
    return lane / 8 * row;
  default:
    return lane;
  }
}

__device__ float sumOf(float value) { return value; }
__device__ float sumOf(float2 value) { return value.x + value.y; }
__device__ float sumOf(float4 value) {
  return value.x + value.y + value.z + value.w;
}

constexpr int floats = 10 * 1024, steps = 500, loadsOfStep = 4, threads = 1024;

template <class T, bool isShared>
__global__ void request(const float *in, float *out, long long *cycles,
                        Element element, int row) {
  extern __shared__ float shared[];
  for (int i = threadIdx.x; i < floats; i += threads)
    shared[i] = in[i];
  __syncthreads();
  const auto *begin = reinterpret_cast<const T *>(isShared ? shared : in) +
                      elementOf(element, threadIdx.x % 32, row);
  float sum = 0;
  long long time = 0;
  for (int round = 0; round < 2; ++round) { // the second one finds all in L1
    __syncthreads();
    time = clock64();
    for (int i = 0; i < steps; ++i) {
      // Another address each time, so that nvcc joins none of them.
      const T *from = begin + (i * 64 & 960) / sizeof(T);
      for (int j = 0; j < loadsOfStep; ++j)
        sum += sumOf(from[j * 16 / sizeof(T)]); // expect: block-wide-reload // expect: shared-bank-conflict // expect: strided-global-access
    }
    __syncthreads();
    time = clock64() - time;
  }
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0)
    *cycles = time;
}

template <class T, bool isShared>
void print(const float *in, float *out, long long *cycles) {
  constexpr int sharedBytes = floats * sizeof(float);
  cudaFuncSetAttribute(request<T, isShared>,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       sharedBytes);
  for (int rowBytes : {128, 144}) {
    std::printf("%s memory, %d bytes, rows of %d:",
                isShared ? "shared" : "global", int(sizeof(T)), rowBytes);
    for (int i = 0; i < int(Element::All); ++i) {
      request<T, isShared><<<1, threads, sharedBytes>>>( // expect: small-grid
          in, out, cycles, Element(i), rowBytes / int(sizeof(T)));
      long long all = 0;
      TWIN_CHECK(cudaMemcpy(&all, cycles, sizeof all, cudaMemcpyDeviceToHost));
      std::printf(" %.2f", double(all) / (steps * loadsOfStep * threads / 32));
    }
    std::printf("\n");
  }
}

} // namespace

int main() {
  constexpr int bytes = 1 << 20;
  float *in, *out;
  long long *cycles;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMalloc(&cycles, sizeof *cycles);
  cudaMemset(in, 0, bytes);
  print<float, false>(in, out, cycles);
  print<float2, false>(in, out, cycles);
  print<float4, false>(in, out, cycles);
  print<float, true>(in, out, cycles);
  print<float2, true>(in, out, cycles);
  print<float4, true>(in, out, cycles);
}
