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
      float difference = points[d * n + i] - points[d * n + j];
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
      float difference = points[d * n + i] - points[d * n + j];
      distance += difference * difference;
    }
    nearest = j == i ? nearest : fminf(nearest, distance);
  }
  out[i] = nearest;
}

} // namespace

int main() {
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
             fast)
             ? 0
             : 1;
}
