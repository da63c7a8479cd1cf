// Two kernels with a stack frame that no array needs, each beside a twin
// without.
#include "twin.h"

namespace {

constexpr int threads = 256;
const char *const check = "stack-frame";

// A balanced tree in an array: sums of the leaves below a node.
__device__ float sumBelow(const float *leaf, int node, int leaves) {
  if (node >= leaves)
    return leaf[node - leaves];
  return 0.5f * sumBelow(leaf, 2 * node, leaves) +
         0.5f * sumBelow(leaf, 2 * node + 1, leaves);
}

__global__ void meanByRecursion(const float *leaf, // expect: stack-frame
                                float *out, int n, int leaves) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = sumBelow(leaf + (i & 1023), 1, leaves);
}

__global__ void meanByLoop(const float *leaf, float *out, int n, int leaves) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *own = leaf + (i & 1023);
  float sum = 0;
  for (int k = 0; k < leaves; ++k)
    sum += own[k];
  out[i] = sum / leaves;
}

struct Moments {
  float sum, squares;
};

// A function that is called gets an address; registers have none.
__device__ __noinline__ void addTo(Moments &moments, float x) {
  moments.sum += x;
  moments.squares += x * x;
}

__global__ void momentsByCall(const float *in, // expect: stack-frame
                              float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Moments moments = {0, 0};
  for (int k = 0; k < turns; ++k)
    addTo(moments, in[k * n + i]);
  out[i] = moments.squares - moments.sum * moments.sum;
}

__device__ __forceinline__ void addInlined(Moments &moments, float x) {
  moments.sum += x;
  moments.squares += x * x;
}

__global__ void momentsInlined(const float *in, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Moments moments = {0, 0};
  for (int k = 0; k < turns; ++k)
    addInlined(moments, in[k * n + i]);
  out[i] = moments.squares - moments.sum * moments.sum;
}

bool compareRecursion() {
  const int n = 1 << 18, leaves = 64;
  std::vector<float> start = twin::randomNumbers<float>(1024 + leaves, 0, 1);
  twin::DeviceArray<float> leaf(start);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "recursion", "mean of 64 leaves: recursion -> loop", 1e-4},
      [&] {
        meanByRecursion<<<n / threads, threads>>>(leaf.get(), slow.get(), n,
                                                  leaves);
      },
      slow,
      [&] {
        meanByLoop<<<n / threads, threads>>>(leaf.get(), fast.get(), n, leaves);
      },
      fast);
}

bool compareCall() {
  const int n = 1 << 20, turns = 32;
  std::vector<float> start =
      twin::randomNumbers<float>(size_t(n) * turns, -1, 1);
  twin::DeviceArray<float> in(start);
  twin::DeviceArray<float> slow(n), fast(n);
  return twin::compare(
      {check, "call", "sums by reference: function that is called -> inlined",
       1e-4},
      [&] {
        momentsByCall<<<n / threads, threads>>>(in.get(), slow.get(), n, turns);
      },
      slow,
      [&] {
        momentsInlined<<<n / threads, threads>>>(in.get(), fast.get(), n,
                                                 turns);
      },
      fast);
}

} // namespace

int main() {
  TWIN_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  bool agree = compareRecursion();
  agree &= compareCall();
  return agree ? 0 : 1;
}
