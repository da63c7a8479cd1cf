// Blocks that leave lanes of their last warp empty, or warp slots of an SM, beside
// blocks that fill them.
#include "twin.h"

namespace {

constexpr int n = 3 << 22; // a multiple of 96, 100 leaves a rest
const char *const check = "partial-warp-block";

__global__ void step(const float *in, float *out, int count, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float x = in[i];
  for (int k = 0; k < turns; ++k)
    x = x * 0.9999f + 0.0001f;
  out[i] = x;
}

// The same in two kernels, so that each has launches of its own.
__global__ void stepInFullWarps(const float *in, float *out, int count,
                                int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float x = in[i];
  for (int k = 0; k < turns; ++k)
    x = x * 0.9999f + 0.0001f;
  out[i] = x;
}

} // namespace

int main() {
  const int turns = 256;
  twin::DeviceArray<float> in(twin::randomNumbers<float>(n, 0, 1));
  twin::DeviceArray<float> slow(n), fast(n);
  auto full = [&] {
    stepInFullWarps<<<n / 128, 128>>>(in.get(), fast.get(), n, turns);
  };
  bool agreed = twin::compare(
      {check, "100-threads", "blocks of 100 threads -> of 128"},
      [&] {
        step<<<(n + 99) / 100, 100>>>( // expect: partial-warp-block
            in.get(), slow.get(), n, turns);
      },
      slow, full, fast);
  agreed = twin::compare({check, "20-threads", "blocks of 20 threads -> of 128"},
                         [&] {
                           step<<<(n + 19) / 20, 20>>>( // expect: partial-warp-block
                               in.get(), slow.get(), n, turns);
                         },
                         slow, full, fast) &&
           agreed;
  agreed = twin::compare({check, "one-warp", "blocks of 32 threads -> of 128"},
                         [&] {
                           step<<<n / 32, 32>>>( // expect: partial-warp-block
                               in.get(), slow.get(), n, turns);
                         },
                         slow, full, fast) &&
           agreed;
  return agreed ? 0 : 1;
}
