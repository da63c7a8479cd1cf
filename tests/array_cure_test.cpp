// What is said of a parameter that the compiler copies to local memory to index
// it, and of loops whose length nobody knows.
#include "findings/array_cure.h"
#include "input_folder.h"
#include "model_builder.h"
#include "nvcc.h"
#include "program.h"
#include "resource_sources.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

struct ArrayCure : testing::Test, protected ModelBuilder {
  InputFolder folder;

  std::string judged(const std::string &text) {
    return runProgram({"check", "--minor", "--no-cache", "--arch", "sm_90",
                       folder.write("a.cu", text)})
        .out;
  }

  /// The remedy for an array of 12 floats that is indexed by a counter from
  /// `first` down to 0.
  std::string cureOfCountDown(ValueId first) {
    kernel.arrays.push_back(
        {"c", {"/k.cu", 5, 3}, 48, "float[12]", "", false, {}});
    const LoopId loop = kernel.loops.size();
    const ValueId counter = graph.carried(loop, 64, false);
    const ValueId next = add(counter, number(-1));
    graph.setCarried(counter, first, next);
    Loop down;
    down.place = {"/k.cu", 10, 3};
    down.enters = graph.always();
    down.bound = number(0);
    down.hasBound = true;
    down.boundText = "0";
    down.continues = is(Op::LessEqualSigned, number(0), next);
    kernel.loops.push_back(down);
    Access &one = access(element(object("c", Space::Local, 48), counter, 4), 4,
                         Operation::Load, Space::Local);
    one.array = 0;
    one.loops = {loop};
    return arrayCure(kernel, 0, one, *whyNotKnown(kernel, one.address));
  }
};

const std::string filter =
    "struct Filter {\n"
    "  float w[16];\n"
    "  int length;\n"
    "  __device__ float operator()(const float *in, int i) const {\n"
    "    float sum = 0;\n"
    "    for (int k = 0; k < length; ++k) sum += w[k] * in[i + k];\n"
    "    return sum;\n"
    "  }\n"
    "};\n";

} // namespace

// H200: 275 us with the copy, 85 us without.
TEST_F(ArrayCure, AnIndexedParameterIsFoundWhereTheCompilerCopiesIt) {
  NEEDS_NVCC("a copy of a parameter");
  const std::string out = judged(
      filter +
      "template <class F> __global__ void each(F f, const float *in,\n"
      "                                        float *out) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[i] = f(in, i);\n"
      "}\n"
      "void run(Filter f, float *a) { each<<<4096, 256>>>(f, a, a); }\n");
  EXPECT_THAT(
      out, AllOf(HasSubstr("warning: index of 'f.w' is counted by the loop at "
                           "line 6, whose bound 'length' is not known at "
                           "compile time, so each thread copies the parameter "
                           "'f' to local memory"),
                 HasSubstr("a copy of the parameter 'f'"),
                 HasSubstr("fix: declare the parameter 'f' 'const "
                           "__grid_constant__'")));
}

TEST_F(ArrayCure, AParameterThatIsReadInPlaceIsNone) {
  NEEDS_NVCC("a parameter without a copy");
  EXPECT_THAT(
      judged(filter +
             "__global__ void k(const __grid_constant__ Filter f,\n"
             "                  const float *in, float *out) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  out[i] = f(in, i);\n"
             "}\n"
             "void run(Filter f, float *a) { k<<<4096, 256>>>(f, a, a); }\n"),
      Not(HasSubstr("dynamic-local-array")));
}

// Constant memory serves the lanes' addresses one after the other.
TEST_F(ArrayCure, LanesWithDifferentIndexesWantSharedMemory) {
  Cost cost;
  cost.basis = Basis::Exact;
  cost.wavefronts = 1;
  EXPECT_THAT(copyCure(kernel, cost, "f"), HasSubstr("__grid_constant__"));
  cost.wavefronts = 32;
  EXPECT_THAT(copyCure(kernel, cost, "f"), HasSubstr("shared memory"));
  cost.basis = Basis::Unknown;
  EXPECT_THAT(copyCure(kernel, cost, "f"), HasSubstr("shared memory"));
  kernel.isDispatched = true;
  EXPECT_EQ(copyCure(kernel, cost, "f"), "");
}

