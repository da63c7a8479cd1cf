// How long the compare-and-swap loops take that atomics of floats and doubles in
// shared memory become: the ground for what linter/cost/kernel_requests takes
// for them. Prints cycles of an SM for each update of a thread.
//
// One H200, CUDA 13.0, blocks of 32, 64, 128, 256, 512, 1024 threads:
//   as many at once as fit
//     float, 64 updates of a word:     3.55  5.69  8.90  12.7  23.1  43.5
//     float, 16 of each warp's word:   3.78  3.16  3.08  3.04  3.03  3.03
//     double, 64 updates of a word:    4.66  8.64  14.4  19.2  30.1  48.9
//     double, 16 of each warp's word:  4.94  4.58  4.49  4.44  4.43  4.46
//   one at a time, 64 updates of a word
//     float:   94.5  87.8  84.4  84.5  46.2  44.4
//     double:   110   103   103  56.4  55.9  62.5
#include "program.h"

namespace {

/// Each thread adds to a word `updates` times: all threads of a block to the
/// same one, or those of a warp to the warp's own.
template <class T, bool isOfWarp, int updates>
__global__ void add(const T *in, T *out) { // expect: low-occupancy
  __shared__ T words[32 * 8];
  for (int i = threadIdx.x; i < 32 * 8; i += blockDim.x)
    words[i] = 0;
  const T value = in[threadIdx.x];
  __syncthreads();
  T *word = &words[isOfWarp ? threadIdx.x / 32 * 8 : 0];
  for (int i = 0; i < updates; ++i)
    atomicAdd(word, value + i); // expect: contended-atomic
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = words[0];
}

/// For as many blocks on an SM at once as fit, and for one.
template <class T, bool isOfWarp, int updates>
void print(const char *type, const T *in, T *out) {
  constexpr int blocksOfSm = 64, most = 200 * 1024;
  constexpr double gigahertz = 1.98;
  auto kernel = add<T, isOfWarp, updates>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       most);
  for (bool isAlone : {false, true}) {
    std::printf("%s, %s word for each %s, %2d updates:", type,
                isAlone ? "one block at a time, a" : "a",
                isOfWarp ? "warp" : "block", updates);
    for (int threads : {32, 64, 128, 256, 512, 1024}) {
      const double all = program::leastMicroseconds([&] {
        kernel<<<132 * blocksOfSm, threads, isAlone ? most : 0>>>(in, out);
      });
      std::printf("  %d: %.2f", threads,
                  all * 1e3 * gigahertz / blocksOfSm / threads / updates);
    }
    std::printf("\n");
  }
}

template <class T> void printAll(const char *type, void *in, void *out) {
  auto *from = static_cast<const T *>(in);
  auto *to = static_cast<T *>(out);
  print<T, false, 1>(type, from, to);
  print<T, false, 4>(type, from, to);
  print<T, false, 16>(type, from, to);
  print<T, false, 64>(type, from, to);
  print<T, true, 1>(type, from, to);
  print<T, true, 16>(type, from, to);
}

} // namespace

int main() {
  constexpr int bytes = 1 << 20, pattern = 0x3f; // numbers that are not 0
  void *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, pattern, bytes);
  printAll<float>("float", in, out);
  printAll<double>("double", in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
