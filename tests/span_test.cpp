// How much memory a launch's load spans.
#include "cost/span.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

struct SpanOf : testing::Test {
  /// Of the load from 'x'.
  std::optional<double> span(const std::string &body,
                             const std::string &size = "25600") {
    model = readText("__global__ void k(float *out, const float *x, int c, "
                     "int n) {\n"
                     "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                     body +
                     "\n}\nvoid run(float *out, const float *x, int size) {\n"
                     "  k<<<100, 256>>>(out, x, 1000, " +
                     size + ");\n}\n");
    const Kernel &kernel = model.kernels.at(0);
    const KernelShape &shape = kernel.shapes.at(0);
    Frequencies frequencies(kernel, shape);
    for (const Access &access : kernel.accesses)
      if (access.object == "x")
        return spanOf(kernel, shape, access, frequencies);
    ADD_FAILURE() << "no load";
    return std::nullopt;
  }
  SourceModel model;
};

} // namespace

TEST_F(SpanOf, WithoutADivisionEachThreadHasItsElements) {
  EXPECT_EQ(span("out[i] = x[i];"), std::nullopt);
  EXPECT_EQ(span("out[i] = x[(i / 2) * 4 + 7];"), 12799 * 16 + 4);
}

TEST_F(SpanOf, BlocksThatReadTheSameAreOne) {
  EXPECT_EQ(span("out[i] = x[threadIdx.x];"), 256 * 4);
  EXPECT_EQ(span("out[i] = x[threadIdx.x];", "size"), 256 * 4) << "no grid";
  EXPECT_EQ(span("for (int j = 0; j < 1000; ++j) out[i + j] = x[j * 3];"),
            (999 * 3 + 1) * 4)
      << "many iterations";
}

// The first block alone spanned 4 bytes, which L1 of each SM seemed to hold.
TEST_F(SpanOf, AConditionLetsOtherBlocksSeeMore) {
  const std::string triangle = "for (int j = 0; j < 40; ++j) if (j <= "
                               "blockIdx.x) out[i + j] = x[j * 3];";
  EXPECT_EQ(span(triangle), (39 * 3 + 1) * 4);
  EXPECT_EQ(span(triangle, "size"), std::nullopt) << "no grid";
}

TEST_F(SpanOf, ARemainderWraps) {
  const std::optional<double> wrapped = span("out[i] = x[i % c];");
  ASSERT_TRUE(wrapped);
  EXPECT_LE(*wrapped, 4000);
  EXPECT_GE(*wrapped, 3000);
  EXPECT_EQ(span("out[i] = x[i / c];"), 26 * 4);
}

TEST_F(SpanOf, LoopsMoveIt) {
  EXPECT_EQ(span("for (int j = 0; j < 10; ++j) out[i + j] = x[j * n + i / 8];"),
            (9 * 25600 + 3200) * 4);
  const std::optional<double> wrapped =
      span("for (int j = i; j < 10 * n; j += n) out[j] = x[j % c];");
  ASSERT_TRUE(wrapped);
  EXPECT_LE(*wrapped, 4000);
  EXPECT_GE(*wrapped, 3000);
}

TEST_F(SpanOf, WhatIsUnknownSpansAnything) {
  EXPECT_EQ(span("out[i] = x[i % c];", "size"), std::nullopt) << "no grid";
  EXPECT_EQ(span("out[i] = x[int(out[i])];"), std::nullopt) << "data";
  EXPECT_EQ(
      span("for (int j = 0; j < 1000; ++j) out[i + j] = x[j * n + i / 8];"),
      std::nullopt)
      << "many iterations";
}

} // namespace warplint