// HEonGPU's 'temp[k] = mult(x, y)' was reported in the asm statement of another
// project's 'mult', 'counted by the loop at line 46' of a file with no name.
TEST_F(ArrayCure, AnArrayIsReportedWhereItsIndexIsCounted) {
  folder.write("arith.cuh", "struct Op {\n"
                            "  static __device__ long twice(const long &a) {\n"
                            "    long r;\n"
                            "    asm(\"add.s64 %0, %1, %2;\"\n"
                            "        : \"=l\"(r)\n"
                            "        : \"l\"(a), \"l\"(a));\n"
                            "    return r;\n"
                            "  }\n"
                            "};\n");
  const std::string text =
      "#include \"arith.cuh\"\n"
      "__global__ void k(const long *in, long *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  long temp[24], sum = 0;\n"
      "  for (int j = 0; j < n; ++j)\n"
      "    temp[j] = Op::twice(in[i + j * 4096]);\n"
      "  for (int j = 0; j < n; ++j)\n"
      "    sum = sum * 3 + Op::twice(temp[j]);\n"
      "  out[i] = sum;\n"
      "}\n"
      "void run(long *a, int n) { k<<<16, 256>>>(a, a, n); }\n";
  const std::string out =
      runProgram({"check", "--minor", "--no-judge", "--no-cache", "--check",
                  "dynamic-local-array", folder.write("a.cu", text)})
          .out;
  EXPECT_THAT(out, AllOf(HasSubstr("a.cu:6:13: warning: index of 'temp' is "
                                   "counted by the loop at line 5, "),
                         HasSubstr("declared at line 4"),
                         Not(HasSubstr("arith.cuh"))));
}

// 'ends it for 'y'' stood in the kernel, which has no 'y': it is the name that
// a called function has for an element of the array.
TEST_F(ArrayCure, OtherArraysHaveTheNamesOfTheFunctionThatIndexesThem) {
  const std::string text =
      "__device__ void step(float &x, float &y, float v) {\n"
      "  x = x * 2 + v;\n"
      "  y = y * 3 - v;\n"
      "}\n"
      "__global__ void k(const float *in, float *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float a[8] = {}, b[8] = {}, s = 0;\n"
      "  for (int k = 0; k < n; ++k) step(a[k], b[k], in[k * 4096 + i]);\n"
      "  for (int k = 0; k < 8; ++k) s += a[k] * b[k];\n"
      "  out[i] = s;\n"
      "}\n"
      "void run(float *a, int n) { k<<<16, 256>>>(a, a, n); }\n";
  EXPECT_THAT(
      runProgram({"check", "--minor", "--no-judge", "--no-cache", "--check",
                  "dynamic-local-array", folder.write("a.cu", text)})
          .out,
      HasSubstr("the same change ends it for 'b' as well"));
}

// A change of the function that indexes them ends both.
TEST_F(ArrayCure, ArraysOfTwoCallersAreOneFinding) {
  const std::string text =
      "__device__ float get(const float *p, int k) { return p[k]; }\n"
      "__global__ void k1(const float *in, float *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float t[80];\n"
      "  for (int k = 0; k < 80; ++k) t[k] = in[k * 4096 + i] * 2;\n"
      "  out[i] = get(t, n);\n"
      "}\n"
      "__global__ void k2(const float *in, float *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float u[80];\n"
      "  for (int k = 0; k < 80; ++k) u[k] = in[k * 4096 + i] * 2;\n"
      "  out[i] = get(u, n);\n"
      "}\n"
      "void run(float *a, int n) {\n"
      "  k1<<<16, 256>>>(a, a, n);\n"
      "  k2<<<16, 256>>>(a, a, n);\n"
      "}\n";
  EXPECT_THAT(
      runProgram({"check", "--minor", "--no-judge", "--no-cache", "--check",
                  "dynamic-local-array", folder.write("a.cu", text)})
          .out,
      HasSubstr("in 'k1' and 'k2'"));
}

// An index that another function counts: neither this one nor the one that
// calls it does, so the access stays where it is.
TEST_F(ArrayCure, AnIndexMayComeFromAnotherFunction) {
  const std::string text =
      "__device__ int count(int n) {\n"
      "  int c = 0;\n"
      "  for (int k = 0; k < n; ++k) c += k & 3;\n"
      "  return c;\n"
      "}\n"
      "__device__ float inner(const float *p, int k) { return *(p + k); }\n"
      "__device__ float outer(const float *p, int k) {\n"
      "  return inner(p, k);\n"
      "}\n"
      "__global__ void k(const float *in, float *out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float t[80];\n"
      "  for (int k = 0; k < 80; ++k) t[k] = in[k * 4096 + i];\n"
      "  out[i] = outer(t, count(n));\n"
      "}\n"
      "void run(float *a, int n) { k<<<16, 256>>>(a, a, n); }\n";
  EXPECT_THAT(
      runProgram({"check", "--minor", "--no-judge", "--no-cache", "--check",
                  "dynamic-local-array", folder.write("a.cu", text)})
          .out,
      HasSubstr("a.cu:6:"));
}

