// Four loops that divide by one value in every iteration, each beside a form
// without the division.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "costly-division";

__global__ void ringByRemainder(unsigned *out, int n, int turns,
                                unsigned size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned state = i, sum = 0;
  for (int k = 0; k < turns; ++k) {
    state = state * 1664525u + 1013904223u;
    sum += state % size; // expect: costly-division
  }
  out[i] = sum;
}

__global__ void ringByMask(unsigned *out, int n, int turns, unsigned size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned state = i, sum = 0, mask = size - 1;
  for (int k = 0; k < turns; ++k) {
    state = state * 1664525u + 1013904223u;
    sum += state & mask;
  }
  out[i] = sum;
}

// Row and column of an index that grows by one.
__global__ void columnsByRemainder(unsigned *out, int n, int turns,
                                   int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned sum = 0;
  for (int k = i; k < i + turns; ++k)
    sum += k % width * 3 + k / width; // expect: costly-division
  out[i] = sum;
}

__global__ void columnsByCounter(unsigned *out, int n, int turns, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned sum = 0;
  int row = i / width, column = i % width;
  for (int k = 0; k < turns; ++k) {
    sum += column * 3 + row;
    if (++column == width) {
      column = 0;
      ++row;
    }
  }
  out[i] = sum;
}

__global__ void wideRemainder(unsigned long long *out, int n, int turns,
                              unsigned long long size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long state = i, sum = 0;
  for (int k = 0; k < turns; ++k) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (state >> 8) % size; // expect: costly-division
  }
  out[i] = sum;
}

__global__ void wideMask(unsigned long long *out, int n, int turns,
                         unsigned long long size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long state = i, sum = 0, mask = size - 1;
  for (int k = 0; k < turns; ++k) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (state >> 8) & mask;
  }
  out[i] = sum;
}

__global__ void normByDivision(const float *in, float *out, int n, int turns,
                               float norm) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += x / norm; // expect: costly-division
    x = x * 0.5f + 1.0f;
  }
  out[i] = sum;
}

__global__ void normByProduct(const float *in, float *out, int n, int turns,
                              float norm) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0, factor = 1.0f / norm;
  for (int k = 0; k < turns; ++k) {
    sum += x * factor;
    x = x * 0.5f + 1.0f;
  }
  out[i] = sum;
}

bool compareIntegers() {
  const int n = 1 << 20, turns = 256;
  twin::DeviceArray<unsigned> slow(n), fast(n);
  bool agreed = twin::compare(
      {check, "ring", "state % size -> state & (size - 1)"},
      [&] {
        ringByRemainder<<<n / threads, threads>>>(slow.get(), n, turns, 1024);
      },
      slow,
      [&] { ringByMask<<<n / threads, threads>>>(fast.get(), n, turns, 1024); },
      fast);
  agreed = twin::compare(
               {check, "columns",
                "k % width and k / width -> a column that wraps"},
               [&] {
                 columnsByRemainder<<<n / threads, threads>>>(slow.get(), n,
                                                              turns, 1000);
               },
               slow,
               [&] {
                 columnsByCounter<<<n / threads, threads>>>(fast.get(), n,
                                                            turns, 1000);
               },
               fast) &&
           agreed;
  twin::DeviceArray<unsigned long long> slowWide(n), fastWide(n);
  return twin::compare(
             {check, "wide", "64-bit state % size -> state & (size - 1)"},
             [&] {
               wideRemainder<<<n / threads, threads>>>(slowWide.get(), n, turns,
                                                       1ull << 40);
             },
             slowWide,
             [&] {
               wideMask<<<n / threads, threads>>>(fastWide.get(), n, turns,
                                                  1ull << 40);
             },
             fastWide) &&
         agreed;
}

bool compareFloats() {
  const int n = 1 << 20, turns = 256;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "norm", "x / norm in a loop -> x * (1 / norm)", 1e-5},
      [&] {
        normByDivision<<<n / threads, threads>>>(in.get(), slow.get(), n, turns,
                                                 3.7f);
      },
      slow,
      [&] {
        normByProduct<<<n / threads, threads>>>(in.get(), fast.get(), n, turns,
                                                3.7f);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareIntegers();
  agreed = compareFloats() && agreed;
  return agreed ? 0 : 1;
}
