// Four general powers with small constant exponents, each beside products or a root.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "costly-power";

__global__ void squareByPow(const double *in, double *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += pow(x, 2.0); // expect: costly-power
    x += 0.25;
  }
  out[i] = sum;
}

__global__ void squareByProduct(const double *in, double *out, int n,
                                int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += x * x;
    x += 0.25;
  }
  out[i] = sum;
}

__global__ void squareByPowf(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += powf(x, 2.0f); // expect: costly-power
    x += 0.25f;
  }
  out[i] = sum;
}

__global__ void squareByProductOfFloats(const float *in, float *out, int n,
                                        int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += x * x;
    x += 0.25f;
  }
  out[i] = sum;
}

__global__ void rootByPowf(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += powf(x, 0.5f); // expect: costly-power
    x += 0.25f;
  }
  out[i] = sum;
}

__global__ void rootBySqrtf(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < turns; ++k) {
    sum += sqrtf(x); // expect: slow-math
    x += 0.25f;
  }
  out[i] = sum;
}

// Once per element, in a kernel that waits for memory.
__global__ void distanceByPowf(const float *x, const float *y, float *out,
                               int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = sqrtf(powf(x[i], 2.0f) + // expect: costly-power // expect: slow-math
                   powf(y[i], 2.0f)); // expect: costly-power
}

__global__ void distanceByProducts(const float *x, const float *y, float *out,
                                   int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = sqrtf(x[i] * x[i] + y[i] * y[i]);
}

bool compareLoops() {
  const int n = 1 << 20, turns = 64;
  twin::DeviceArray<double> wide(twin::randomNumbers<double>(n, 1, 2));
  twin::DeviceArray<double> slowWide(n), fastWide(n);
  bool agreed = twin::compare(
      {check, "square-of-double", "sums of pow(x, 2.0) -> x * x", 1e-12},
      [&] {
        squareByPow<<<n / threads, threads>>>(wide.get(), slowWide.get(), n,
                                              turns);
      },
      slowWide,
      [&] {
        squareByProduct<<<n / threads, threads>>>(wide.get(), fastWide.get(), n,
                                                  turns);
      },
      fastWide);
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 1, 2));
  twin::DeviceArray<float> slow(n), fast(n);
  agreed = twin::compare(
               {check, "square-of-float", "sums of powf(x, 2.0f) -> x * x",
                1e-5},
               [&] {
                 squareByPowf<<<n / threads, threads>>>(in.get(), slow.get(), n,
                                                        turns);
               },
               slow,
               [&] {
                 squareByProductOfFloats<<<n / threads, threads>>>(
                     in.get(), fast.get(), n, turns);
               },
               fast) &&
           agreed;
  return twin::compare(
             {check, "root", "sums of powf(x, 0.5f) -> sqrtf(x)", 1e-5},
             [&] {
               rootByPowf<<<n / threads, threads>>>(in.get(), slow.get(), n,
                                                    turns);
             },
             slow,
             [&] {
               rootBySqrtf<<<n / threads, threads>>>(in.get(), fast.get(), n,
                                                     turns);
             },
             fast) &&
         agreed;
}

bool compareStream() {
  const int n = 1 << 24;
  twin::DeviceArray<float> x(twin::randomNumbers<float>(n, 0, 1)),
      y(twin::randomNumbers<float>(n, 0, 1, 2));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "once-per-element",
       "two powf(x, 2.0f) per element of 16777216 -> products", 1e-5},
      [&] {
        distanceByPowf<<<n / threads, threads>>>(x.get(), y.get(), slow.get(),
                                                 n);
      },
      slow,
      [&] {
        distanceByProducts<<<n / threads, threads>>>(x.get(), y.get(),
                                                     fast.get(), n);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareLoops();
  agreed = compareStream() && agreed;
  return agreed ? 0 : 1;
}
