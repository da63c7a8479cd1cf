// Kernels in which all lanes of all warps go through the same stretch of
// global memory, element by element, each beside a twin that does not.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "uniform-global-load";

constexpr int taps = 64;
__constant__ float constantTap[taps];

// A filter: each thread goes through all taps.
__global__ void filterByGlobal(const float *in, const float *tap, float *out,
                               int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < count; ++k)
    sum += tap[k] * in[i + k]; // expect: uniform-global-load
  out[i] = sum;
}

// The same with the taps in constant memory.
__global__ void filterByConstant(const float *in, float *out, int n,
                                 int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < count; ++k) // expect: open-trip-count
    sum += constantTap[k] * in[i + k];
  out[i] = sum;
}

__device__ float3 pull(float4 from, float4 to, float3 sum) {
  float dx = to.x - from.x, dy = to.y - from.y, dz = to.z - from.z;
  float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
  float f = to.w * r * r * r;
  return {sum.x + f * dx, sum.y + f * dy, sum.z + f * dz};
}

// The pull of all bodies on each.
__global__ void pullByGlobal(const float4 *body, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = body[i];
  float3 sum = {0, 0, 0};
  for (int j = 0; j < n; ++j)
    sum = pull(own, body[j], sum); // expect: uniform-global-load // expect: block-wide-reload
  out[i] = sum.x + sum.y + sum.z;
}

// The same by tiles in shared memory.
__global__ void pullByShared(const float4 *body, float *out, int n) {
  __shared__ float4 tile[threads];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = body[i];
  float3 sum = {0, 0, 0};
  for (int start = 0; start < n; start += threads) {
    tile[threadIdx.x] = body[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < threads; ++j)
      sum = pull(own, tile[j], sum);
    __syncthreads();
  }
  out[i] = sum.x + sum.y + sum.z;
}

constexpr int clusters = 32, dimensions = 16;

// The nearest of 32 centres.
__global__ void nearestByGlobal(const float *feature, const float *centre,
                                int *nearest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float best = 1e30f;
  int which = 0;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0;
    for (int d = 0; d < dimensions; ++d) {
      float difference = feature[d * n + i] - centre[c * dimensions + d]; // expect: uniform-global-load // expect: block-wide-reload
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      which = c;
    }
  }
  nearest[i] = which;
}

// The same with the centres in shared memory.
__global__ void nearestByShared(const float *feature, const float *centre,
                                int *nearest, int n) {
  __shared__ float copy[clusters * dimensions];
  for (int k = threadIdx.x; k < clusters * dimensions; k += threads)
    copy[k] = centre[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float best = 1e30f;
  int which = 0;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0;
    for (int d = 0; d < dimensions; ++d) {
      float difference = feature[d * n + i] - copy[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      which = c;
    }
  }
  nearest[i] = which;
}

constexpr int letters = 256;

// Where a pattern is found in a text: one load is the same for all lanes, the
// other is a lane's own.
__global__ void matchByGlobal(const int *text, const int *pattern, int *hits,
                              int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count = 0;
  for (int k = 0; k < length; ++k)
    count += pattern[k] == text[i + k]; // expect: uniform-global-load
  hits[i] = count;
}

// The same with the pattern in shared memory.
__global__ void matchByShared(const int *text, const int *pattern, int *hits,
                              int length) {
  __shared__ int copy[letters];
  copy[threadIdx.x] = pattern[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count = 0;
  for (int k = 0; k < length; ++k)
    count += copy[k] == text[i + k];
  hits[i] = count;
}

bool compareMatches() {
  constexpr int n = 1 << 22;
  twin::DeviceArray<int> text(twin::randomNumbers<int>(n + letters, 0, 4)),
      pattern(twin::randomNumbers<int>(letters, 0, 4, 2));
  twin::DeviceArray<int> slow(n), fast(n);
  return twin::compare(
      {check, "pattern", "a pattern of 256 beside a text: global -> shared"},
      [&] {
        matchByGlobal<<<n / threads, threads>>>(text.get(), pattern.get(),
                                                slow.get(), letters);
      },
      slow,
      [&] {
        matchByShared<<<n / threads, threads>>>(text.get(), pattern.get(),
                                                fast.get(), letters);
      },
      fast);
}

bool compareFilters() {
  const int n = 1 << 23;
  std::vector<float> table = twin::randomNumbers<float>(taps, -1, 1, 2);
  TWIN_CHECK(
      cudaMemcpyToSymbol(constantTap, table.data(), taps * sizeof(float)));
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n + taps, -1, 1)),
      tap(table);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "filter", "64 taps: global -> __constant__"},
      [&] {
        filterByGlobal<<<n / threads, threads>>>(in.get(), tap.get(),
                                                 slow.get(), n, taps);
      },
      slow,
      [&] {
        filterByConstant<<<n / threads, threads>>>(in.get(), fast.get(), n,
                                                   taps);
      },
      fast);
}

bool comparePulls() {
  const int n = 1 << 16;
  std::vector<float> numbers = twin::randomNumbers<float>(4 * n, 0, 1);
  std::vector<float4> bodies(n);
  for (int i = 0; i < n; ++i)
    bodies[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2],
                 numbers[4 * i + 3]};
  twin::DeviceArray<float4> body(bodies);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "bodies", "65536 bodies: global -> tile in shared memory", 1e-5},
      [&] { pullByGlobal<<<n / threads, threads>>>(body.get(), slow.get(), n); },
      slow,
      [&] { pullByShared<<<n / threads, threads>>>(body.get(), fast.get(), n); },
      fast);
}

bool compareClusters() {
  const int n = 1 << 20;
  twin::DeviceArray<float> feature(
      twin::randomNumbers<float>(std::size_t(n) * dimensions, 0, 1));
  twin::DeviceArray<float> centre(
      twin::randomNumbers<float>(clusters * dimensions, 0, 1, 3));
  twin::DeviceArray<int> slow(n), fast(n);
  return twin::compare(
      {check, "clusters", "nearest of 32 centres: global -> shared memory"},
      [&] {
        nearestByGlobal<<<n / threads, threads>>>(feature.get(), centre.get(),
                                                  slow.get(), n);
      },
      slow,
      [&] {
        nearestByShared<<<n / threads, threads>>>(feature.get(), centre.get(),
                                                  fast.get(), n);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareFilters();
  agreed = comparePulls() && agreed;
  agreed = compareClusters() && agreed;
  agreed = compareMatches() && agreed;
  return agreed ? 0 : 1;
}
