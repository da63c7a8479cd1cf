// Two versions of a kernel's PTX that store the same bits, whatever floats they
// load, or that may not.
#include "fixes/same_bits.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// A kernel as nvcc writes it, with this code between its load of '%f1' and the
/// store of '%f2'.
std::string kernel(const std::string &code) {
  return R"(.version 8.8
.target sm_90
.address_size 64
.visible .entry k(
	.param .u64 k_param_0,
	.param .u64 k_param_1,
	.param .f32 k_param_2
)
{
	.reg .pred 	%p<4>;
	.reg .f32 	%f<8>;
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<8>;
	.reg .f64 	%fd<8>;
	ld.param.u64 	%rd1, [k_param_0];
	ld.param.u64 	%rd2, [k_param_1];
	ld.param.f32 	%f7, [k_param_2];
	cvta.to.global.u64 	%rd3, %rd1;
	cvta.to.global.u64 	%rd4, %rd2;
	mov.u32 	%r1, %tid.x;
	mul.wide.s32 	%rd5, %r1, 4;
	add.s64 	%rd6, %rd4, %rd5;
	ld.global.f32 	%f1, [%rd6];
)" + code +
         R"(
	add.s64 	%rd7, %rd3, %rd5;
	st.global.f32 	[%rd7], %f2;
	ret;
}
)";
}

bool areSame(const std::string &before, const std::string &after) {
  return haveSameBits(kernel(before), kernel(after), {{"k", "k", {64, 1, 1}}});
}

const std::string maximum = R"(
	cvt.f64.f32 	%fd1, %f1;
	mov.f64 	%fd2, 0d0000000000000000;
	max.f64 	%fd3, %fd1, %fd2;
	cvt.rn.f32.f64 	%f2, %fd3;
)";

} // namespace

TEST(SameBits, AFunctionOfOneFloatIsTriedForAll) {
  EXPECT_TRUE(areSame(maximum, R"(
	mov.f32 	%f3, 0f00000000;
	max.f32 	%f2, %f1, %f3;
)"));
  EXPECT_FALSE(areSame(maximum, R"(
	mov.f32 	%f3, 0f00000001;
	max.f32 	%f2, %f1, %f3;
)"));
}

// The largest part that differs is a function of one float, what is around it
// the same.
TEST(SameBits, WhatIsAroundTheFunctionMayBeAnything) {
  auto scaled = [](const std::string &code) {
    return code + "	mul.f32 	%f2, %f4, %f7;\n";
  };
  EXPECT_TRUE(areSame(scaled(R"(
	cvt.f64.f32 	%fd1, %f1;
	fma.rn.f64 	%fd2, %fd1, 0d3FE0000000000000, 0d0000000000000000;
	cvt.rn.f32.f64 	%f4, %fd2;
)"),
                      scaled("	fma.rn.f32 	%f4, %f1, 0f3F000000, "
                             "0f00000000;\n")));
  EXPECT_FALSE(areSame(R"(
	cvt.f64.f32 	%fd1, %f1;
	cvt.f64.f32 	%fd2, %f7;
	mul.f64 	%fd3, %fd1, %fd2;
	cvt.rn.f32.f64 	%f2, %fd3;
)",
                       "	mul.f32 	%f2, %f1, %f7;\n"))
      << "a function of two, if the same one";
}

// Of an unrolled loop, each copy of the body is tried by itself.
TEST(SameBits, FunctionsOfWhatIsTheSameAreTriedApart) {
  std::string before, after;
  for (int copy = 0; copy < 4; ++copy) {
    const std::string damp = "	fma.rn.f32 	%f5, %f1, 0f3F000000, "
                             "0fBE000000;\n";
    before += damp + "	cvt.f64.f32 	%fd1, %f5;\n"
                     "	add.f64 	%fd1, %fd1, %fd1;\n"
                     "	cvt.rn.f32.f64 	%f1, %fd1;\n";
    after += damp + "	add.f32 	%f1, %f5, %f5;\n";
  }
  const std::string move = "	mov.f32 	%f2, %f1;\n";
  EXPECT_TRUE(areSame(before + move, after + move));
}

TEST(SameBits, WhatTheDeviceComputesInItsOwnWayIsNotTried) {
  for (const char *function : {"	max.ftz.f32 	%f2, %f1, %f3;\n",
                               "	max.f32 	%f4, %f1, "
                               "%f3;\n	ex2.approx.f32 	%f2, %f4;\n"})
    EXPECT_FALSE(areSame(maximum, "	mov.f32 	%f3, 0f00000000;\n" +
                                      std::string(function)));
}

TEST(SameBits, OtherEffectsAreOthers) {
  const std::string move = "	mov.f32 	%f2, %f1;\n";
  EXPECT_TRUE(areSame(move, move));
  EXPECT_FALSE(areSame(move, move + "	st.global.f32 	[%rd6], %f1;\n"));
  EXPECT_FALSE(areSame(move, move + "	bar.sync 	0;\n"));
  EXPECT_FALSE(areSame(move + "	st.global.f32 	[%rd6], %f1;\n",
                       move + "	st.global.f32 	[%rd6], %f7;\n"));
  EXPECT_FALSE(areSame(move + "	st.global.f32 	[%rd6], %f1;\n",
                       move + "	st.global.f32 	[%rd6+4], %f1;\n"));
}

// The sum that a loop carries is compared with itself.
TEST(SameBits, LoopsAreComparedOverTheirIterations) {
  auto loop = [](const char *step) {
    return std::string(R"(
	mov.f32 	%f2, 0f00000000;
	mov.u32 	%r2, 0;
$L__loop:
)") + step +
           R"(
	add.s32 	%r2, %r2, 1;
	setp.lt.s32 	%p1, %r2, %r1;
	@%p1 bra 	$L__loop;
)";
  };
  EXPECT_TRUE(areSame(loop("	add.f32 	%f2, %f2, %f1;\n"),
                      loop("	add.f32 	%f2, %f2, %f1;\n")));
  EXPECT_FALSE(areSame(loop("	add.f32 	%f2, %f2, %f1;\n"),
                       loop("	sub.f32 	%f2, %f2, %f1;\n")));
  EXPECT_FALSE(areSame(loop("	add.f32 	%f2, %f2, %f1;\n"),
                       loop("	add.f32 	%f2, %f1, %f7;\n")));
}
