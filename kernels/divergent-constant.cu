// Two kernels in which the lanes of a warp want different words of constant
// memory, each beside a twin that reads the same table from elsewhere.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "divergent-constant";

__constant__ float window[threads];

// One frame of a signal for each block, weighted by a window function.
__global__ void frameByConstant(const float *signal, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = signal[i] * window[threadIdx.x]; // expect: divergent-constant
}

// The same with the window in global memory, where neighbouring lanes read
// neighbouring words.
__global__ void frameByGlobal(const float *signal, const float *table,
                              float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = signal[i] * table[threadIdx.x];
}

__constant__ float twiddles[2 * threads];

// A chain of iterations through the table, a different place for each lane: one row
// of a transform. Each iteration waits for the one before.
__global__ void turnsByConstant(const float *signal, float *out, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = signal[i];
  for (int k = 0; k < turns; ++k)
    v = v * 0.5f + twiddles[threadIdx.x + k]; // expect: divergent-constant
  out[i] = v;
}

// The same with a copy of the table in shared memory.
__global__ void turnsByShared(const float *signal, float *out, int turns,
                              const float *table) {
  __shared__ float copy[2 * threads];
  copy[threadIdx.x] = table[threadIdx.x];
  copy[threadIdx.x + threads] = table[threadIdx.x + threads];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = signal[i];
  for (int k = 0; k < turns; ++k)
    v = v * 0.5f + copy[threadIdx.x + k];
  out[i] = v;
}

__constant__ float curve[256];

// A curve for each colour of an image: the data choose the address.
__global__ void curveByConstant(const unsigned char *in, float *out, int count,
                                int perThread) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < perThread; ++k)
    sum += curve[in[k * count + first]]; // expect: divergent-constant
  out[first] = sum;
}

// The same with a copy of the table in shared memory.
__global__ void curveByShared(const unsigned char *in, const float *table,
                              float *out, int count, int perThread) {
  __shared__ float copy[256];
  copy[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < perThread; ++k)
    sum += copy[in[k * count + first]];
  out[first] = sum;
}

bool compareCurves() {
  const int count = 1 << 20, perThread = 32;
  std::vector<float> table = twin::randomNumbers<float>(256, 0, 1, 3);
  TWIN_CHECK(cudaMemcpyToSymbol(curve, table.data(), 256 * sizeof(float)));
  twin::DeviceArray<unsigned char> in(twin::randomNumbers<unsigned char>(
      std::size_t(count) * perThread, 0, 256));
  twin::DeviceArray<float> copy(table);
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "by-data", "table of 256 indexed by data: __constant__ -> shared"},
      [&] {
        curveByConstant<<<count / threads, threads>>>(in.get(), slow.get(),
                                                      count, perThread);
      },
      slow,
      [&] {
        curveByShared<<<count / threads, threads>>>(
            in.get(), copy.get(), fast.get(), count, perThread);
      },
      fast);
}

bool compareFrames() {
  const int count = 1 << 25;
  std::vector<float> table = twin::randomNumbers<float>(threads, 0, 1, 2);
  TWIN_CHECK(cudaMemcpyToSymbol(window, table.data(), threads * sizeof(float)));
  twin::DeviceArray<float> signal(
      twin::randomNumbers<float>(count, -1, 1)),
      copy(table);
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "window", "window function by thread: __constant__ -> global"},
      [&] { frameByConstant<<<count / threads, threads>>>(signal.get(), slow.get()); },
      slow,
      [&] {
        frameByGlobal<<<count / threads, threads>>>(signal.get(), copy.get(),
                                                    fast.get());
      },
      fast);
}

bool compareTurns() {
  const int count = 1 << 22, turns = 200;
  std::vector<float> table = twin::randomNumbers<float>(2 * threads, 0, 1, 4);
  TWIN_CHECK(
      cudaMemcpyToSymbol(twiddles, table.data(), table.size() * sizeof(float)));
  twin::DeviceArray<float> signal(
      twin::randomNumbers<float>(count, -1, 1)),
      copy(table);
  twin::DeviceArray<float> slow(count), fast(count);
  return twin::compare(
      {check, "table-in-loop", "200 turns through a table: __constant__ -> shared", 1e-6},
      [&] {
        turnsByConstant<<<count / threads, threads>>>(signal.get(), slow.get(),
                                                      turns);
      },
      slow,
      [&] {
        turnsByShared<<<count / threads, threads>>>(signal.get(), fast.get(),
                                                    turns, copy.get());
      },
      fast);
}

} // namespace

int main() {
  bool agreed = compareFrames();
  agreed = compareTurns() && agreed;
  agreed = compareCurves() && agreed;
  return agreed ? 0 : 1;
}
