// The names of kernels, from a source through Clang and through the real nvcc
// to verdicts. A kernel whose two names do not meet has no verdict.
#include "input_folder.h"
#include "nvcc.h"
#include "run/pipeline.h"
#include "test_paths.h"
#include <gtest/gtest.h>

using namespace warplint;

/// Each kernel stores with a stride, so each has a finding.
static constexpr llvm::StringLiteral nasty = R"cuda(
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
extern "C" __global__ void plainC(float *p) { p[threadIdx.x * 33] = 1; }
extern "C" { static __global__ void staticC(float *p) { p[threadIdx.x * 33] = 1; } }
static __global__ void stat(float *p) { p[threadIdx.x * 33] = 1; }
namespace { __global__ void anon(float *p) { p[threadIdx.x * 33] = 1; }
template <class T> __global__ void anonT(T *p) { p[threadIdx.x * 33] = T(1); }
struct Local { float x; };
template <class F> __global__ void applyAnon(float *p, F f) { p[threadIdx.x * 33] = f(threadIdx.x); }
namespace inner { template <int n> static __global__ void deep(float *p) { p[threadIdx.x * 33] = n; } }
}
namespace outer { namespace { namespace mid { struct Op { __device__ float operator()(int i) const { return i; } }; __global__ void deep2(Op op, float *p) { p[threadIdx.x * 33] = op(1); } } } 
static __global__ void nsStatic(Local l, float *p) { p[threadIdx.x * 33] = l.x; }
inline namespace v1 { __global__ void versioned(float *p) { p[threadIdx.x * 33] = 1; } }
}
template <class T, int n = 4> static __global__ void statT(T *p) { p[threadIdx.x * 33] = n; }
template <class... T> __global__ void variadic(float *p, T... t) { p[threadIdx.x * 33] = (0.f + ... + float(t)); }
template <template <class> class C> __global__ void tt(C<float> c, float *p) { p[threadIdx.x * 33] = c.x; }
template <class T> struct Box { T x; 
  struct Inner { T y; };
  __device__ T operator+(T o) const { return x + o; } };
template <class T> __global__ void nested(typename Box<T>::Inner b, T *p) { p[threadIdx.x * 33] = b.y; }
template <float (*f)(float)> __global__ void byFunction(float *p) { p[threadIdx.x * 33] = f(threadIdx.x); }
__device__ float square(float x) { return x * x; }
static __device__ float cube(float x) { return x * x * x; }
template <class F> __global__ void apply(float *p, F f) { p[threadIdx.x * 33] = f(threadIdx.x); }
template <class F> static __global__ void applyStatic(float *p, F f) { p[threadIdx.x * 33] = f(threadIdx.x); }
template <auto v> __global__ void autoValue(float *p) { p[threadIdx.x * 33] = float(v); }
enum class Colour { red, green };
template <class T> __global__ void overloaded(T *p, int) { p[threadIdx.x * 33] = 1; }
template <class T> __global__ void overloaded(T *p, long) { p[threadIdx.x * 33] = 2; }
struct Functor { __device__ float operator()(int i) const { return i; }
  friend __device__ float operator*(Functor, float x) { return x; } };
