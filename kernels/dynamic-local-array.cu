// Three kernels that keep a small array per thread and index it by something
// the compiler cannot know, each beside a twin whose array stays in registers.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "dynamic-local-array";

// Mass of each material in a cell, from the markers that were found in it. The
// material of a marker is read from memory, and so is the index.
constexpr int materials = 8;

__global__ void mixByIndex(const int *material, const float *mass,
                           float *mixture, int cells, int markers) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells)
    return;
  float sum[materials] = {};
  for (int k = 0; k < markers; ++k)
    sum[material[k * cells + cell]] += mass[k * cells + cell]; // expect: dynamic-local-array
  for (int m = 0; m < materials; ++m)
    mixture[m * cells + cell] = sum[m];
}

// The same with each index compared: all of them are constants, and lanes
// whose markers differ do not wait for one another.
__global__ void mixByComparison(const int *material, const float *mass,
                                float *mixture, int cells, int markers) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells)
    return;
  float sum[materials] = {};
  for (int k = 0; k < markers; ++k) {
    int found = material[k * cells + cell];
    float add = mass[k * cells + cell];
#pragma unroll
    for (int m = 0; m < materials; ++m)
      sum[m] += found == m ? add : 0.0f;
  }
#pragma unroll
  for (int m = 0; m < materials; ++m)
    mixture[m * cells + cell] = sum[m];
}

// The same with a switch: constants again, but where lanes differ they take its
// branches in turn, which costs nearly as much as the array did.
__global__ void mixBySwitch(const int *material, const float *mass,
                            float *mixture, int cells, int markers) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells)
    return;
  float sum[materials] = {};
  for (int k = 0; k < markers; ++k) {
    float m = mass[k * cells + cell];
    switch (material[k * cells + cell]) {
    case 0:
      sum[0] += m;
      break;
    case 1:
      sum[1] += m;
      break;
    case 2:
      sum[2] += m;
      break;
    case 3:
      sum[3] += m;
      break;
    case 4:
      sum[4] += m;
      break;
    case 5:
      sum[5] += m;
      break;
    case 6:
      sum[6] += m;
      break;
    case 7:
      sum[7] += m;
      break;
    }
  }
  for (int m = 0; m < materials; ++m)
    mixture[m * cells + cell] = sum[m];
}

// Newton's divided differences of the samples in each cell. A functor is what
// a lambda is to the compiler: `order` is a captured run-time value.
constexpr int maxOrder = 8;

struct DifferencesOfOrder {
  const float *samples;
  float *result;
  int cells;
  int order;

  __device__ void operator()(int cell) const {
    float d[maxOrder];
    for (int k = 0; k < order; ++k)
      d[k] = samples[k * cells + cell]; // expect: dynamic-local-array
    for (int j = 1; j < order; ++j) // expect: open-trip-count
      for (int k = order - 1; k >= j; --k)
        d[k] = (d[k] - d[k - 1]) * (1.0f / j);
    float value = d[order - 1];
    for (int k = order - 2; k >= 0; --k) // expect: open-trip-count
      value = value * 0.5f + d[k];
    result[cell] = value;
  }
};

// The same with the bound in the type: all loops are unrolled.
template <int order>
struct DifferencesOf {
  const float *samples;
  float *result;
  int cells;

  __device__ void operator()(int cell) const {
    float d[order];
    for (int k = 0; k < order; ++k)
      d[k] = samples[k * cells + cell];
#pragma unroll
    for (int j = 1; j < order; ++j)
#pragma unroll
      for (int k = order - 1; k >= j; --k)
        d[k] = (d[k] - d[k - 1]) * (1.0f / j);
    float value = d[order - 1];
#pragma unroll
    for (int k = order - 2; k >= 0; --k)
      value = value * 0.5f + d[k];
    result[cell] = value;
  }
};

template <class Body>
__global__ void forEach(int count, Body body) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    body(i);
}

// The eight nearest of all candidates, kept sorted by insertion: how far a new
// one sinks depends on the data.
constexpr int nearest = 8;
constexpr float farAway = 3.0e38f;

