// Sources that nvcc accepts as they stand, each read without an error.
#include "accepted.h"
#include "source/nvcc_spelling.h"

namespace warplint {

TEST(NvccSpelling, CodeForAReleaseOfNvccIsRead) {
  expectKernels(R"(
#if __CUDACC_VER_MAJOR__ >= 11 && defined(__CUDACC_VER_MINOR__)
__global__ void k(float *p) { p[threadIdx.x] = 1; }
#endif
#ifdef __NVCC__
__global__ void l(float *p) { p[threadIdx.x] = 1; }
#endif
)",
                "k 1; l 1; ");
}

// Clang's own build of a source has no such macro.
TEST(NvccSpelling, AnotherCompilersSourceIsReadAsItsOwn) {
  Scratch scratch = llvm::cantFail(Scratch::create());
  const std::string source = scratch.path("k.cu");
  writeFile(source, "#ifndef __NVCC__\n"
                    "__global__ void k(float *p) { p[0] = 1; }\n"
                    "#endif\n");
  const Command command = {
      source, scratch.folder().str(), {"clang++", "-x", "cuda", source}};
  auto model = readSource(command, translate(command.arguments, std::nullopt),
                          std::nullopt, WARPLINT_RESOURCE_DIR);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_EQ(model->kernels.size(), 1u);
}

TEST(NvccSpelling, FamilySpecificCodeIsRead) {
  constexpr const char *source = R"(
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
#error no family
#endif
__global__ void k(float *p) { p[threadIdx.x] = 1; }
)";
  expectKernels(source, "k 1; ", {"-arch=sm_90a"});
  expectKernels(source, "k 1; ", {"-arch=sm_100f"});
}

TEST(NvccSpelling, OnePercentSignBeforeASpecialRegister) {
  expectKernels(R"(
#define CTA(r) asm("mov.u32 %0, %ctaid.x;" : "=r"(r))
__device__ unsigned lane() {
  unsigned r;
  asm("mov.s32 %0, %laneid;" : "=r"(r));
  return r;
}
template <class T> struct Mask {
  static __device__ T get(T with) {
    T r;
    asm volatile("{ .reg .u32 t; mov.u32 t, %lanemask_lt;\n\t"
                 "add.u32 t, t, %smid; add.u32 %0, t, %1 ; }"
                 : "=r"(r) : "r"(with));
    return r;
  }
};
__global__ void k(unsigned *p) {
  unsigned block;
  CTA(block);
  p[lane()] = Mask<unsigned>::get(block);
}
)",
                "k 1; ");
}

// FasterTransformer's attention: 24 kernels were lost with one comma.
TEST(NvccSpelling, ACommaMissingBetweenOperandsOfAssembly) {
  expectKernels(R"(
__device__ unsigned twice(unsigned a) { return 2 * a; }
__device__ float both(unsigned a, unsigned b) {
  float c, d;
  asm volatile("{ mov.b32 %0, %2; mov.b32 %1, %3; }"
               : "=f"(c) "=f"(d)
               : "r"((a) + twice((a))) "r"(b), "r"(b)
               : "memory");
  asm("" ::: "memory");
  return c + d;
}
__global__ void k(float *p) { p[threadIdx.x] = both(1, 2); }
)",
                "k 1; ");
}

TEST(NvccSpelling, RegisterVariables) {
  expectKernels("__global__ void k(float *p) { register int i = threadIdx.x;"
                " p[i] = 1; }\n",
                "k 1; ");
}

TEST(NvccSpelling, BracesAsGridAndBlock) {
  constexpr const char *source = R"(
__global__ void k(float *p) { p[threadIdx.x] = 1; }
template <class T> __global__ void t(T *p) { p[threadIdx.x] = 1; }
struct S {
  template <class T> void go(T *p, int n) { t<T><<<{unsigned(n), 1}, {32, 8}>>>(p); }
};
void host(float *p, int n) {
  k<<<n, {32, 4}>>>(p);
  k<<<{1, 2}, 32, 0>>>(p);
  k<<<dim3{2, 2}, dim3{2}>>>(p);
  S().go(p, n);
}
)";
  expectKernels(source, "k 1; t<float> 1; ");
}

TEST(NvccSpelling, SpacesInTheBracketsOfALaunch) {
  expectKernels(R"(
template <class A, class B> struct P { A a; };
template <class T> struct V { T v; };
__global__ void k(float *p) { p[threadIdx.x] = 1; }
void host(float *p, int n) {
  V<V<V<int> > > v;
  P<V<V<int>> , int> q;
  k<< <n, 32>> >(p);
  k<< < n, 32 >>>(p);
  k<<<n, 32>> >(p);
}
)",
                "k 1; ");
  EXPECT_EQ(withJoinedLaunches("k<< <n, 32>> >(p);"), "k<<< n, 32>>> (p);");
  EXPECT_EQ(withJoinedLaunches("out << 1; V<V<V<int>> > v(3);"), "");
  EXPECT_EQ(withJoinedLaunches("friend O &operator<< <T>(O &, V<V<T>> >(0));"),
            "");
  EXPECT_EQ(withJoinedLaunches("k<<<n, 32>>>(V<V<V<int>> >(p));"), "");
}

