// Three loops of floats that constants pull up to double, each beside its form in
// floats.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "double-in-float";

__global__ void dampByDouble(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  for (int k = 0; k < turns; ++k)
    x = x * 0.999; // expect: double-in-float
  out[i] = x;
}

__global__ void dampByFloat(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  for (int k = 0; k < turns; ++k)
    x = x * 0.999f;
  out[i] = x;
}

__global__ void mixByDouble(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], y = x;
  for (int k = 0; k < turns; ++k)
    x = 0.9 * x + 0.1 * y; // expect: double-in-float
  out[i] = x;
}

__global__ void mixByFloat(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], y = x;
  for (int k = 0; k < turns; ++k)
    x = 0.9f * x + 0.1f * y;
  out[i] = x;
}

__global__ void clampByDouble(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  for (int k = 0; k < turns; ++k)
    x = max(x * 0.5f - 0.125f, 1e-3); // expect: double-in-float
  out[i] = x;
}

__global__ void clampByFloat(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  for (int k = 0; k < turns; ++k)
    x = fmaxf(x * 0.5f - 0.125f, 1e-3f);
  out[i] = x;
}

bool compareLoops() {
  const int n = 1 << 20, turns = 256;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  bool agreed = twin::compare(
      {check, "damp", "x * 0.999 -> x * 0.999f", 1e-4},
      [&] {
        dampByDouble<<<n / threads, threads>>>(in.get(), slow.get(), n, turns);
      },
      slow,
      [&] {
        dampByFloat<<<n / threads, threads>>>(in.get(), fast.get(), n, turns);
      },
      fast);
  agreed =
      twin::compare(
          {check, "mix", "0.9 * x + 0.1 * y -> with the suffix f", 1e-4},
          [&] {
            mixByDouble<<<n / threads, threads>>>(in.get(), slow.get(), n,
                                                  turns);
          },
          slow,
          [&] {
            mixByFloat<<<n / threads, threads>>>(in.get(), fast.get(), n,
                                                 turns);
          },
          fast) &&
      agreed;
  return twin::compare(
             {check, "clamp", "max(x, 1e-3) of a float -> fmaxf(x, 1e-3f)",
              1e-4},
             [&] {
               clampByDouble<<<n / threads, threads>>>(in.get(), slow.get(), n,
                                                       turns);
             },
             slow,
             [&] {
               clampByFloat<<<n / threads, threads>>>(in.get(), fast.get(), n,
                                                      turns);
             },
             fast) &&
         agreed;
}

} // namespace

int main() { return compareLoops() ? 0 : 1; }
