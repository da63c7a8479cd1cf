// Loops that launch short kernels and wait for the device in each iteration, each
// beside a loop that does not.
#include "twin.h"

namespace {

constexpr int threads = 256, n = 1 << 20, steps = 64;
const char *const check = "costly-copy";

__global__ void relax(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = 0.5f * from[i] + 1;
}

__global__ void relaxThrough(float *to, const float *from, float *scratch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[i] = 0.5f * from[i];
  to[i] = scratch[i] + 1;
}

__global__ void shift(float *to, const float *by, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] += by ? *by : value;
}

void allocateEach(float *to, const float *from) {
  for (int s = 0; s < steps; ++s) {
    float *scratch;
    TWIN_CHECK(cudaMalloc(&scratch, n * sizeof(float))); // expect: costly-copy
    relaxThrough<<<n / threads, threads>>>(to, from, scratch);
    TWIN_CHECK(cudaFree(scratch));
  }
}

void allocateOnce(float *to, const float *from) {
  float *scratch;
  TWIN_CHECK(cudaMalloc(&scratch, n * sizeof(float)));
  for (int s = 0; s < steps; ++s)
    relaxThrough<<<n / threads, threads>>>(to, from, scratch);
  TWIN_CHECK(cudaFree(scratch));
}

void waitEach(float *to, const float *from) {
  for (int s = 0; s < steps; ++s) {
    relax<<<n / threads, threads>>>(to, from);
    TWIN_CHECK(cudaDeviceSynchronize()); // expect: costly-copy
  }
}

void waitOnce(float *to, const float *from) {
  for (int s = 0; s < steps; ++s)
    relax<<<n / threads, threads>>>(to, from);
  TWIN_CHECK(cudaDeviceSynchronize());
}

void copyEach(float *to, float *by) {
  for (int s = 0; s < steps; ++s) {
    const float value = s;
    TWIN_CHECK(cudaMemcpy(by, &value, sizeof value, cudaMemcpyHostToDevice)); // expect: costly-copy
    shift<<<n / threads, threads>>>(to, by, 0);
  }
}

void passEach(float *to) {
  for (int s = 0; s < steps; ++s) {
    const float value = s;
    shift<<<n / threads, threads>>>(to, nullptr, value);
  }
}

bool compareAllocations() {
  twin::DeviceArray<float> from(twin::randomNumbers<float>(n, -1, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "allocate", "64 steps with a scratch array: each its own -> one"},
      [&] { allocateEach(slow.get(), from.get()); }, slow,
      [&] { allocateOnce(fast.get(), from.get()); }, fast);
}

bool compareWaits() {
  twin::DeviceArray<float> from(twin::randomNumbers<float>(n, -1, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "synchronise", "64 steps: cudaDeviceSynchronize in each -> once"},
      [&] { waitEach(slow.get(), from.get()); }, slow,
      [&] { waitOnce(fast.get(), from.get()); }, fast);
}

bool compareCopies() {
  twin::DeviceArray<float> by(1), slow(n), fast(n);
  return twin::compare(
      {check, "number", "a number for each of 64 steps: cudaMemcpy -> argument"},
      [&] { copyEach(slow.get(), by.get()); }, slow,
      [&] { passEach(fast.get()); }, fast);
}

} // namespace

int main() {
  bool agreed = compareAllocations();
  agreed = compareWaits() && agreed;
  agreed = compareCopies() && agreed;
  return agreed ? 0 : 1;
}