// A macro of moderngpu's: 'expected expression' lost its merge sort.
TEST(NvccSpelling, APragmaOutOfAMacroBecomesAnOperator) {
  EXPECT_EQ(withPragmaOperators("#define UNROLL #pragma unroll\nint a;"),
            "#define UNROLL _WPR(\"unroll\")\nint a;");
  EXPECT_EQ(
      withPragmaOperators("x\n  # define U\t#pragma unroll 4 // four\r\n"),
      "x\n  # define U\t_WPR(\"unroll 4\") // four\r\n");
  EXPECT_EQ(withPragmaOperators("#define A #pragma a\n#define B #pragma  b"),
            "#define A _WPR(\"a\")\n#define B _WPR(\"b\") ");
  for (const char *text :
       {"#pragma unroll\n", "// #define A #pragma unroll\n",
        "#define S(x) #x\n", "char *s = \"#define A #pragma b\";",
        "#define A \"#pragma unroll\"\n", "#define A #pragma a \\\n b\n"})
    EXPECT_EQ(withPragmaOperators(text), "") << text;
}

// Of a text longer than its file, Clang took the end for the next file's: a
// comment there lost all of CUDASW4, since reading it ended in a crash.
TEST(NvccSpelling, AFileWithAPragmaInAMacroKeepsItsPlaces) {
  expectKernels(R"(#include <cstddef>
#define UNROLL #pragma unroll
__global__ void k(float *p) {
  UNROLL
  for (int i = 0; i < 4; ++i)
    p[i * 32 + threadIdx.x] = 1;
}
/* the end */
)",
                "k 1; ");
}

TEST(NvccSpelling, HalvesAssignedFromBraces) {
  if (!hasToolkit())
    GTEST_SKIP() << "NO CUDA TOOLKIT: its half has no stand-in";
  EXPECT_EQ(kernelsIn(R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(half2 *p, __nv_bfloat162 *b, half h) {
  half2 c;
  c = {h, h};
  p[threadIdx.x] = c;
  c = {};
  c = __half2_raw{1, 2};
  b[threadIdx.x] = {};
}
)",
                      true)
                .substr(0, 2),
            "k ");
}

TEST(NvccSpelling, CacheHintsOfAllTypes) {
  if (!hasToolkit())
    GTEST_SKIP() << "NO CUDA TOOLKIT: its types are not read";
  std::string source = R"(
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
template <class T> __global__ void k(T *p) {
  __stcs(p, __ldcs(p)); __stcg(p, __ldca(p)); __stwb(p, __ldcg(p));
  __stwt(p, __ldlu(p)); __stcs(p, __ldcv(p)); __stcs(p, __ldg(p));
}
)";
  for (const char *type : {"char",
                           "signed char",
                           "uint8_t",
                           "short",
                           "uint16_t",
                           "int",
                           "uint32_t",
                           "long",
                           "uint64_t",
                           "long long",
                           "unsigned long long",
                           "float",
                           "double",
                           "char2",
                           "char4",
                           "uchar2",
                           "uchar4",
                           "short2",
                           "short4",
                           "ushort2",
                           "ushort4",
                           "int2",
                           "int4",
                           "uint2",
                           "uint4",
                           "longlong2",
                           "ulonglong2",
                           "float2",
                           "float4",
                           "double2",
                           "half",
                           "half2",
                           "__nv_bfloat16",
                           "__nv_bfloat162"})
    source += "template __global__ void k(" + std::string(type) + " *);\n";
  const SourceModel model = readText(source, true);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << error.line << ": " << error.text;
  EXPECT_EQ(model.kernels.size(), 34u);
}

TEST(NvccSpelling, TensorMapsOfLessAlignment) {
  if (!hasToolkit())
    GTEST_SKIP() << "NO CUDA TOOLKIT: its tensor maps are not read";
  EXPECT_EQ(kernelsIn(R"(
#include <cuda.h>
struct P { alignas(64) CUtensorMap m; int n; };
__global__ void k(const __grid_constant__ P p, float *o) { o[threadIdx.x] = p.n; }
)",
                      true)
                .substr(0, 2),
            "k ");
}

TEST(NvccSpelling, AnOperandThatAssemblyLacksIsOfNoInstance) {
  expectKernels(R"(
template <int n> __device__ void copy(float *to, const float *from) {
  if constexpr (n == 0)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"l"(to), "l"(from));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %8;" ::"l"(to), "l"(from));
}
__global__ void k(float *o) { copy<0>(o, o + 1); o[threadIdx.x] = 1; }
)",
                "k 3; ");
}