__global__ void ref(const volatile float *__restrict__ q, float *p, unsigned long long n, float *__restrict__ r) { p[threadIdx.x * 33] = q[0] + n; }
__global__ void ptrs(float **p, float (*a)[4], void (*f)(int)) { p[threadIdx.x * 33][0] = a[0][0]; }
template <typename T, typename = decltype(T() + 1)> __global__ void sfinae(T *p) { p[threadIdx.x * 33] = 1; }
template <class T> __global__ void expr(T *p, decltype(p[0] + 1) v) { p[threadIdx.x * 33] = v; }
template <bool b, char c, unsigned long n> __global__ void literals(float *p) { p[threadIdx.x * 33] = b + c + n; }
struct S { template <class T> static void run(float *p) {
  apply<<<1, 32>>>(p, [] __device__(int i) { return float(i) + sizeof(T); });
} };
static void hostStatic(float *p) {
  apply<<<1, 32>>>(p, [=] __device__(int i) { return float(i); });
  applyStatic<<<1, 32>>>(p, [=] __device__(int i) { return float(i); });
}
namespace { void hostAnon(float *p) {
  apply<<<1, 32>>>(p, [=] __device__(int i) { return float(i); });
  applyAnon<<<1, 32>>>(p, [] __device__(int i) { return float(i); });
  applyAnon<<<1, 32>>>(p, [] __host__ __device__(int i) { return float(i) + 1; });
} }
template <class T> void hostTemplate(float *p, T t) {
  auto generic = [=] __device__(int i) { return float(i + t); };
  apply<<<1, 32>>>(p, generic);
  auto outer = [=](float *q) { apply<<<1, 32>>>(q, [=] __device__(int i) { return float(i - t); }); };
  outer(p);
}
void thrustOf(float *p, int n) {
  thrust::counting_iterator<int> first(0);
  thrust::for_each(thrust::device, first, first + n,
                   [=] __device__(int i) { p[i * 33] = 1; });
}
void all(float *p) {
  plainC<<<1, 32>>>(p); staticC<<<1, 32>>>(p); stat<<<1, 32>>>(p); anon<<<1, 32>>>(p);
  anonT<<<1, 32>>>(p); anonT<<<1, 32>>>((double *)p); statT<float><<<1, 32>>>(p); statT<float, 8><<<1, 32>>>(p);
  inner::deep<3><<<1, 32>>>(p); outer::mid::deep2<<<1, 32>>>({}, p); outer::nsStatic<<<1, 32>>>({1}, p); outer::versioned<<<1, 32>>>(p);
  variadic<<<1, 32>>>(p, 1, 2.0, 'c'); variadic<<<1, 32>>>(p); tt<<<1, 32>>>(Box<float>{1}, p); nested<float><<<1, 32>>>({1}, p);
  byFunction<square><<<1, 32>>>(p); byFunction<cube><<<1, 32>>>(p);
  apply<<<1, 32>>>(p, Functor{}); apply<<<1, 32>>>(p, outer::mid::Op{}); applyStatic<<<1, 32>>>(p, Functor{});
  autoValue<3><<<1, 32>>>(p); autoValue<Colour::green><<<1, 32>>>(p); autoValue<'x'><<<1, 32>>>(p); autoValue<-5L><<<1, 32>>>(p); autoValue<true><<<1, 32>>>(p);
  overloaded<<<1, 32>>>(p, 1); overloaded<<<1, 32>>>(p, 1L);
  ref<<<1, 32>>>(p, p, 1, p); ptrs<<<1, 32>>>(nullptr, nullptr, nullptr); sfinae<<<1, 32>>>(p); expr<<<1, 32>>>(p, 1.f);
  literals<true, 'a', 7><<<1, 32>>>(p);
  S::run<int>(p); S::run<Local>(p); hostStatic(p); hostAnon(p); hostTemplate(p, 3); hostTemplate(p, 4.0f);
}
)cuda";

static void expectAllJudged(std::vector<std::string> flags,
                            unsigned architectures) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: its names are not compared with Clang's";
  InputFolder folder;
  Options options;
  options.command = CommandName::Check;
  options.sources.paths = {folder.write("nasty.cu", nasty)};
  options.sources.extraFlags = {"-std=c++17", "--extended-lambda"};
  options.settings.enabled = {"strided-global-access"};
  options.settings.architectures = {"sm_80", "sm_90"};
  options.settings.architectures.resize(architectures);
  llvm::append_range(options.sources.extraFlags, flags);
  options.cache.folder = WARPLINT_TEST_CACHE;
  auto report = check(options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_TRUE(report->unread.empty());
  std::set<std::string> kernels;
  for (const Finding &finding : report->findings)
    for (const FindingKernel &kernel : finding.kernels) {
      kernels.insert(kernel.mangled);
      EXPECT_EQ(kernel.judgement.verdict, Verdict::Confirmed)
          << kernel.mangled << " on " << kernel.architecture << ": "
          << kernel.judgement.evidence;
    }
  EXPECT_EQ(kernels.size(), 45u);
}

TEST(Instances, EverySpellingIsJudgedOnEachArchitecture) {
  expectAllJudged({}, 2);
}

TEST(Instances, RelocatableBuildsAreJudged) {
  expectAllJudged({"-rdc=true"}, 1);
}
