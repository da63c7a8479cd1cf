// A source as a model: the kernels that were read, and those that were not.
#include "read_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

TEST(Read, AKernelWithAnErrorIsNamedAndTheOthersAreRead) {
  const SourceModel model =
      readText("__global__ void good(int *x) { x[threadIdx.x] = 1; }\n"
               "__global__ void bad(int *x) { x[threadIdx.x] = nowhere; }\n");
  ASSERT_EQ(model.kernels.size(), 1u);
  EXPECT_EQ(model.kernels[0].name, "good");
  ASSERT_EQ(model.outline.notRead.size(), 1u);
  EXPECT_EQ(model.outline.notRead[0].name, "bad");
  EXPECT_EQ(model.outline.notRead[0].place.line, 2u);
  EXPECT_THAT(model.outline.notRead[0].error.text, HasSubstr("'nowhere'"));
}

// Of the instances of a template, one alone would be named twice.
TEST(Read, KernelsOfOneNameAreToldApart) {
  const SourceModel model = readText(
      "template <class F> __global__ void k(int *x, F f) { f(x); }\n"
      "template <class T> void run(int *x) {\n"
      "  k<<<1, 32>>>(x, [] __device__ (int *p) { p[threadIdx.x] = T(1); });\n"
      "}\n"
      "void all(int *x) { run<int>(x); run<char>(x); }\n");
  std::vector<std::string> names;
  for (const Kernel &kernel : model.kernels)
    names.push_back(kernel.name);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_NE(names[0], names[1]);
}

TEST(Read, TheOutlineHasTheKernelsThatAreSet) {
  SourceModel model = readText("__global__ void k(int *x) { *x = 1; }\n"
                               "__global__ void l(int *x) { *x = 2; }\n");
  std::vector<Kernel> one{model.kernels.at(1)};
  setKernels(model, std::move(one));
  ASSERT_EQ(model.outline.kernels.size(), 1u);
  EXPECT_EQ(model.outline.kernels[0].name, model.kernels[0].name);
}