TEST(NvccSpelling, AKeywordBeforeADestructorIsIgnored) {
  expectKernels(R"(
template <class T> struct Session { T *p; __device__ ~Session() { *p = 1; } };
template <class T> __global__ void k(T *o) {
  Session<T> *session = new (o) Session<T>{o};
  session->template ~Session<T>();
  (*session).template ~Session();
}
void run(float *p) { k<float><<<1, 32>>>(p); }
)",
                "k<float> 5; ");
  EXPECT_EQ(withoutTemplateBeforeDestructors("a.template ~B();"),
            "a.         ~B();");
  EXPECT_EQ(withoutTemplateBeforeDestructors("a.template b<3>();"), "");
}

// The keyword that Clang wants in front of `run` and `get`.
TEST(NvccSpelling, TemplatesOfADependentTypeNeedNoKeyword) {
  const char *source = R"(
template <class T> struct Cast {
  template <int n> static __device__ void run(T *o, int i) { o[n * i] = 1; }
  template <int n> __device__ T get(const T *a) const { return a[n]; }
};
#define RUN(T, n, o) Cast<T>::run<n>(o, threadIdx.x)
template <class T, int n> __device__ void twice(T *o) {
  Cast<T>::run<n>(o, threadIdx.x); Cast<T>::run<n + 1>(o, threadIdx.x);
}
template <class T, int n> __global__ void k(T *o) {
  Cast<T>::run<n>(o, threadIdx.x);
  twice<T, n>(o);
}
template <class T, int n> __global__ void l(T *o) {
  RUN(T, n, o);
  Cast<T> cast;
  o[0] = cast.get<n>(o);
}
__global__ void m(float *o) { o[threadIdx.x] = 1; }
template __global__ void k<float, 4>(float *);
template __global__ void l<float, 4>(float *);
)";
  expectKernels(source, "m 1; k<float, 4> 3; l<float, 4> 3; ");
  if (const std::string nvcc = nvccForTests(); !nvcc.empty()) {
    EXPECT_NE(compileForTests(nvcc, source, "-ptx", "sm_90"), "");
  }
}

// Clang then takes the call for a comparison with that operator, as with the
// toolkit's of '__half', and its error has no name.
TEST(NvccSpelling, TemplatesOfADependentTypeNeedNoKeywordAfterAnOperator) {
  const char *source = R"(
struct Half { short bits; };
__device__ bool operator<(Half a, Half b);
__device__ bool operator>(Half a, Half b);
template <class T, unsigned n> struct Vec { T v[n]; __device__ T *ptr() { return v; } };
template <class T> struct Cast {
  template <unsigned n> static __device__ void cast(T *to, const T *from) {
    for (unsigned i = 0; i < n; ++i) to[i] = from[i];
  }
};
template <class T, unsigned n> __device__ void copy(Vec<T, n> &to, const Vec<T, n> &from) {
  Cast<T>::cast<n>(
      to.ptr(), const_cast<Vec<T, n> *>(&from)->ptr());
}
template <class T> __global__ void k(Vec<T, 4> *o, const Vec<T, 4> *a) { copy(o[threadIdx.x], a[threadIdx.x]); }
template __global__ void k<float>(Vec<float, 4> *, const Vec<float, 4> *);
)";
  expectKernels(source, "k<float> 2; ");
}

TEST(NvccSpelling, MembersOfADependentTypeNeedNoKeywordAfterAnOperator) {
  const char *source = R"(
struct Half { short bits; };
__device__ bool operator<(Half a, Half b);
__device__ bool operator>(Half a, Half b);
struct Add { __device__ float operator()(float a, int b) const { return a + b; } };
template <class T, int n> struct Difference {
  int &shared;
  __device__ Difference(int &shared) : shared(shared) {}
  template <int V, class F> __device__ void right(T (&to)[V], F f) { for (int i = 0; i < V; ++i) to[i] = f(to[i], shared); }
  template <int V, class F> __device__ void left(T (&to)[V], F f) { for (int i = 0; i < V; ++i) to[i] = f(to[i], shared); }
  template <int V> __device__ void left(T (&to)[V]) { for (int i = 0; i < V; ++i) to[i] += shared; }
};
template <class T, int V, int n> __global__ void k(T *x) {
  __shared__ int shared;
  T a[V];
  for (int i = 0; i < V; ++i) a[i] = x[threadIdx.x * V + i];
  Difference<T, n>(shared).right<V>(a, Add());
  Difference<T, n> difference(shared), *other = &difference;
  difference
      .left<V>(a, Add());
  other->right<V>(a, Add());
  for (int i = 0; i < V; ++i) x[threadIdx.x * V + i] = a[i];
}
template __global__ void k<float, 4, 128>(float *);
)";
  expectKernels(source, "k<float, 4, 128> 13; ");
  if (const std::string nvcc = nvccForTests(); !nvcc.empty()) {
    EXPECT_NE(compileForTests(nvcc, source, "-ptx", "sm_90"), "");
  }
}

