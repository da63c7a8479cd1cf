#include "nvcc.h"
#include "shortened.h"
#include "test_paths.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include <random>
#include <regex>

using namespace warplint;
using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace {

// The source's own device code is never removed, used or not.
TEST(Shorten, TheSourcesDeviceCodeStays) {
  const std::string own =
      "static __attribute__((device)) int unused(int x) { return x; }\n"
      "struct Never { __attribute__((device)) int a(); };\n"
      "template <class T> __attribute__((device)) T twice(T x) { return x; }";
  EXPECT_THAT(shortened("int a();", own), HasSubstr(own));
  EXPECT_THAT(shortened("# 1 \"my.h\" 1\n" + own), HasSubstr(own));
}

// nvcc finds the toolkit's headers by -I, so they have no mark.
TEST(Shorten, TheCallerRecognisesTheToolkitsHeaders) {
  const std::string text = "# 1 \"/toolkit/x.h\" 1\nint toolkits;\n"
                           "# 1 \"/home/x.h\" 1\n" +
                           ofDevice("int mine;\n");
  EXPECT_THAT(shortened(text), Not(HasSubstr("toolkits")));
  EXPECT_THAT(shortened(text), HasSubstr("mine"));
}

// Findings and stack frames are reported by line.
TEST(Shorten, LinesAreKept) {
  const std::string text = shortened(
      "# 1 \"a.h\" 1 3\nint one;\nint two;\n\nint four(\n  int);\nint six;\n"
      "# 40 \"k.cu\" 2\n" +
      ofDevice("int k() { return six + four(0); }\n"));
  EXPECT_THAT(text,
              HasSubstr("# 4 \"a.h\" 3\nint four(\n  int);\nint six;\n"
                        "# 40 \"k.cu\"\n__attribute__((device)) int k()"));
}

// This is known of some releases of nvcc only.
TEST(Shorten, HostCodeStaysIfAsked) {
  const std::string host = "int main() { return used(1); }";
  const std::string text = shorten(
      "# 1 \"k.cu\"\n# 1 \"/lib/header.h\" 1 3\nint used(int);\n"
      "int unused(int);\n# 2 \"k.cu\" 2\n" +
          host + "\n",
      [](StringRef) { return false; }, /*keepsHostCode=*/true);
  EXPECT_THAT(text, HasSubstr(host));
  EXPECT_THAT(text, HasSubstr("int used(int);"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
}

TEST(Shorten, PlacesAreKeptBehindHostCode) {
  EXPECT_THAT(
      shortened("", "int main() {\n  f();\n}\n"
                    "int g() {\n} __attribute__((global)) void k() {}\n"
                    "void h() {}\n#pragma unroll\n"
                    "namespace n {\nint x;\n\t__attribute__((device)) int y;}"),
      testing::AllOf(
          HasSubstr("# 2 \"k.cu\"\nint main() {\n# 4 \"k.cu\"\n}"),
          HasSubstr("# 6 \"k.cu\"\n  __attribute__((global)) void k() {}"),
          HasSubstr("# 8 \"k.cu\"\n#pragma unroll\nnamespace n {"),
          HasSubstr("# 11 \"k.cu\"\n\t__attribute__((device)) int y;")));
}

// The text that a source was compiled from decides whether its cached result
// counts.
TEST(Shorten, EachFileOfTheTextIsNamedOnce) {
  EXPECT_THAT(filesIn("# 0 \"k.cu\"\n# 1 \"a.h\" 1 3\nint a;\n"
                      "#pragma once\n# 2 \"k.cu\" 2\nint k;\n"),
              testing::ElementsAre("k.cu", "a.h"));
}

// nvcc reports what is wrong with it.
TEST(Shorten, BrokenTextDoesNotCrash) {
  for (StringRef text : {"",
                         "\n",
                         "# 1",
                         "# 1 \"x\" 3",
                         "}",
                         "{",
                         "(",
                         "operator",
                         "operator\"\"",
                         "template",
                         "template <",
                         "template <class T",
                         "# 1 \"x\" 3\n>>::f(",
                         "# 1 \"x\" 3\nA>::f() {",
                         "# 1 \"x\" 3\n{ operator",
                         "extern \"C\"",
                         "namespace",
                         "# 1 \"x\" 3\nauto for (",
                         "R\"(",
                         "'",
                         "\"\\"})
    shortened(text);
  const std::string text =
      readFile(WARPLINT_SOURCE_DIR
               "/linter/source/shim/minimal/warplint_cuda_minimal.h");
  ASSERT_GT(text.size(), 1000u);
  std::minstd_rand random(1);
  for (int i = 0; i < 300; ++i) {
    const size_t from = random() % text.size();
    shortened("# 1 \"x\" 1 3\n" + text.substr(from, random() % 3000));
  }
}

/// The code of all functions, without names that depend on a file's hash and
/// without unused variables.
std::string codeOf(const std::string &ptx) {
  static const std::regex hash("_[0-9a-f]{8}(?=_|[0-9])"),
      variables("\n\\.global \\.align 1 \\.b8 _ZN[^\n]*_INTERNAL_[^\n]*"),
      files("\t\\.file[^\n]*"), places("\\.loc\t[0-9]+");
  std::string code = ptx.substr(0, ptx.find(".section"));
  code = std::regex_replace(code, hash, "_");
  code = std::regex_replace(code, variables, "");
  code = std::regex_replace(code, places, ".loc");
  return std::regex_replace(code, files, "");
}

/// Host code that instantiates kernels in many ways, and some that does not.
constexpr char HostCode[] = R"(
#include <algorithm>
#include <iostream>
#include <vector>
__device__ int seen = 3;
static __constant__ float weights[4] = {1, 2, 3, 4};
namespace {
__global__ void hidden(float *p) { p[0] = weights[threadIdx.x & 3] + seen; }
}
static __global__ void unlaunched(float *p) { p[1] = 2; }
template <class T> __global__ void kernel(T *p, T by) { p[threadIdx.x] *= by; }
template <class F> __global__ void each(F f) { f(threadIdx.x); }
template <class T> __device__ T scale = 3;
template <class T> __global__ void scaled(T *p) { *p *= scale<T>; }
template <class T> __host__ __device__ __noinline__ T twice(T x) { return x * 2; }
__global__ void uses(float *p) { *p = twice(*p); }
typedef float (*Reader)(const float *, int);
__device__ float readTwo(const float *in, int i) { return in[2 * i]; }
__device__ Reader chosen = readTwo;
__global__ void called(float *p, Reader reader) { *p = reader(p, 1) + chosen(p, 2); }
struct Shape { __host__ __device__ virtual float area() const { return 1; } };
__global__ void areas(const Shape *s, float *p) { *p = s->area(); }
struct Deep {
  template <class T> void go(T x) { kernel<T><<<1, 32>>>(nullptr, x); }
};
Deep deepest;
Deep *findDeep() { return &deepest; }
void throughAPointer() { auto *deep = findDeep(); deep->go(3L); std::cout << 3; }
struct ForEach { void operator()(short x) const { kernel<<<1, 32>>>((short *)0, x); } };
void throughALibrary(std::vector<short> &all) { std::for_each(all.begin(), all.end(), ForEach()); }
template <class Op> void apply(Op op) { op(1.5); }
struct Anything { template <class T> void operator()(T x) { kernel<T><<<1, 32>>>(0, x); } };
void throughAnArgument() { apply(Anything()); }
void throughALambda(int *p) { each<<<1, 32>>>([=] __device__ (int i) { p[i] = i; }); }
struct Vector { float x, y; };
template <class E> Vector operator%(Vector a, E b) { return a; }
static std::vector<float> ofHost(int n) { return std::vector<float>(n, twice(3)); }
int main() {
  float *p = nullptr;
  hidden<<<1, 32>>>(p);
  cudaMemcpyToSymbol(seen, &p, 4);
  cudaMemcpyToSymbol(weights, &p, 4);
  std::cout << ofHost(3).size() << twice(3.0) << Shape().area() << std::endl;
  scaled<float><<<1, 1>>>(p);
}
)";

// All verdicts depend on this.
TEST(Shorten, NvccMakesTheSameCodeOfIt) {
  const std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: whether its code stays the same is not tested";
  auto scratch = cantFail(Scratch::create());
  auto ptxOf = [&](const std::string &file) {
    const std::string ptx = scratch.path("out.ptx");
    sys::fs::remove(ptx);
    auto exit = cantFail(scratch.run(
        {nvcc, "-arch=sm_90", "-std=c++17", "-lineinfo", "--extended-lambda",
         "--expt-relaxed-constexpr", "-w", "-ptx", file, "-o", ptx},
        scratch.folder().str(), "output", std::chrono::minutes(5)));
    EXPECT_EQ(exit.code, 0) << readFile(scratch.path("output"));
    return readFile(ptx);
  };
  for (const char *name :
       {"kernels/truth/libraries.cu", "kernels/truth/forms.cu",
        "kernels/truth/launches.cu", "kernels/register-spill.cu", ""}) {
    std::string source = std::string(WARPLINT_SOURCE_DIR "/") + name;
    if (StringRef(name).empty()) {
      source = scratch.path("host.cu");
      writeFile(source, HostCode);
    }
    const std::string file = scratch.path("k.cup");
    auto exit = cantFail(
        scratch.run({nvcc, "-arch=sm_90", "-std=c++17", "--extended-lambda",
                     "--expt-relaxed-constexpr", "-E", source, "-o", file},
                    scratch.folder().str(), "output", std::chrono::minutes(5)));
    ASSERT_EQ(exit.code, 0) << readFile(scratch.path("output"));
    const std::string text = readFile(file);
    const std::string whole = ptxOf(file);
    const std::string rest = shorten(
        text, [](StringRef path) { return path.contains("/include/"); });
    EXPECT_LT(rest.size(), text.size() * 3 / 4) << name;
    writeFile(file, rest);
    EXPECT_EQ(codeOf(ptxOf(file)), codeOf(whole)) << name;
  }
}

} // namespace
