// Loops with a variable of 8 or 16 bits, each beside the same with an int.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "narrow-integer-arithmetic";

__global__ void counterOf8(int *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned char last = turns;
  float x = i, sum = 0;
  for (unsigned char k = 0; k < last; ++k) // expect: narrow-integer-arithmetic
    sum = sum * 0.5f + x;
  out[i] = sum;
}

__global__ void counterOf32(int *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned char last = turns;
  float x = i, sum = 0;
  for (int k = 0; k < last; ++k)
    sum = sum * 0.5f + x;
  out[i] = sum;
}

__global__ void shiftOf16(int *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  short state = i;
  int sum = 0;
  for (int k = 0; k < turns; ++k) {
    state = state * 3 + 1;
    sum += state >> 2; // expect: narrow-integer-arithmetic
  }
  out[i] = sum;
}

__global__ void shiftOf32(int *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int state = i, sum = 0;
  for (int k = 0; k < turns; ++k) {
    state = state * 3 + 1;
    sum += (state << 16) >> 18;
  }
  out[i] = sum;
}

bool compareForms() {
  const int n = 1 << 20, turns = 200;
  twin::DeviceArray<int> slow(n), fast(n);
  bool agreed = twin::compare(
      {check, "counter", "a counter of 8 bits -> an int", 0},
      [&] {
        counterOf8<<<n / threads, threads>>>(slow.get(), n, turns);
      },
      slow,
      [&] {
        counterOf32<<<n / threads, threads>>>(fast.get(), n, turns);
      },
      fast);
  return twin::compare(
             {check, "shift", "a short that is shifted -> an int", 0},
             [&] {
               shiftOf16<<<n / threads, threads>>>(slow.get(), n, turns);
             },
             slow,
             [&] {
               shiftOf32<<<n / threads, threads>>>(fast.get(), n, turns);
             },
             fast) &&
         agreed;
}

} // namespace

int main() { return compareForms() ? 0 : 1; }
