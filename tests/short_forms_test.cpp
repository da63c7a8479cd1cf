// What a command's flags shorten.
#include "cost/load_ahead.h"
#include "ir/short_forms.h"
#include "read_text.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The operations with a slow path: that the loop waits for.
unsigned slowPaths(const std::string &expression,
                   std::vector<std::string> flags) {
  const SourceModel model =
      readText("extern \"C\" __device__ float __nv_sqrtf(float);\n"
               "extern \"C\" __device__ float __nv_sinf(float);\n"
               "extern \"C\" __device__ float __nv_fsqrt_rn(float);\n"
               "__global__ void k(const float *a, float *out, float e) {\n"
               "  out[threadIdx.x] = " +
                   expression + ";\n}\n",
               false, std::move(flags));
  const Kernel &kernel = model.kernels.at(0);
  return llvm::count_if(kernel.operations, [&](const Computation &operation) {
    return hasSlowPath(kernel, operation);
  });
}

} // namespace

TEST(ShortForms, FastMathShortensAllThree) {
  const std::string all = "e / a[0] + __nv_sqrtf(a[1]) + __nv_sinf(a[2])";
  EXPECT_EQ(slowPaths(all, {}), 3u);
  EXPECT_EQ(slowPaths(all, {"-use_fast_math"}), 0u);
}

TEST(ShortForms, EachPartShortensItsOwn) {
  const std::string all = "e / a[0] + __nv_sqrtf(a[1]) + __nv_sinf(a[2])";
  EXPECT_EQ(slowPaths(all, {"-prec-div=false"}), 2u);
  EXPECT_EQ(slowPaths(all, {"--prec-sqrt", "false"}), 2u);
  EXPECT_EQ(slowPaths(all, {"-prec-div=true"}), 3u);
}

TEST(ShortForms, WhatAsksForAnExactResultStaysExact) {
  EXPECT_EQ(slowPaths("__nv_fsqrt_rn(a[0])", {"-use_fast_math"}), 1u);
  EXPECT_EQ(slowPaths("double(e) / a[0]", {"-use_fast_math"}), 1u);
}

// A GELU of an element took 27 instructions, where nvcc makes 10.
TEST(ShortForms, FastMathMakesTangentsAndPowersOfTwoOneInstruction) {
  for (const char *name : {"__nv_tanhf", "__nv_exp2f"}) {
    const SourceModel model =
        readText("extern \"C\" __device__ float " + std::string(name) +
                     "(float);\n__global__ void k(float *a) { a[0] = " + name +
                     "(a[1]); }\n",
                 false, {"-use_fast_math"});
    EXPECT_TRUE(
        llvm::any_of(model.kernels.at(0).operations,
                     [](const Computation &one) { return one.isApproximate; }))
        << name;
  }
}
