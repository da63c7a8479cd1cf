// Ways to launch: what the block is stands in helpers, loops, constants,
// structures, pointers to kernels.
#include "truth.h"
#include <algorithm>

template <int Way> __global__ void launched(const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * 1024 + x] = in[x * 4];
}

void withABlock(const float *in, float *out, dim3 block) {
  launched<0><<<64, block>>>(in, out);
}

template <int Threads = 160> void withADefault(const float *in, float *out) {
  launched<1><<<32, Threads>>>(in, out);
}

constexpr dim3 blockOf(int threads) { return dim3(threads / 4, 4, 1); }

struct Settings {
  static constexpr int rows = 7;
  dim3 block{16, rows};
  int grid = 64;
};

enum Sizes { small = 48, large = 704 };

template <class Kernel, class... Arguments>
void start(Kernel kernel, dim3 grid, dim3 block, Arguments... arguments) {
  kernel<<<grid, block>>>(arguments...);
}

#define LAUNCH(kernel, threads, ...) kernel<<<16, (threads)>>>(__VA_ARGS__)

class Runner {
public:
  Runner(const float *in, float *out) : in_(in), out_(out) {}
  void run() const { launched<7><<<grid_, block_>>>(in_, out_); }

private:
  static const int block_ = 544;
  int grid_ = 16;
  const float *in_;
  float *out_;
};

int main() {
  float *a = truth::zeros<float>(), *b = truth::zeros<float>();
  withABlock(a, b, dim3(20, 5));
  withADefault(a, b);
  launched<2><<<64, blockOf(112)>>>(a, b);
  Settings settings;
  launched<3><<<settings.grid, settings.block>>>(a, b);
  launched<4><<<64, small>>>(a, b);
  start(launched<5>, dim3(32), dim3(36, 3), a, b);
  LAUNCH(launched<6>, 3 * 72, a, b);
  Runner(a, b).run();
  auto kernel = &launched<8>;
  kernel<<<64, dim3(12, 11)>>>(a, b);
  for (int threads = 64; threads <= 256; threads *= 2)
    launched<9><<<1024 / threads, threads>>>(a, b);
  const int n = 1000;
  launched<10><<<4, std::min(n, 288)>>>(a, b);
  auto launch = [&](int rows) { launched<11><<<16, dim3(28, rows)>>>(a, b); };
  launch(9);
  const float *in = a;
  void *arguments[] = {&in, &b};
  TRUTH_CHECK(cudaLaunchCooperativeKernel((void *)launched<12>, dim3(16),
                                          dim3(44, 2), arguments, 0, nullptr));
  unsigned threads = n / 10;
  threads = (threads + 31) / 32 * 32;
  launched<13><<<16, threads>>>(a, b);
  return truth::done();
}
