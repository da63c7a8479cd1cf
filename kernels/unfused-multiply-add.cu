// Products and sums kept apart, each beside the fused form.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "unfused-multiply-add";

__global__ void roundedApart(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k)
    sum = __fadd_rn(x, __fmul_rn(sum, 0.75f)); // expect: unfused-multiply-add
  out[i] = sum;
}

__global__ void roundedOnce(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k)
    sum = sum * 0.75f + x;
  out[i] = sum;
}

__global__ void productChosen(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k)
    sum += (k + i) % 3 ? x * sum : 0.0f; // expect: unfused-multiply-add
  out[i] = sum;
}

__global__ void factorChosen(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k)
    sum += ((k + i) % 3 ? x : 0.0f) * sum;
  out[i] = sum;
}

bool compareForms() {
  const int n = 1 << 20, turns = 256;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 0.01));
  twin::DeviceArray<float> slow(n), fast(n);
  bool agreed = twin::compare(
      {check, "fixed-rounding", "__fadd_rn(x, __fmul_rn(a, b)) -> a * b + x", 1e-4},
      [&] {
        roundedApart<<<n / threads, threads>>>(in.get(), slow.get(), n, turns);
      },
      slow,
      [&] {
        roundedOnce<<<n / threads, threads>>>(in.get(), fast.get(), n, turns);
      },
      fast);
  return twin::compare(
             {check, "choice", "c ? a * b : 0 -> (c ? a : 0) * b", 1e-4},
             [&] {
               productChosen<<<n / threads, threads>>>(in.get(), slow.get(), n, turns);
             },
             slow,
             [&] {
               factorChosen<<<n / threads, threads>>>(in.get(), fast.get(), n, turns);
             },
             fast) &&
         agreed;
}

} // namespace

int main() { return compareForms() ? 0 : 1; }
