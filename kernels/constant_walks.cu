// How much a loop takes that reads constants by its counter, the same for all
// lanes: the ground for linter/cost/walked_constants. Prints cycles of an SM for
// each word that a warp reads, by the threads of a block, the words of the table
// and the copies that the compiler makes of the loop's body.
//
// One H200, CUDA 13.0, 64 warps on an SM:
//   words              64     128     256     512
//   1 copy
//     64 threads      2.0    25.6    27.5    28.0
//    256 threads      2.0    16.5    20.9    22.3
//   1024 threads      2.0     1.8     1.7     1.7
//   16 copies
//     64 threads      1.5    10.9    12.9    13.2
//    256 threads       .9     4.3     9.5    11.4
//   1024 threads      1.0      .7      .6      .5
//   32 copies
//     64 threads      1.5      .8      .8      .9
//    256 threads       .9      .6      .7      .7
// Blocks that begin at different times read different parts: with two or three
// blocks on an SM, or 24 warps, nothing is lost; with 32 of 64 threads, or 8 of
// 256, nearly each load misses. The work between two loads is hidden behind
// that: 16 products and sums, or 4 exponentials, for each word take as long. A
// copy in shared memory takes .8, and an index that comes from data or the block
// 1.9, of 256 to 32,768 bytes.
#include "program.h"

namespace {

constexpr int mostWords = 1024, threadsInAll = 1 << 20;
__constant__ float table[mostWords];

template <int copies>
__global__ void walk(const float *array, float *sums, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = array[i];
  float sum = 0;
#pragma unroll copies
  for (int word = 0; word < words; ++word)
    sum += factor * table[word];
  sums[i] = sum;
}

template <int copies>
double cycles(const float *array, float *sums, int threads, int words) {
  constexpr double gigahertz = 1.755, multiprocessors = 132, warpSize = 32;
  const float microseconds = program::leastMicroseconds([&] {
    walk<copies><<<threadsInAll / threads, threads>>>(array, sums, words);
  });
  return microseconds * 1e3 * gigahertz * multiprocessors /
         (threadsInAll / warpSize * words);
}

} // namespace

int main() {
  float *array, *sums;
  constexpr size_t bytes = size_t(threadsInAll) * sizeof(float);
  cudaMalloc(&array, bytes);
  cudaMalloc(&sums, bytes);
  cudaMemset(array, 0, bytes);
  for (int threads : {64, 256, 1024})
    for (int words : {64, 128, 256, 512})
      std::printf("%d threads, %d words: %.2f, %.2f, %.2f\n", threads, words,
                  cycles<1>(array, sums, threads, words),
                  cycles<16>(array, sums, threads, words),
                  cycles<32>(array, sums, threads, words));
}
