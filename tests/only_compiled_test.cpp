// Kernels that nvcc compiles and that the reader of the source does not see.
#include "program_runs.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(OnlyCompiled, KernelsThatOnlyNvccSeesAreNamed) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels that Clang does not see are not tested";
  InputFolder folder;
  const std::string part = folder.write(
      "part.cu",
      "__global__ void seen(float *p) { p[threadIdx.x] = 1; }\n"
      "#ifndef __clang__\n"
      "template <int n> __global__ void hidden(float *p) { p[n] = 1; }\n"
      "void run(float *p) { hidden<3><<<1, 32>>>(p); }\n"
      "#endif\n");
  const std::string none = folder.write(
      "none.cu", "#ifndef __clang__\n"
                 "static __global__ void hidden(float *p) { p[0] = 1; }\n"
                 "void run(float *p) { hidden<<<1, 32>>>(p); }\n"
                 "#endif\n");
  for (const char *format :
       {"text", "json", "sarif", "github", "markdown", "html", "junit"}) {
    Outcome outcome = runProgram({"check", part, none, "--format", format});
    EXPECT_THAT(outcome.out, HasSubstr("hidden")) << format;
    EXPECT_THAT(outcome.out, HasSubstr("the compiler made it")) << format;
  }
  EXPECT_THAT(runProgram({"check", none}).out, HasSubstr("kernel 'hidden'"));
  EXPECT_THAT(runProgram({"check", "--no-judge", part}).out,
              testing::Not(HasSubstr("hidden")));
}

// Clang does not read the host code of libraries, which launches some.
TEST(OnlyCompiled, ALibrarysOwnKernelsAreNotMissed) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels of libraries are not tested";
  InputFolder folder;
  Outcome outcome = runProgram(
      {"check", folder.write("a.cu", "#include <thrust/device_vector.h>\n"
                                     "#include <thrust/sort.h>\n"
                                     "__global__ void mine(float *p) "
                                     "{ p[threadIdx.x * 32] = 1; }\n"
                                     "int main() {\n"
                                     "  thrust::device_vector<int> v(9);\n"
                                     "  thrust::sort(v.begin(), v.end());\n"
                                     "}\n")});
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("not read")));
}

// -rdc=true compiles device functions by themselves, and those of the compiler.
TEST(OnlyCompiled, FunctionsAreNoKernels) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: -rdc=true is not tested";
  InputFolder folder;
  const std::string source = folder.write(
      "a.cu", "__device__ __noinline__ long quotient(long a, long b) "
              "{ return a / b; }\n"
              "extern \"C\" __device__ void other(float *p, long a, long b) "
              "{ p[quotient(a, b)] = 2; }\n"
              "__global__ void mine(float *p, long a, long b) "
              "{ p[quotient(a, b)] = 1; }\n");
  EXPECT_THAT(runProgram({"check", source, "--", "-rdc=true"}).out,
              testing::Not(HasSubstr("not read")));
}

TEST(OnlyCompiled, DeviceFunctionsWithoutAKernelAreNoted) {
  InputFolder folder;
  const std::string twice =
      "__device__ float twice(float x) { return 2 * x; }\n";
  EXPECT_THAT(checkOnly(folder.write("a.cu", twice)).out,
              HasSubstr("a.cu has device functions and no kernel"));
  EXPECT_THAT(
      checkOnly(folder.write("b.cu", "#include \"a.cu\"\nint f();\n")).out,
      testing::Not(HasSubstr("device functions")));
  EXPECT_THAT(checkOnly(folder.write("c.cu", twice + clean)).out,
              testing::Not(HasSubstr("device functions")));
}

} // namespace
