// Kernels whose loops go through long tables in constant memory, each beside a
// twin that has the table elsewhere, or reads more of it at once.
#include "twin.h"

namespace {

constexpr int threads = 256, count = 1 << 21;
const char *const check = "walked-constant";

constexpr int taps = 256;
__constant__ float constantTap[taps];

__global__ void filterByConstant(const float *in, float *out, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += constantTap[k] * in[i + k]; // expect: walked-constant
  out[i] = sum;
}

// The same with a copy of the taps in shared memory.
__global__ void filterByShared(const float *in, float *out, int length) {
  __shared__ float copy[taps];
  for (int k = threadIdx.x; k < length; k += blockDim.x)
    copy[k] = constantTap[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < length; ++k)
    sum += copy[k] * in[i + k];
  out[i] = sum;
}

// The same in passes over 128 bytes of taps.
__global__ void filterByLongPasses(const float *in, float *out, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 32
  for (int k = 0; k < length; ++k)
    sum += constantTap[k] * in[i + k];
  out[i] = sum;
}

bool compareFilters() {
  const std::vector<float> tap = twin::randomNumbers<float>(taps, -1, 1, 2);
  TWIN_CHECK(cudaMemcpyToSymbol(constantTap, tap.data(), sizeof(constantTap)));
  twin::DeviceArray<float> in(twin::randomNumbers<float>(count + taps, -1, 1));
  twin::DeviceArray<float> slow(count), fast(count);
  auto byConstant = [&] {
    filterByConstant<<<count / threads, threads>>>(in.get(), slow.get(), taps);
  };
  const bool agreed = twin::compare(
      {check, "filter", "filter of 256 taps: __constant__ -> shared", 1e-5},
      byConstant, slow,
      [&] {
        filterByShared<<<count / threads, threads>>>(in.get(), fast.get(),
                                                     taps);
      },
      fast);
  return twin::compare({check, "filter-passes",
                        "filter of 256 taps: loop -> passes of 32 taps", 1e-5},
                       byConstant, slow,
                       [&] {
                         filterByLongPasses<<<count / threads, threads>>>(
                             in.get(), fast.get(), taps);
                       },
                       fast) &&
         agreed;
}

constexpr int atoms = 1024;
__constant__ float4 constantAtom[atoms];
__device__ float4 globalAtom[atoms];

__device__ float pull(float4 atom, float x) {
  const float distance = atom.x - x;
  return atom.w * rsqrtf(distance * distance + atom.y * atom.y + atom.z);
}

__global__ void pullByConstant(const float *at, float *out, int number) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = at[i], sum = 0;
  for (int k = 0; k < number; ++k)
    sum += pull(constantAtom[k], x); // expect: walked-constant
  out[i] = sum;
}

// The same with the atoms in global memory.
__global__ void pullByGlobal(const float *at, float *out, int number) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = at[i], sum = 0;
  for (int k = 0; k < number; ++k)
    sum += pull(globalAtom[k], x); // expect: block-wide-reload // expect: uniform-global-load
  out[i] = sum;
}

bool comparePulls() {
  const std::vector<float> atom =
      twin::randomNumbers<float>(4 * atoms, 0.5, 1, 3);
  TWIN_CHECK(
      cudaMemcpyToSymbol(constantAtom, atom.data(), sizeof(constantAtom)));
  TWIN_CHECK(cudaMemcpyToSymbol(globalAtom, atom.data(), sizeof(globalAtom)));
  twin::DeviceArray<float> at(twin::randomNumbers<float>(count, -1, 1));
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "records", "1024 records of 16 bytes: __constant__ -> global",
       1e-5},
      [&] {
        pullByConstant<<<count / threads, threads>>>(at.get(), slow.get(),
                                                     atoms);
      },
      slow,
      [&] {
        pullByGlobal<<<count / threads, threads>>>(at.get(), fast.get(), atoms);
      },
      fast);
}

constexpr int clusters = 64, dimensions = 16;
__constant__ float constantCentre[clusters * dimensions];

template <class Centre>
__device__ int nearest(const float *point, Centre centre, int number) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best = 1e30f, at[dimensions];
  int which = 0;
#pragma unroll
  for (int d = 0; d < dimensions; ++d)
    at[d] = point[d * count + i];
  for (int c = 0; c < number; ++c) {
    float distance = 0;
#pragma unroll
    for (int d = 0; d < dimensions; ++d) {
      const float difference = at[d] - centre(c * dimensions + d);
      distance += difference * difference;
    }
    if (distance < best) {
      best = distance;
      which = c;
    }
  }
  return which;
}

__global__ void nearestByConstant(const float *point, int *out, int number) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = nearest(
      point, [](int k) { return constantCentre[k]; }, number); // expect: walked-constant
}

// The same with a copy of the centres in shared memory.
__global__ void nearestByShared(const float *point, int *out, int number) {
  __shared__ float copy[clusters * dimensions];
  for (int k = threadIdx.x; k < number * dimensions; k += blockDim.x)
    copy[k] = constantCentre[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      nearest(point, [&](int k) { return copy[k]; }, number);
}

bool compareNearest() {
  const std::vector<float> centre =
      twin::randomNumbers<float>(clusters * dimensions, -1, 1, 4);
  TWIN_CHECK(cudaMemcpyToSymbol(constantCentre, centre.data(),
                                sizeof(constantCentre)));
  twin::DeviceArray<float> point(
      twin::randomNumbers<float>(std::size_t(count) * dimensions, -1, 1));
  twin::DeviceArray<int> slow(count), fast(count);
  return twin::compare(
      {check, "centres", "64 centres of 16 floats: __constant__ -> shared"},
      [&] {
        nearestByConstant<<<count / threads, threads>>>(point.get(), slow.get(),
                                                        clusters);
      },
      slow,
      [&] {
        nearestByShared<<<count / threads, threads>>>(point.get(), fast.get(),
                                                      clusters);
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareFilters();
  agreed = comparePulls() && agreed;
  agreed = compareNearest() && agreed;
  return agreed ? 0 : 1;
}
