// Variables in shared memory whose type has a constructor: nvcc accepts them.
#include "accepted.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

const char *const source = R"(
struct Vec { float x, y; __host__ __device__ Vec() : x(0), y(0) {} };
struct Best { float value = 1e30f; int index = -1; };
struct Open { int n; __device__ Open() : n(1) {} __device__ ~Open() { n = 0; } };
struct Like { float n; __device__ Like(const float &n = float(1)) : n(n) {} };
template <class T> struct Pair { T a = 1, b = 2; Best best; };
template <class T> __global__ void k(float *x) {
  __shared__ T best[32];
  best[threadIdx.x % 32].value = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = best[0].value;
}
__global__ void l(float *x) {
  __shared__ Vec v[32], one;
  __shared__ Pair<float> pair;
  __shared__ Open open;
  __shared__ Like like;
  __shared__ dim3 grid; // of a header that is precompiled
  v[threadIdx.x % 32].x = x[threadIdx.x];
  if (threadIdx.x == 0) { one.y = 1; pair.best.value = 2; open.n = 3; like.n = 4; grid.x = 5; }
  __syncthreads();
  x[threadIdx.x] = v[0].x + one.y + pair.best.value + open.n + like.n + grid.x;
}
template __global__ void k<Best>(float *);
)";

} // namespace

TEST(SharedConstructors, TypesWithAConstructorAreAccepted) {
  expectKernels(source, "l 14; k<Best> 4; ");
  if (const std::string nvcc = nvccForTests(); !nvcc.empty()) {
    EXPECT_NE(compileForTests(nvcc, source, "-ptx", "sm_90"), "");
  }
}

// The same class elsewhere: its constructor runs, also one that Clang defines.
TEST(SharedConstructors, LocalVariablesAreConstructed) {
  const char *source = R"(
struct Best { int value = 3; };
struct Count { int n; __device__ Count() : n(2) {} };
__global__ void k(float *x) {
  __shared__ Best best;
  __shared__ Count count;
  Best mine;
  Count all;
  best.value = count.n = 1;
  for (int i = 0; i < mine.value; ++i)
    for (int j = 0; j < all.n; ++j)
      x[i * 64 + j * 32 + threadIdx.x] = best.value + count.n;
}
)";
  const SourceModel model = readText(source, false);
  ASSERT_EQ(model.kernels.size(), 1u);
  std::vector<uint64_t> trips;
  for (const Loop &loop : model.kernels[0].loops)
    trips.push_back(loop.tripCount.value_or(0));
  EXPECT_THAT(trips, testing::ElementsAre(3, 2));
}

TEST(SharedConstructors, BarriersOfTheToolkitAreAccepted) {
  if (!hasToolkit())
    GTEST_SKIP() << "NO TOOLKIT: libcu++ is not read";
  EXPECT_THAT(kernelsIn(R"(
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/complex>
__global__ void k(float *x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> n;
  __shared__ cuda::std::complex<float> z[32];
  if (threadIdx.x == 0) { init(&bar, blockDim.x); n = 0; }
  z[threadIdx.x % 32] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = z[(threadIdx.x + 1) % 32].real() + n.load();
}
)",
                        true),
              testing::StartsWith("k "));
}
