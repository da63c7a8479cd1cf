// Short loops whose bounds are arguments, beside the same loops with template
// parameters.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "open-trip-count";

__global__ void distancesOfAny(const float *points, float *out, int n,
                               int dimensions, int others) {
  int i = blockIdx.x * threads + threadIdx.x;
  float nearest = 1e30f;
  for (int j = 0; j < others; ++j) {
    float distance = 0;
    for (int d = 0; d < dimensions; ++d) { // expect: open-trip-count
      float difference = points[d * n + i] -
                         points[d * n + j]; // expect: uniform-global-load
      distance += difference * difference;
    }
    nearest = j == i ? nearest : fminf(nearest, distance);
  }
  out[i] = nearest;
}

template <int dimensions>
__global__ void distancesOfKnown(const float *points, float *out, int n,
                                 int others) {
  int i = blockIdx.x * threads + threadIdx.x;
  float nearest = 1e30f;
  for (int j = 0; j < others; ++j) {
    float distance = 0;
    for (int d = 0; d < dimensions; ++d) {
      float difference = points[d * n + i] -
                         points[d * n + j]; // expect: uniform-global-load
      distance += difference * difference;
    }
    nearest = j == i ? nearest : fminf(nearest, distance);
  }
  out[i] = nearest;
}

// A window around each pixel of a row.
__global__ void blurByAny(const float *in, const float *weight, float *out,
                          int width, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < radius || x >= width - radius)
    return;
  float sum = 0;
  for (int r = -radius; r <= radius; ++r) // expect: open-trip-count
    sum += weight[r + radius] * in[y * width + x + r]; // expect: uniform-global-load
  out[y * width + x] = sum;
}

template <int radius>
__global__ void blurByKnown(const float *in, const float *weight, float *out,
                            int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < radius || x >= width - radius)
    return;
  float sum = 0;
  for (int r = -radius; r <= radius; ++r)
    sum += weight[r + radius] * in[y * width + x + r];
  out[y * width + x] = sum;
}

bool compareWindows() {
  constexpr int width = 8192, radius = 2;
  constexpr std::size_t pixels = std::size_t(width) * width;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(pixels, 0, 1)),
      weight(twin::randomNumbers<float>(2 * radius + 1, 0, 1, 2));
  twin::DeviceArray<float> slow(pixels), fast(pixels);
  const dim3 block(32, 8), grid(width / 32, width / 8);
  return twin::compare(
      {check, "window",
       "a window of 5 elements: an argument -> a template parameter", 1e-5},
      [&] {
        blurByAny<<<grid, block>>>(in.get(), weight.get(), slow.get(), width,
                                   radius);
      },
      slow,
      [&] {
        blurByKnown<radius>
            <<<grid, block>>>(in.get(), weight.get(), fast.get(), width);
      },
      fast);
}

bool compareDistances() {
  constexpr int n = 1 << 16, dimensions = 3, others = 4096;
  twin::DeviceArray<float> points(
      twin::randomNumbers<float>(std::size_t(dimensions) * n, 0, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
             {check, "dimensions",
              "distances in 3 dimensions: an argument -> a template parameter",
              1e-5},
             [&] {
               distancesOfAny<<<n / threads, threads>>>(
                   points.get(), slow.get(), n, dimensions, others);
             },
             slow,
             [&] {
               distancesOfKnown<dimensions><<<n / threads, threads>>>(
                   points.get(), fast.get(), n, others);
             },
             fast);
}

} // namespace

int main() {
  bool agreed = compareDistances();
  agreed = compareWindows() && agreed;
  return agreed ? 0 : 1;
}
