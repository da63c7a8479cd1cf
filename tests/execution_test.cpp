// PTX executed on symbols: what a kernel stores, and where that is unknown.
#include "fixes/same_stores.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

constexpr const char *header =
    ".version 8.0\n.target sm_80\n.address_size 64\n";

std::string ptxOf(const std::string &body) {
  return std::string(header) +
         ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .b64 %rd<9>;"
         "\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .pred %p<9>;\n"
         "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n" +
         body + "ret;\n}\n";
}

Sameness compare(const std::string &before, const std::string &after) {
  return compareStores(ptxOf(before), ptxOf(after),
                       ComparedKernel{"k", "k", Shape{32}})
      .result;
}

TEST(Execution, TheOrderOfASumIsSeen) {
  const std::string load = "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, "
                           "[%rd1+4];\nld.global.f32 %f3, [%rd1+8];\n";
  EXPECT_EQ(compare(load + "add.f32 %f4, %f1, %f2;\nadd.f32 %f4, %f4, "
                           "%f3;\nst.global.f32 [%rd1+12], %f4;\n",
                    load + "add.f32 %f4, %f2, %f3;\nadd.f32 %f4, %f4, "
                           "%f1;\nst.global.f32 [%rd1+12], %f4;\n"),
            Sameness::Differs);
}

TEST(Execution, AStoreThatIsAddedOrMissingIsSeen) {
  EXPECT_EQ(compare("st.global.u32 [%rd1], %r1;\n",
                    "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], "
                    "%r1;\n"),
            Sameness::Differs);
  EXPECT_EQ(compare("st.global.u32 [%rd1], %r1;\n",
                    "setp.eq.s32 %p1, %r1, 0;\n@%p1 ret;\nst.global.u32 "
                    "[%rd1], %r1;\n"),
            Sameness::Differs);
}

TEST(Execution, WhatIsNotExecutedIsUnknown) {
  EXPECT_EQ(compare("mov.u32 %r2, %clock;\nst.global.u32 [%rd1], %r2;\n",
                    "mov.u32 %r2, %clock;\nst.global.u32 [%rd1+4], %r2;\n"),
            Sameness::Unknown);
  EXPECT_EQ(compare("add.u32 %r2, %r1, 1;\n", "add.u32 %r2, %r1, 2;\n"),
            Sameness::Same)
      << "dead code leaves no difference";
}

TEST(Execution, AnEndlessLoopEnds) {
  EXPECT_EQ(compare("$L:\nst.global.u32 [%rd1], %r1;\nbra $L;\n",
                    "$L:\nst.global.u32 [%rd1+4], %r1;\nbra $L;\n"),
            Sameness::Unknown);
}

} // namespace
