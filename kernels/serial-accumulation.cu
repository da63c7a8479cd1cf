// Sums whose loops the compiler does not unroll, beside the same sums with four
// loads on their way at once.
#include "twin.h"

namespace {

constexpr int threads = 256, blocks = 132;
const char *const check = "serial-accumulation";

// The step is unsigned and the counter is not.
__global__ void oneLoad(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; // expect: serial-accumulation
       i += blockDim.x * gridDim.x)
    sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void fourLoads(const float *in, float *out, int n) {
  float a = 0, b = 0, c = 0, d = 0;
  int step = blockDim.x * gridDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    a += in[i];
    b += in[i + step];
    c += in[i + 2 * step];
    d += in[i + 3 * step];
  }
  for (; i < n; i += step)
    a += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d;
}

} // namespace

int main() {
  const int n = 1 << 26;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> slow(blocks * threads), fast(blocks * threads);
  return twin::compare(
             {check, "grid-stride",
              "sums of 2^26 elements by 8 warps of each SM: one load on its way "
              "-> four",
              1e-4},
             [&] { oneLoad<<<blocks, threads>>>(in.get(), slow.get(), n); }, slow,
             [&] { fourLoads<<<blocks, threads>>>(in.get(), fast.get(), n); },
             fast)
             ? 0
             : 1;
}
