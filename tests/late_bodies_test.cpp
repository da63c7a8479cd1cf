// The bodies of a library's device functions are parsed where they are used.
#include "os/scratch.h"
#include "tests/accepted.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

/// What a header of a library looks like to Clang.
constexpr const char *library = R"(#pragma GCC system_header
#define STORE(p, v) *(p) = (v)
template <class T> __device__ T twice(T x) { return x + x; }
static inline __device__ void store(float *p, float v) { STORE(p + threadIdx.x, v); }
static inline __device__ void storeAll(float *p, int n) {
#pragma unroll
  for (int i = 0; i < n; ++i) { if (i != 3) { store(p + i, twice(1.0f)); } }
}
inline __device__ void unused(float *p) { nobodyDeclaresThis(p); }
__device__ __forceinline__ float least(float a, float b);
__device__ __forceinline__ float least(float a, float b) { return __builtin_fminf(a, b); }
namespace ofLibrary { inline __host__ __device__ float take(const float *p) { return p[threadIdx.x]; } }
#undef STORE
)";

class LateBodies : public testing::Test {
protected:
  Scratch scratch = llvm::cantFail(Scratch::create());
  std::vector<std::string> flags = {"-I" + scratch.folder().str()};

  void SetUp() override { writeFile(scratch.path("library.h"), library); }
};

} // namespace

// Also what only another such function uses, and what was a macro's text then.
TEST_F(LateBodies, WhatIsUsedHasItsAccesses) {
  expectKernels(R"(#include "library.h"
__global__ void k(float *p, int n) { storeAll(p, n); }
__global__ void l(float *p) { store(p, least(ofLibrary::take(p), p[1])); }
)",
                "k 1; l 3; ", flags);
}

TEST_F(LateBodies, AnErrorInWhatNobodyUsesIsNone) {
  expectKernels("#include \"library.h\"\n"
                "__global__ void k(float *p) { store(p, 1); }\n",
                "k 1; ", flags);
}

// Nor does a later name of the source's change what a library's function means.
TEST_F(LateBodies, ANameDeclaredLaterIsNoError) {
  writeFile(scratch.path("library.h"), R"(#pragma GCC system_header
inline __device__ int clip(int a, int b) { return a < b ? a : b; }
inline __device__ int clipped(int n) { return clip(n, 32L); }
)");
  expectKernels(R"(#include "library.h"
__device__ long clip(long a, long b);
__global__ void k(int *p, int n) { p[clipped(n)] = 1; }
)",
                "k 1; ", flags);
}

TEST_F(LateBodies, ASourceThatEndsInsideABodyIsReadToThere) {
  writeFile(scratch.path("library.h"), R"(#pragma GCC system_header
static inline __device__ void whole(float *p) { p[threadIdx.x] = 1; }
static inline __device__ void cut(float *p);
__global__ void k(float *p) { whole(p); }
__global__ void l(float *p) { cut(p); }
static inline __device__ void cut(float *p) {
#include "nobody_has_this.h"
  whole(p);
}
)");
  EXPECT_THAT(kernelsIn("#include \"library.h\"\n", false, flags),
              testing::HasSubstr("'nobody_has_this.h' file not found"));
}
