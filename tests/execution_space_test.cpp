// Functions that are for the device by an earlier declaration alone.
#include "accepted.h"

using namespace warplint;

namespace {

// nvcc takes a definition for that of its declaration; Clang for another
// function, on the host.
TEST(ExecutionSpace, DefinitionsAreForTheDeviceAsDeclared) {
  constexpr const char *source = R"(
struct S {
  float *p;
  __host__ __device__ S(float *p);
  __host__ __device__ void put(int i, float v);
  __device__ static float twice(float x);
};
namespace n { __host__ __device__ float f(float); }
template <class T> __device__ T g(T);
S::S(float *q) : p(q) {}
void S::put(int i, float v) { p[i] = v; }
float S::twice(float x) { return 2 * x; }
namespace n { float f(float x) { return x * 2; } }
template <class T> T g(T x) { return x + 1; }
template <class T> struct W { T *p; __host__ __device__ void set(int i, T v); };
template <class T> void W<T>::set(int i, T v) { p[i] = v; }
float own(float x) { return x; }
__global__ void k(float *p) {
  S s(p);
  s.put(threadIdx.x, n::f(1) + S::twice(2) + g(2.f));
  W<float> w{p};
  w.set(threadIdx.x * 2, 3);
}
)";
  expectKernels(source, "k 2; ");
}

} // namespace
