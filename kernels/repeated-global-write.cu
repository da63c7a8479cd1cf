// Four kernels that update one element of global memory in every iteration of a
// loop, each beside a twin that keeps it in a register.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "repeated-global-write";

// Weighted time average of the snapshots of a field. `mean` may overlap with
// what is read, so the compiler has to store it in every iteration.
__global__ void averageInPlace(float *mean, const float *snapshots,
                               const float *weight, int points, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  for (int t = 0; t < times; ++t)
    mean[i] += weight[t] * snapshots[t * points + i]; // expect: repeated-global-write // expect: uniform-global-load
}

__global__ void averageInRegister(float *mean, const float *snapshots,
                                  const float *weight, int points, int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  float sum = mean[i];
  for (int t = 0; t < times; ++t)
    sum += weight[t] * snapshots[t * points + i]; // expect: uniform-global-load
  mean[i] = sum;
}

// The same source as the slow one. __restrict__ promises that nothing overlaps,
// and the compiler moves the store out of the loop.
__global__ void averageRestrict(float *__restrict__ mean,
                                const float *__restrict__ snapshots,
                                const float *__restrict__ weight, int points,
                                int times) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  for (int t = 0; t < times; ++t)
    mean[i] += weight[t] * snapshots[t * points + i]; // refuted: repeated-global-write // expect: uniform-global-load
}

// Matrix product that adds straight into the result.
__global__ void multiplyInPlace(const float *a, const float *b, float *c,
                                int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  c[row * n + column] = 0.0f;
  for (int k = 0; k < n; ++k)
    c[row * n + column] += a[row * n + k] * b[k * n + column]; // expect: repeated-global-write // expect: block-wide-reload
}

__global__ void multiplyInRegister(const float *a, const float *b, float *c,
                                   int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column]; // expect: block-wide-reload
  c[row * n + column] = sum;
}

// Gradient of a cell from its faces. The number of dimensions is a run-time
// value, so the sums cannot be kept in an array of registers; the store's
// address follows the inner loop but not the one over the faces.
__global__ void gradientInPlace(float *gradient, const float *flux,
                                const float *normal, int cells, int faces,
                                int dimensions) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells)
    return;
  for (int f = 0; f < faces; ++f)
    for (int d = 0; d < dimensions; ++d) // expect: open-trip-count
      gradient[d * cells + cell] += flux[f * cells + cell] * normal[f * dimensions + d]; // expect: repeated-global-write // expect: uniform-global-load // expect: repeated-global-read // expect: missing-restrict
}

// The same with the number of dimensions in the type.
template <int dimensions>
__global__ void gradientInRegisters(float *gradient, const float *flux,
                                    const float *normal, int cells,
                                    int faces) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells)
    return;
  float sum[dimensions];
#pragma unroll
  for (int d = 0; d < dimensions; ++d)
    sum[d] = gradient[d * cells + cell];
  for (int f = 0; f < faces; ++f) {
    float q = flux[f * cells + cell];
#pragma unroll
    for (int d = 0; d < dimensions; ++d)
      sum[d] += q * normal[f * dimensions + d]; // expect: uniform-global-load
  }
#pragma unroll
  for (int d = 0; d < dimensions; ++d)
    gradient[d * cells + cell] = sum[d];
}

int blocksFor(int count) { return (count + threads - 1) / threads; }

bool compareAverages() {
  const int points = 1 << 21, times = 64;
  twin::DeviceArray<float> snapshots(
      twin::randomNumbers<float>(std::size_t(points) * times, -1, 1));
  twin::DeviceArray<float> weight(
      std::vector<float>(std::size_t(times), 1.0f / times));
  twin::DeviceArray<float> slow(points), fast(points);
  auto inPlace = [&] {
    averageInPlace<<<blocksFor(points), threads>>>(
        slow.get(), snapshots.get(), weight.get(), points, times);
  };
  bool agreed = twin::compare(
      {check, "accumulate", "average of 64 snapshots: += in place -> register",
       1e-5},
      inPlace, slow,
      [&] {
        averageInRegister<<<blocksFor(points), threads>>>(
            fast.get(), snapshots.get(), weight.get(), points, times);
      },
      fast);
  bool alsoAgreed = twin::compare(
      {check, "restrict", "the same, cured by __restrict__ alone", 1e-5},
      inPlace, slow,
      [&] {
        averageRestrict<<<blocksFor(points), threads>>>(
            fast.get(), snapshots.get(), weight.get(), points, times);
      },
      fast);
  return agreed && alsoAgreed;
}

bool compareProducts() {
  const int n = 1024;
  const std::size_t all = std::size_t(n) * n;
  twin::DeviceArray<float> a(twin::randomNumbers<float>(all, -1, 1, 1));
  twin::DeviceArray<float> b(twin::randomNumbers<float>(all, -1, 1, 2));
  twin::DeviceArray<float> slow(all), fast(all);
  return twin::compare(
      {check, "matrix-product", "1024x1024: c += a * b -> register", 1e-4},
      [&] {
        multiplyInPlace<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(
            a.get(), b.get(), slow.get(), n);
      },
      slow,
      [&] {
        multiplyInRegister<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(
            a.get(), b.get(), fast.get(), n);
      },
      fast);
}

bool compareGradients() {
  const int cells = 1 << 21, faces = 24, dimensions = 3;
  twin::DeviceArray<float> flux(
      twin::randomNumbers<float>(std::size_t(cells) * faces, -1, 1, 3));
  twin::DeviceArray<float> normal(
      twin::randomNumbers<float>(faces * dimensions, -1, 1, 4));
  twin::DeviceArray<float> slow(std::size_t(cells) * dimensions);
  twin::DeviceArray<float> fast(std::size_t(cells) * dimensions);
  return twin::compare(
      {check, "run-time-dimensions",
       "gradient of 24 faces: in place -> array of registers by template",
       1e-5},
      [&] {
        gradientInPlace<<<blocksFor(cells), threads>>>(
            slow.get(), flux.get(), normal.get(), cells, faces, dimensions);
      },
      slow,
      [&] {
        gradientInRegisters<dimensions><<<blocksFor(cells), threads>>>(
            fast.get(), flux.get(), normal.get(), cells, faces);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareAverages();
  agreed = compareProducts() && agreed;
  agreed = compareGradients() && agreed;
  return agreed ? 0 : 1;
}
