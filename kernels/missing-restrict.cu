// Kernels without '__restrict__', each beside a twin that differs in that word
// alone.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "missing-restrict";

// A weight for each point, the same in all rows: it could stay in a register.
__global__ void weigh(float *out, const float *in, const float *weight, int n,
                      int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int row = 0; row < rows; ++row)
    out[row * n + i] = in[row * n + i] * weight[i]; // expect: missing-restrict // expect: repeated-global-read
}

__global__ void weighRestrict(float *__restrict__ out,
                              const float *__restrict__ in,
                              const float *__restrict__ weight, int n,
                              int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int row = 0; row < rows; ++row)
    out[row * n + i] = in[row * n + i] * weight[i];
}

// Another element in each iteration: the loads of the next iterations wait for
// the store.
__global__ void lift(float *out, const float *a, const float *b, int n,
                     int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int row = 0; row < rows; ++row)
    out[row * n + i] = a[row * n + i] + 2 * b[row * n + i]; // expect: missing-restrict
}

__global__ void liftRestrict(float *__restrict__ out, const float *a,
                             const float *b, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int row = 0; row < rows; ++row)
    out[row * n + i] = a[row * n + i] + 2 * b[row * n + i];
}

// A filter of few taps over each row: all taps are loaded again after a store.
constexpr int taps = 5;

__global__ void smooth(float *out, const float *in, const float *tap, int n,
                       int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - taps)
    return;
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int k = 0; k < taps; ++k)
      sum += tap[k] * in[row * n + i + k]; // expect: missing-restrict
    out[row * n + i] = sum;
  }
}

__global__ void smoothRestrict(float *__restrict__ out, const float *in,
                               const float *__restrict__ tap, int n,
                               int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - taps)
    return;
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int k = 0; k < taps; ++k)
      sum += tap[k] * in[row * n + i + k];
    out[row * n + i] = sum;
  }
}

// No loop: each load waits for the store before it.
__global__ void invert(float *out, const float *in, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 >= n)
    return;
  out[i] = 3 - in[i];
  out[i + 1] = 3 - in[i + 1]; // expect: missing-restrict
  out[i + 2] = 3 - in[i + 2];
  out[i + 3] = 3 - in[i + 3];
}

__global__ void invertRestrict(float *__restrict__ out,
                               const float *__restrict__ in, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 >= n)
    return;
  out[i] = 3 - in[i];
  out[i + 1] = 3 - in[i + 1];
  out[i + 2] = 3 - in[i + 2];
  out[i + 3] = 3 - in[i + 3];
}

// A copy through a table of places, which happen to be in order. The compiler
// does not unroll a loop that steps by the grid, so the promise changes nothing.
__global__ void place(float *out, const float *in, const int *from, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = 2 * in[from[i]]; // expect: scattered-global-access
}

__global__ void placeRestrict(float *__restrict__ out,
                              const float *__restrict__ in,
                              const int *__restrict__ from, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = 2 * in[from[i]]; // expect: scattered-global-access
}

// Few threads: nothing hides the latency.
constexpr int points = 1 << 15, rows = 512;

bool compareWeights() {
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(points) * rows, -1, 1)),
      weight(twin::randomNumbers<float>(points, 0, 1, 2));
  twin::DeviceArray<float> slow(std::size_t(points) * rows),
      fast(std::size_t(points) * rows);
  return twin::compare(
      {check, "invariant", "a weight per point, in 512 rows"},
      [&] {
        weigh<<<points / threads, threads>>>(slow.get(), in.get(), weight.get(),
                                             points, rows);
      },
      slow,
      [&] {
        weighRestrict<<<points / threads, threads>>>(
            fast.get(), in.get(), weight.get(), points, rows);
      },
      fast);
}

bool compareLifts() {
  twin::DeviceArray<float> a(
      twin::randomNumbers<float>(std::size_t(points) * rows, -1, 1)),
      b(twin::randomNumbers<float>(std::size_t(points) * rows, -1, 1, 2));
  twin::DeviceArray<float> slow(std::size_t(points) * rows),
      fast(std::size_t(points) * rows);
  return twin::compare(
      {check, "ahead", "sums of two rows; on the output alone"},
      [&] {
        lift<<<points / threads, threads>>>(slow.get(), a.get(), b.get(), points,
                                            rows);
      },
      slow,
      [&] {
        liftRestrict<<<points / threads, threads>>>(fast.get(), a.get(), b.get(),
                                                    points, rows);
      },
      fast);
}

bool compareFilters() {
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(points) * rows, -1, 1)),
      tap(twin::randomNumbers<float>(taps, 0, 1, 2));
  twin::DeviceArray<float> slow(std::size_t(points) * rows),
      fast(std::size_t(points) * rows);
  return twin::compare(
      {check, "taps", "a filter of 5 taps, in 512 rows", 1e-5},
      [&] {
        smooth<<<points / threads, threads>>>(slow.get(), in.get(), tap.get(),
                                              points, rows);
      },
      slow,
      [&] {
        smoothRestrict<<<points / threads, threads>>>(
            fast.get(), in.get(), tap.get(), points, rows);
      },
      fast);
}

bool compareInversions() {
  constexpr int n = 1 << 24;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, -1, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "straight", "four elements a thread, in code without loops"},
      [&] {
        invert<<<n / 4 / threads, threads>>>(slow.get(), in.get(), n);
      },
      slow,
      [&] {
        invertRestrict<<<n / 4 / threads, threads>>>(fast.get(), in.get(), n);
      },
      fast);
}

bool comparePlaces() {
  constexpr int n = 1 << 26, blocks = 1056;
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i)
    places[i] = i ^ 5;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, -1, 1));
  twin::DeviceArray<int> from(places);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "places", "a copy through a table of places in order"},
      [&] {
        place<<<blocks, threads>>>(slow.get(), in.get(), from.get(), n);
      },
      slow,
      [&] {
        placeRestrict<<<blocks, threads>>>(fast.get(), in.get(), from.get(), n);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareWeights();
  agreed = compareLifts() && agreed;
  agreed = compareFilters() && agreed;
  agreed = compareInversions() && agreed;
  agreed = comparePlaces() && agreed;
  return agreed ? 0 : 1;
}
