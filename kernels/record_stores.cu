// How stores to neighbouring words of long records join: the ground for
// partOfStores in linter/cost/kernel_requests.cpp. Prints cycles of an SM for
// the stores of a warp; Nsight Compute counts their sectors
// (lts__t_sectors_srcunit_tex_op_write).
//
// One H200, CUDA 13.0: sectors of a warp's stores, by words of a record and of
// those that are stored: in place, and of one word for all.
//   4, 2: 16, 16     4, 4: 21, 18     6, 3: 25, 30     6, 6: 63, 66
//   8, 2: 37, 44     8, 3: 63, 64     8, 4: 97, 87     8, 8: 210, 196
//   12, 3: 66, 76    12, 6: 173, 173  16, 2: 51, 59    16, 4: 122, 122
//   16, 8: 252, 250  32, 3: 96, 96
#include "program.h"

namespace {

constexpr int threads = 256, blocks = 8192;

template <int words, int stored>
__global__ void inPlace(float *records) {
  float *record = records + size_t(blockIdx.x * blockDim.x + threadIdx.x) * words;
  float values[stored];
#pragma unroll
  for (int i = 0; i < stored; ++i)
    values[i] = record[i]; // expect: strided-global-access
#pragma unroll
  for (int i = 0; i < stored; ++i)
    record[i] = values[i] + 1; // expect: strided-global-access
}

template <int words, int stored>
__global__ void ofOneWord(float *__restrict__ records,
                          const float *__restrict__ array) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float *record = records + size_t(thread) * words, value = array[thread];
#pragma unroll
  for (int i = 0; i < stored; ++i)
    record[i] = value + i; // expect: strided-global-access
}

template <int words, int stored>
void print(float *records, float *array) {
  constexpr double gigahertz = 1.755, multiprocessors = 132;
  auto cycles = [](float microseconds) {
    return microseconds * 1e3 * gigahertz * multiprocessors /
           (double(blocks) * threads / 32);
  };
  std::printf("%d of %d words: %.0f in place, %.0f of one word\n",
              stored, words,
              cycles(program::leastMicroseconds([&] {
                inPlace<words, stored><<<blocks, threads>>>(records);
              })),
              cycles(program::leastMicroseconds([&] {
                ofOneWord<words, stored><<<blocks, threads>>>(records, array);
              })));
}

} // namespace

int main() {
  float *records, *array;
  cudaMalloc(&records, size_t(blocks) * threads * 32 * sizeof(float));
  cudaMalloc(&array, size_t(blocks) * threads * sizeof(float));
  print<4, 2>(records, array);
  print<4, 4>(records, array);
  print<6, 3>(records, array);
  print<6, 6>(records, array);
  print<8, 2>(records, array);
  print<8, 3>(records, array);
  print<8, 4>(records, array);
  print<8, 8>(records, array);
  print<12, 3>(records, array);
  print<12, 6>(records, array);
  print<16, 2>(records, array);
  print<16, 4>(records, array);
  print<16, 8>(records, array);
  print<32, 3>(records, array);
}