// Classes for a fast division: `long % divisor` fits the function and, since
// the divisor converts to int, the built-in operators.
TEST(NvccSpelling, AnOperatorFunctionIsPreferredToBuiltInOperators) {
  const char *source = R"(
struct Divisor { int d; __host__ __device__ operator int() const { return d; } };
__host__ __device__ inline int operator/(int a, Divisor const &b) { return a >> b.d; }
__host__ __device__ inline int operator%(int a, Divisor const &b) { return a - (a / b); }
__global__ void k(int *o, Divisor d, long n) {
  o[threadIdx.x] = (n + 1) % d + n / d % d;
}
template <class T> __global__ void l(int *o, Divisor d, T n) { o[threadIdx.x] = o[n %
  d]; }
template __global__ void l<long>(int *, Divisor, long);
template __global__ void l<long long>(int *, Divisor, long long);
)";
  expectKernels(source, "k 4; l<long> 3; l<long long> 3; ");
  if (const std::string nvcc = nvccForTests(); !nvcc.empty()) {
    EXPECT_NE(compileForTests(nvcc, source, "-ptx", "sm_90"), "");
  }
}

TEST(NvccSpelling, AKeywordThatIsInsertedMovesNoLine) {
  EXPECT_EQ(withKeywords("T::a<1>(x);\nT::b<2>(T::a<3>(y));\n",
                         {{3, "template"}, {15, "template"}, {23, "template"}}),
            "T::template a<1>(x);\nT::template b<2>(T::template a<3>(y));\n");
  EXPECT_EQ(withKeywords("T::type x;", {{0, "typename"}}),
            "typename T::type x;");
  EXPECT_EQ(withKeywords("ab", {{7, "template"}}), "ab")
      << "a file that became shorter";
}

// NCCL leaves the keyword out, and nvcc takes it.
TEST(NvccSpelling, TypenameMayBeMissing) {
  const std::string source = R"(
template <class T> struct Pair { using type = T; };
template <class T> struct Holder {
  static __device__ void set(T *o) {
    constexpr int n = sizeof(Pair<T>::type);
    o[threadIdx.x] = static_cast<Pair<T>::type>(n);
  }
  __device__ Pair<T>::type get(T *o) { return o[threadIdx.x]; }
};
template <class T> __device__ void put(T *o, T x) {
  Pair<T>::type y = x;
  o[threadIdx.x + 32] = y;
}
template <class T> __global__ void k(T *o) {
  Holder<T>::set(o);
  put(o, Holder<T>().get(o));
}
template __global__ void k<float>(float *);
)";
  expectKernels(source, "k<float> 3; ");
}

// NCCL has a declval of its own.
TEST(NvccSpelling, ADecltypeMayCallAHostTemplate) {
  expectKernels(R"(
template <class T> T &&make() noexcept;
struct Session {
  template <int n, class E, class F>
  __device__ auto reduce(const E *in, F f) -> decltype(f(make<E>())) { return f(in[n]); }
};
template <class T> __global__ void k(T *o) {
  Session session;
  o[threadIdx.x] = session.template reduce<4, T>(o, [&] __device__(T x) -> T { return x * 2; });
}
void run(float *p) { k<float><<<1, 32>>>(p); }
)",
                "k<float> 2; ", {"--extended-lambda"});
}

// As CCCL and PyTorch do.
TEST(NvccSpelling, AFailedAssertionMayBeDeclaredForHostAndDevice) {
  expectKernels(R"(
extern "C" __host__ __device__ void
__assert_fail(const char *, const char *, unsigned, const char *) noexcept
    __attribute__((__noreturn__));
__host__ __device__ inline void positive(int n) {
  if (n < 0)
    __assert_fail("0 <= n", "a.cu", 6, "positive");
}
#undef NDEBUG
#include <assert.h>
__global__ void k(float *a, int n) {
  positive(n);
  assert(n);
  a[threadIdx.x] = 1;
}
void check(int n) { positive(n); assert(n); }
)",
                "k 1; ", {"-DNDEBUG"});
}

// glibc declares what it calls only without NDEBUG.
TEST(NvccSpelling, AssertionsMayBeSwitchedOnInAHeader) {
  expectKernels(R"(
#undef NDEBUG
#pragma clang force_cuda_host_device begin
#include <assert.h>
#pragma clang force_cuda_host_device end
__global__ void k(float *p) { assert(p); p[threadIdx.x] = 1; }
)",
                "k 1; ", {"-DNDEBUG"});
}

} // namespace warplint
