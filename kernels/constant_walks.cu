// How much a loop takes that reads constants by its counter, the same for all
// lanes: the ground for linter/cost/walked_constants. Prints cycles of an SM for
// each word that a warp reads, one and two of them at once.
//
// One H200, CUDA 13.0, cycles by warps of an SM at once and bytes of the table,
// of words read one by one, and of those that the compiler reads in pairs:
//   bytes       256          384          512          768          4096
//    8 warps    3.7   1.1    4.2   1.5    4.2   1.5    4.2   1.5    4.2   1.5
//   16 warps    2.1   .77    2.2   1.0    2.2   1.0    2.2   .99    2.2   .98
//   32 warps    1.6   .67    3.3   .72    5.8   .77    7.5   1.1    9.5   3.8
//   48 warps    1.5   .67    6.7   1.1   15.5   3.3   23.7   6.2   25.6  10.1
//   64 warps    1.5   .66   12.7   2.6   23.6   7.6   24.9  11.8   25.9  14.0
// A copy in shared memory takes .8, copies of the whole body .3 to .6, and an
// index that comes from data 1.9, of 256 to 32,768 bytes.
#include "program.h"

namespace {

constexpr int mostWords = 1024, reads = 1 << 14;
__constant__ float table[mostWords];

template <int copies>
__global__ void walk( // expect: low-occupancy
    const float *array, float *sums, int words, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = array[i];
  float sum = 0;
  for (int time = 0; time < times; ++time)
#pragma unroll copies
    for (int word = 0; word < words; ++word)
      sum += factor * table[word];
  sums[i] = sum;
}

template <int copies>
double cycles(const float *array, float *sums, int warps, int words) {
  constexpr double gigahertz = 1.755;
  constexpr int multiprocessors = 132, waves = 8, most = 225 * 1024;
  const int threads = warps < 8 ? warps * 32 : 256,
            atOnce = warps * 32 / threads,
            blocks = multiprocessors * waves * atOnce,
            shared = warps < 64 ? most / atOnce : 0;
  cudaFuncSetAttribute(walk<copies>,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  const float microseconds = program::leastMicroseconds([&] {
    walk<copies><<<blocks, threads, shared>>>(array, sums, words,
                                              reads / words);
  });
  return microseconds * 1e3 * gigahertz * multiprocessors /
         (double(blocks) * threads / 32 * (reads / words) * words);
}

} // namespace

int main() {
  float *array, *sums;
  constexpr size_t bytes = size_t(132) * 8 * 64 * 32 * sizeof(float);
  cudaMalloc(&array, bytes);
  cudaMalloc(&sums, bytes);
  cudaMemset(array, 0, bytes);
  for (int warps : {8, 16, 32, 48, 64})
    for (int words : {64, 96, 128, 192, 1024})
      std::printf("%d warps, %zu bytes: %.2f, %.2f\n", warps,
                  words * sizeof(float), cycles<1>(array, sums, warps, words),
                  cycles<4>(array, sums, warps, words));
}
