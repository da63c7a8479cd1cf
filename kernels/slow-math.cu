// Three functions of floats to the last bit, each beside the short form of the hardware.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "slow-math";

__global__ void sineExact(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += sinf(x); // expect: slow-math
    x += 0.0625f;
  }
  out[i] = sum;
}

__global__ void sineShort(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += __sinf(x);
    x += 0.0625f;
  }
  out[i] = sum;
}

__global__ void exponentialExact(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += expf(-x); // expect: slow-math
    x += 0.0625f;
  }
  out[i] = sum;
}

__global__ void exponentialShort(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += __expf(-x);
    x += 0.0625f;
  }
  out[i] = sum;
}

__global__ void ratioExact(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum = x / (sum + 1.0f); // expect: slow-math
    x += 0.0625f;
  }
  out[i] = sum;
}

__global__ void ratioShort(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum = __fdividef(x, sum + 1.0f);
    x += 0.0625f;
  }
  out[i] = sum;
}

bool compareForms() {
  const int n = 1 << 20, turns = 64;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  bool agreed = twin::compare(
      {check, "sine", "sinf(x) -> __sinf(x)", 1e-4},
      [&] {
        sineExact<<<n / threads, threads>>>(in.get(), slow.get(), n, turns);
      },
      slow,
      [&] {
        sineShort<<<n / threads, threads>>>(in.get(), fast.get(), n, turns);
      },
      fast);
  agreed = twin::compare(
               {check, "exponential", "expf(-x) -> __expf(-x)", 1e-4},
               [&] {
                 exponentialExact<<<n / threads, threads>>>(in.get(), slow.get(), n, turns);
               },
               slow,
               [&] {
                 exponentialShort<<<n / threads, threads>>>(in.get(), fast.get(), n, turns);
               },
               fast) &&
           agreed;
  return twin::compare(
             {check, "ratio", "x / y -> __fdividef(x, y)", 1e-4},
             [&] {
               ratioExact<<<n / threads, threads>>>(in.get(), slow.get(), n, turns);
             },
             slow,
             [&] {
               ratioShort<<<n / threads, threads>>>(in.get(), fast.get(), n, turns);
             },
             fast) &&
         agreed;
}

} // namespace

int main() { return compareForms() ? 0 : 1; }
