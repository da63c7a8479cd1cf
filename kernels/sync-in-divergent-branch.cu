// A barrier that half of a block's threads return before, beside one that all of
// them reach. No barrier waits for threads that have returned, since compute
// capability 7.0, so that both programs are defined.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "sync-in-divergent-branch";

// The first half smooths pairs of elements in steps; the others have left.
__global__ void halfOfThem(const float *in, float *out, int steps) {
  __shared__ float s[threads];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  if (t >= threads / 2)
    return;
  for (int k = 0; k < steps; ++k) {
    float next = 0.5f * (s[t] + s[(t + k) % threads]);
    __syncthreads(); // expect: sync-in-divergent-branch
    s[t] = next;
    __syncthreads(); // expect: sync-in-divergent-branch
  }
  out[blockIdx.x * threads / 2 + t] = s[t];
}

__global__ void allOfThem(const float *in, float *out, int steps) {
  __shared__ float s[threads];
  int t = threadIdx.x;
  bool works = t < threads / 2;
  s[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    float next = works ? 0.5f * (s[t] + s[(t + k) % threads]) : 0;
    __syncthreads();
    if (works)
      s[t] = next;
    __syncthreads();
  }
  if (works)
    out[blockIdx.x * threads / 2 + t] = s[t];
}

} // namespace

int main() {
  const int blocks = 1 << 14, steps = 64;
  twin::DeviceArray<float> in(
      twin::randomNumbers<float>(std::size_t(blocks) * threads, 0, 1));
  twin::DeviceArray<float> slow(std::size_t(blocks) * threads / 2),
      fast(std::size_t(blocks) * threads / 2);
  return twin::compare(
             {check, "half-returns",
              "128 barriers: half of the threads have returned -> all stay"},
             [&] { halfOfThem<<<blocks, threads>>>(in.get(), slow.get(), steps); },
             slow,
             [&] { allOfThem<<<blocks, threads>>>(in.get(), fast.get(), steps); },
             fast)
             ? 0
             : 1;
}
