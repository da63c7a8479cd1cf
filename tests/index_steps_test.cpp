// How far addresses move, of kernels as users write them.
#include "cost/index_steps.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The steps of the first load of the first kernel.
struct IndexStepsOf : testing::Test {
  SourceModel model;
  IndexSteps load(const std::string &text) {
    model = readText(text);
    if (model.kernels.empty())
      return {};
    const Kernel &kernel = model.kernels[0];
    const CostedKernel costs = costed(kernel);
    for (unsigned i = 0; i < kernel.accesses.size(); ++i)
      if (kernel.accesses[i].operation == Operation::Load)
        return indexSteps(costs, costs.shapes[0], i);
    ADD_FAILURE() << "no load";
    return {};
  }
};

} // namespace

TEST_F(IndexStepsOf, EachDimensionOfTheBlockHasItsStep) {
  const IndexSteps steps =
      load("__global__ void k(const float *in, float *out) {\n"
           "  int row = blockIdx.x * 32 + threadIdx.x;\n"
           "  int column = blockIdx.y * 8 + threadIdx.y;\n"
           "  out[row] = in[row * 1024 + column];\n"
           "}\n"
           "void run(float *a) { k<<<dim3(8, 8), dim3(32, 8)>>>(a, a); }\n");
  EXPECT_EQ(steps.thread[0], 4096);
  EXPECT_EQ(steps.thread[1], 4);
  EXPECT_FALSE(steps.thread[2]);
}

TEST_F(IndexStepsOf, EachLoopHasItsStep) {
  const IndexSteps steps =
      load("__global__ void k(const float *in, float *out, int n) {\n"
           "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  float sum = 0;\n"
           "  for (int i = 0; i < n; ++i)\n"
           "    for (int j = 0; j < 100; ++j)\n"
           "      sum += in[i * 7000 + row * 100 + j];\n"
           "  out[row] = sum;\n"
           "}\n"
           "void run(float *a, int n) { k<<<8, 128>>>(a, a, n); }\n");
  EXPECT_EQ(steps.thread[0], 400);
  ASSERT_EQ(steps.loops.size(), 2u);
  EXPECT_EQ(steps.loops[0].bytes, 28000);
  EXPECT_EQ(steps.loops[1].bytes, 4);
}

// A size that no launch gives is no distance.
TEST_F(IndexStepsOf, StepsThatDependOnASizeAreUnknown) {
  const IndexSteps steps =
      load("__global__ void k(const float *in, float *out, int ld) {\n"
           "  out[threadIdx.x] = in[threadIdx.x * ld];\n"
           "}\n");
  EXPECT_FALSE(steps.thread[0]);
}

// One block for each channel, whose values lie side by side.
TEST_F(IndexStepsOf, EachDimensionOfTheGridHasItsStep) {
  const IndexSteps steps =
      load("__global__ void k(const float *in, float *out, int n) {\n"
           "  float sum = 0;\n"
           "  for (int i = threadIdx.x; i < n; i += 128)\n"
           "    sum += in[(blockIdx.y * n + i) * 48 + blockIdx.x];\n"
           "  out[threadIdx.x] = sum;\n"
           "}\n"
           "void run(float *a, int n) { k<<<dim3(48, 2), 128>>>(a, a, n); }\n");
  EXPECT_EQ(steps.thread[0], 192);
  EXPECT_EQ(steps.block[0], 4);
  EXPECT_FALSE(steps.block[1]); // 'n' decides
  EXPECT_EQ(steps.block[2], 0);
}

TEST(IndexSteps, ALoadOfWhatAnEarlierIterationStoredIsSeen) {
  auto isSeen = [](const std::string &stored, const std::string &loaded) {
    SourceModel model =
        readText("__global__ void k(float *x, int n) {\n"
                 "  int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  for (int j = 2; j < n; ++j)\n"
                 "    x[" +
                 stored + "] = 2 * x[" + loaded +
                 "];\n"
                 "}\n");
    const Kernel &kernel = model.kernels.at(0);
    const CostedKernel costs = costed(kernel);
    const Access *store = nullptr, *load = nullptr;
    for (const Access &access : kernel.accesses)
      (access.operation == Operation::Load ? load : store) = &access;
    return loadsWhatItStored(costs, costs.shapes[0], *store, *load, 0);
  };
  EXPECT_TRUE(isSeen("row * 1000 + j", "row * 1000 + j - 1"));
  EXPECT_TRUE(isSeen("j * n + row", "(j - 2) * n + row"));
  EXPECT_FALSE(isSeen("row * 1000 + j", "row * 1000 + j + 1"));
  EXPECT_FALSE(isSeen("row * 1000 + j", "j * 1000 + row"));
}
