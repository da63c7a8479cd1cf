// How long the compare-and-swap loops take that atomics of floats and doubles in
// shared memory become: the ground for what linter/cost/kernel_requests takes
// for them. Prints cycles of an SM for each update of a thread.
//
// RESULTS
#include <algorithm>
#include <cstdio>

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

template <class Launch>
double microseconds(Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  launch();
  float least = 1e9f;
  for (int i = 0; i < 5; ++i) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds;
    cudaEventElapsedTime(&milliseconds, begin, end);
    least = std::min(least, milliseconds * 1e3f);
  }
  return least;
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
      const double all = microseconds([&] {
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
