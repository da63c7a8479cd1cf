// The expressions of a source that touch memory, counted by hand.
#include "covered.h"

using namespace warplint;

namespace {

TEST(MemoryExpressions, CountsEachKindOfExpression) {
  // Loads: a[i], *p, s->x, r; stores: out[i], *q; both: t[0] and t[1].
  expectAll(10, R"(
struct S { float x, y; };
__global__ void kinds(const float *a, const float *p, const S *s, float *out, float *q,
                      float *t) {
  int i = threadIdx.x;
  const float &r = a[i + 1];
  out[i] = a[i] + *p + s->x + r;
  *q = 1;
  t[0] += 2;
  ++t[1];
}
)");
}

TEST(MemoryExpressions, CountsAtomicsAndCachedLoads) {
  expectAll(4, R"(
__global__ void atomics(int *a, const float *b, float *out) {
  int i = threadIdx.x;
  atomicAdd(a, 1);
  if (atomicCAS(&a[i], 0, 1) == 0)
    out[i] = __ldg(b + i);
}
)");
}

TEST(MemoryExpressions, CountsInlinedCodeOncePerChainOfCalls) {
  // Two loads in get() by two calls of sum(): four times two, and two stores.
  expectAll(10, R"(
__device__ float get(const float *a, int i) { return a[i] + a[i + 1]; }
__device__ float sum(const float *a, int i) { return get(a, i) + get(a, 2 * i); }
__global__ void chains(const float *a, const float *b, float *out) {
  int i = threadIdx.x;
  out[i] = sum(a, i);
  out[i + 1] = sum(b, i);
}
)");
}

TEST(MemoryExpressions, CountsInLambdasMembersAndRangeLoops) {
  // a[j] in the lambda; v[i], for which the member reads this->data; the
  // element of the range loop; three stores.
  expectAll(7, R"(
struct View {
  float *data;
  __device__ float &operator[](int i) const { return data[i]; }
};
struct Four { float x[4]; };
__global__ void forms(const float *a, View v, const Four *f, float *out) {
  int i = threadIdx.x;
  auto get = [=](int j) { return a[j]; };
  out[i] = get(i);
  out[i + 32] = v[i];
  float sum = 0;
  for (const float &x : f[i].x)
    sum += x;
  out[i + 64] = sum;
}
)");
}

TEST(MemoryExpressions, CountsTheBodyOfARecursiveFunction) {
  expectAll(3, R"(
__device__ int walk(const int *next, int i) { return i < 0 ? 0 : 1 + walk(next, next[i]); }
__global__ void recursion(const int *next, const int *first, int *out) {
  out[threadIdx.x] = walk(next, first[threadIdx.x]);
}
)");
}

} // namespace
