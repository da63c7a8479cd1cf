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
  return agreed ? 0 : 1;
}