// Threads divide the loop, so a constant 'n' alone unrolls nothing.
TEST_F(ArrayCure, NoEditMakesTheBoundOfADividedLoopConstant) {
  const std::string text =
      "template <class F> __global__ void each(F f) {\n"
      "  f(blockIdx.x * blockDim.x + threadIdx.x);\n"
      "}\n"
      "void run(float *in, float *out) {\n"
      "  int n = 8;\n"
      "  each<<<16, 256>>>([=] __device__(int i) {\n"
      "    float t[8] = {}, s = 0;\n"
      "    int c = 0;\n"
      "    for (int j = threadIdx.x; j < n; j += blockDim.x) t[c++] += in[j];\n"
      "    for (int j = 0; j < 8; ++j) s = s * 3 + t[j];\n"
      "    out[i] = s;\n"
      "  });\n"
      "}\n";
  EXPECT_THAT(
      runProgram({"check", "--minor", "--no-judge", "--no-cache", "--check",
                  "dynamic-local-array", folder.write("a.cu", text), "--",
                  "--extended-lambda"})
          .out,
      AllOf(HasSubstr("loop over the whole array"), Not(HasSubstr("edit ("))));
}

// A ring of 19 words in a loop of unknown length: no copies of the loop make
// its indexes known.
TEST_F(ArrayCure, ARingNeedsMoreThanALoopsBound) {
  NEEDS_NVCC("a local array");
  const std::string out =
      judged("__global__ void k(const int *in, int *out, int n) {\n"
             "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  int ring[19];\n#pragma unroll\n"
             "  for (int k = 0; k < 19; ++k) ring[k] = in[i + k];\n"
             "  int at = 0;\n"
             "  for (int j = 0; j < n; ++j) {\n"
             "    int next = at + 1;\n"
             "    if (next >= 19) next -= 19;\n"
             "    ring[at] = ring[at] * 5 ^ ring[next];\n"
             "    at = next;\n"
             "    out[i + j * 4096] = ring[at];\n"
             "  }\n}\n"
             "void run(int *a, int n) { k<<<4096, 256>>>(a, a, n); }\n");
  EXPECT_THAT(out, AllOf(HasSubstr("[dynamic-local-array]"),
                         Not(HasSubstr("template parameter"))));
}

// 'for (i = p.degree; i >= 0; --i)': an unrolled loop has to ask for the start,
// and not for the 0.
TEST_F(ArrayCure, ALoopThatCountsDownIsGuardedByItsStart) {
  EXPECT_EQ(cureOfCountDown(varying("what its own array 'p' holds")),
            "loop over the whole array under '#pragma unroll', with a "
            "condition on the counter's first value in the body");
}

// 'for (i = threadIdx.x; i < n; i += blockDim.x) sums[k++] += a[i];', as in
// HEonGPU: with a constant 'n' alone the loop would stay one.
TEST_F(ArrayCure, TheBoundOfADividedLoopIsNotToBeAConstant) {
  kernel.arrays.push_back(
      {"sums", {"/k.cu", 5, 3}, 8, "int[2]", "", false, {}});
  const auto cureOf = [&](ValueId first, ValueId step) {
    const Counted loop = countedLoop(first, argument("n"), step);
    kernel.loops[loop.loop].boundText = "n";
    const ValueId count = graph.carried(loop.loop, 64, false);
    graph.setCarried(count, number(0), add(count, number(1)));
    Access &one = access(element(object("sums", Space::Local, 8), count, 4), 4,
                         Operation::Load, Space::Local);
    one.array = 0;
    one.loops = {loop.loop};
    return arrayCure(kernel, 0, one, *whyNotKnown(kernel, one.address));
  };
  EXPECT_EQ(cureOf(thread(), graph.special(Op::BlockSize, 0, 64)),
            "loop over the whole array under '#pragma unroll', with a "
            "condition on 'n' in the body");
  EXPECT_EQ(cureOf(number(0), number(1)),
            "make 'n' a template parameter of the kernel");
}

TEST_F(ArrayCure, AStartWithoutANameHasNoRemedy) {
  EXPECT_EQ(cureOfCountDown(varying("")), "");
}