__global__ void nearestByInsertion(const float *distance, float *result,
                                   int points, int candidates) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  float best[nearest];
  for (int k = 0; k < nearest; ++k)
    best[k] = farAway;
  for (int c = 0; c < candidates; ++c) {
    float d = distance[c * points + i];
    int k = nearest;
    while (k > 0 && best[k - 1] > d) { // expect: dynamic-local-array
      if (k < nearest)
        best[k] = best[k - 1];
      --k;
    }
    if (k < nearest)
      best[k] = d;
  }
  for (int k = 0; k < nearest; ++k)
    result[k * points + i] = best[k];
}

// The same as a chain of exchanges: always all eight steps, no index unknown.
__global__ void nearestByExchange(const float *distance, float *result,
                                  int points, int candidates) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points)
    return;
  float best[nearest];
#pragma unroll
  for (int k = 0; k < nearest; ++k)
    best[k] = farAway;
  for (int c = 0; c < candidates; ++c) {
    float d = distance[c * points + i];
#pragma unroll
    for (int k = 0; k < nearest; ++k) {
      float smaller = fminf(best[k], d);
      d = fmaxf(best[k], d);
      best[k] = smaller;
    }
  }
#pragma unroll
  for (int k = 0; k < nearest; ++k)
    result[k * points + i] = best[k];
}

int blocksFor(int count) { return (count + threads - 1) / threads; }

bool compareMixtures() {
  const int cells = 1 << 20, markers = 32;
  const std::size_t all = std::size_t(cells) * markers;
  twin::DeviceArray<int> material(
      twin::randomNumbers<int>(all, 0, materials, 7));
  twin::DeviceArray<float> mass(twin::randomNumbers<float>(all, 0.5, 1.5, 8));
  twin::DeviceArray<float> slow(std::size_t(cells) * materials);
  twin::DeviceArray<float> fast(std::size_t(cells) * materials);
  auto byIndex = [&] {
    mixByIndex<<<blocksFor(cells), threads>>>(material.get(), mass.get(),
                                              slow.get(), cells, markers);
  };
  bool agreed = twin::compare(
      {check, "index-from-memory",
       "sums by one of 8 materials: index -> comparison with each"},
      byIndex, slow,
      [&] {
        mixByComparison<<<blocksFor(cells), threads>>>(
            material.get(), mass.get(), fast.get(), cells, markers);
      },
      fast);
  bool alsoAgreed = twin::compare(
      {check, "index-by-switch", "the same: index -> switch with 8 cases"},
      byIndex, slow,
      [&] {
        mixBySwitch<<<blocksFor(cells), threads>>>(material.get(), mass.get(),
                                                   fast.get(), cells, markers);
      },
      fast);
  return agreed && alsoAgreed;
}

bool compareDifferences() {
  const int cells = 1 << 22;
  int order = maxOrder;
  twin::DeviceArray<float> samples(
      twin::randomNumbers<float>(std::size_t(cells) * maxOrder, -1, 1));
  twin::DeviceArray<float> slow(cells), fast(cells);
  return twin::compare(
      {check, "captured-bound",
       "divided differences: run-time order -> template", 1e-5},
      [&] {
        forEach<<<blocksFor(cells), threads>>>(
            cells,
            DifferencesOfOrder{samples.get(), slow.get(), cells, order});
      },
      slow,
      [&] {
        forEach<<<blocksFor(cells), threads>>>(
            cells, DifferencesOf<maxOrder>{samples.get(), fast.get(), cells});
      },
      fast);
}

bool compareNearest() {
  const int points = 1 << 20, candidates = 64;
  twin::DeviceArray<float> distance(
      twin::randomNumbers<float>(std::size_t(points) * candidates, 0, 100));
  twin::DeviceArray<float> slow(std::size_t(points) * nearest);
  twin::DeviceArray<float> fast(std::size_t(points) * nearest);
  return twin::compare(
      {check, "insertion", "eight nearest: insertion -> exchanges"},
      [&] {
        nearestByInsertion<<<blocksFor(points), threads>>>(
            distance.get(), slow.get(), points, candidates);
      },
      slow,
      [&] {
        nearestByExchange<<<blocksFor(points), threads>>>(
            distance.get(), fast.get(), points, candidates);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareMixtures();
  agreed = compareDifferences() && agreed;
  agreed = compareNearest() && agreed;
  return agreed ? 0 : 1;
}
