#include "findings/check.h"
#include "findings/judge.h"
#include "model_builder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

// The PTX of nvcc 13.0 with -ptx -arch=sm_90 -lineinfo (-Xcicc -O1, which
// leaves loops as they are), for /src/k.cu.

// static __global__ void stride(const float *a, float *out) {
//   out[threadIdx.x] = a[threadIdx.x * 8];
// }
const char *const stridePtx = R"(.version 9.0
.target sm_90
.address_size 64
.entry _Z6stridePKfPf(
	.param .u64 _Z6stridePKfPf_param_0,
	.param .u64 _Z6stridePKfPf_param_1
)
{
	.reg .f32 	%f<2>;
	.reg .b32 	%r<3>;
	.reg .b64 	%rd<9>;
	.loc	1 1 0
	ld.param.u64 	%rd1, [_Z6stridePKfPf_param_0];
	ld.param.u64 	%rd2, [_Z6stridePKfPf_param_1];
	.loc	1 2 3
	cvta.to.global.u64 	%rd3, %rd2;
	cvta.to.global.u64 	%rd4, %rd1;
	mov.u32 	%r1, %tid.x;
	shl.b32 	%r2, %r1, 3;
	mul.wide.u32 	%rd5, %r2, 4;
	add.s64 	%rd6, %rd4, %rd5;
	ld.global.f32 	%f1, [%rd6];
	mul.wide.u32 	%rd7, %r1, 4;
	add.s64 	%rd8, %rd3, %rd7;
	st.global.f32 	[%rd8], %f1;
	.loc	1 3 1
	ret;
}
	.file	1 "/src/k.cu"
)";

// namespace {
// __global__ void near(const float *a, float *out) {
//   out[threadIdx.x] = a[threadIdx.x];
// }
const char *const nearPtx = R"(.version 9.0
.target sm_90
.address_size 64
.entry _ZN35_GLOBAL__N__c40ccbb4_4_n_cu__Z2goPf4nearEPKfPf(
	.param .u64 _ZN35_GLOBAL__N__c40ccbb4_4_n_cu__Z2goPf4nearEPKfPf_param_0,
	.param .u64 _ZN35_GLOBAL__N__c40ccbb4_4_n_cu__Z2goPf4nearEPKfPf_param_1
)
{
	.reg .f32 	%f<2>;
	.reg .b32 	%r<2>;
	.reg .b64 	%rd<8>;
	.loc	1 2 0
	ld.param.u64 	%rd1, [_ZN35_GLOBAL__N__c40ccbb4_4_n_cu__Z2goPf4nearEPKfPf_param_0];
	ld.param.u64 	%rd2, [_ZN35_GLOBAL__N__c40ccbb4_4_n_cu__Z2goPf4nearEPKfPf_param_1];
	.loc	1 3 3
	cvta.to.global.u64 	%rd3, %rd2;
	cvta.to.global.u64 	%rd4, %rd1;
	mov.u32 	%r1, %tid.x;
	mul.wide.u32 	%rd5, %r1, 4;
	add.s64 	%rd6, %rd4, %rd5;
	ld.global.f32 	%f1, [%rd6];
	add.s64 	%rd7, %rd3, %rd5;
	st.global.f32 	[%rd7], %f1;
	.loc	1 4 1
	ret;
}
	.file	1 "/src/k.cu"
)";

// __global__ void repeat(const float *a, float *out, int n) {
//   for (int k = 0; k < n; ++k)
//     out[threadIdx.x] += a[k];
// }
const char *const repeatPtx = R"(.version 9.0
.target sm_90
.address_size 64
	// .globl	_Z6repeatPKfPfi
.visible .entry _Z6repeatPKfPfi(
	.param .u64 _Z6repeatPKfPfi_param_0,
	.param .u64 _Z6repeatPKfPfi_param_1,
	.param .u32 _Z6repeatPKfPfi_param_2
)
{
	.reg .pred 	%p<3>;
	.reg .f32 	%f<6>;
	.reg .b32 	%r<7>;
	.reg .b64 	%rd<10>;
	.loc	1 1 0
	ld.param.u64 	%rd5, [_Z6repeatPKfPfi_param_0];
	ld.param.u64 	%rd6, [_Z6repeatPKfPfi_param_1];
	ld.param.u32 	%r3, [_Z6repeatPKfPfi_param_2];
	.loc	1 2 3
	setp.lt.s32 	%p1, %r3, 1;
	@%p1 bra 	$L__BB0_3;
	cvta.to.global.u64 	%rd7, %rd6;
	.loc	1 3 5
	mov.u32 	%r5, %tid.x;
	mul.wide.u32 	%rd8, %r5, 4;
	add.s64 	%rd1, %rd7, %rd8;
	ld.global.f32 	%f5, [%rd1];
	.loc	1 2 3
	cvta.to.global.u64 	%rd9, %rd5;
	mov.u32 	%r6, 0;
$L__BB0_2:
	.loc	1 3 5
	ld.global.f32 	%f4, [%rd9];
	add.f32 	%f5, %f4, %f5;
	st.global.f32 	[%rd1], %f5;
	.loc	1 2 3
	add.s64 	%rd9, %rd9, 4;
	.loc	1 2 26
	add.s32 	%r6, %r6, 1;
	.loc	1 2 3
	setp.lt.s32 	%p2, %r6, %r3;
	@%p2 bra 	$L__BB0_2;
$L__BB0_3:
	.loc	1 4 1
	ret;
}
	.file	1 "/src/k.cu"
)";

// The same with both pointers __restrict__, called `once`.
const char *const oncePtx = R"(.version 9.0
.target sm_90
.address_size 64
	// .globl	_Z4oncePKfPfi
.visible .entry _Z4oncePKfPfi(
	.param .u64 _Z4oncePKfPfi_param_0,
	.param .u64 _Z4oncePKfPfi_param_1,
	.param .u32 _Z4oncePKfPfi_param_2
)
{
	.reg .pred 	%p<3>;
	.reg .f32 	%f<6>;
	.reg .b32 	%r<7>;
	.reg .b64 	%rd<10>;
	.loc	1 1 0
	ld.param.u64 	%rd5, [_Z4oncePKfPfi_param_0];
	ld.param.u64 	%rd6, [_Z4oncePKfPfi_param_1];
	ld.param.u32 	%r3, [_Z4oncePKfPfi_param_2];
	.loc	1 2 3
	setp.lt.s32 	%p1, %r3, 1;
	@%p1 bra 	$L__BB0_4;
	cvta.to.global.u64 	%rd7, %rd6;
	.loc	1 3 5
	mov.u32 	%r5, %tid.x;
	mul.wide.u32 	%rd8, %r5, 4;
	add.s64 	%rd1, %rd7, %rd8;
	ld.global.f32 	%f5, [%rd1];
	.loc	1 2 3
	cvta.to.global.u64 	%rd9, %rd5;
	mov.u32 	%r6, 0;
$L__BB0_2:
	.loc	1 3 5
	ld.global.nc.f32 	%f4, [%rd9];
	add.f32 	%f5, %f4, %f5;
	.loc	1 2 3
	add.s64 	%rd9, %rd9, 4;
	.loc	1 2 26
	add.s32 	%r6, %r6, 1;
	.loc	1 2 3
	setp.lt.s32 	%p2, %r6, %r3;
	@%p2 bra 	$L__BB0_2;
	.loc	1 3 5
	st.global.f32 	[%rd1], %f5;
$L__BB0_4:
	.loc	1 4 1
	ret;
}
	.file	1 "/src/k.cu"
)";

// __global__ void pick(const int *key, int *out) {
//   int t[8] = {};
//   for (int k = 0; k < 8; ++k)
//     t[key[k] & 7] += k;
//   out[0] = t[key[8] & 7];
// }
const char *const pickPtx = R"(.version 9.0
.target sm_90
.address_size 64
	// .globl	_Z4pickPKiPi
.visible .entry _Z4pickPKiPi(
	.param .u64 _Z4pickPKiPi_param_0,
	.param .u64 _Z4pickPKiPi_param_1
)
{
	.local .align 16 .b8 	__local_depot0[32];
	.reg .b64 	%SP;
	.reg .b64 	%SPL;
	.reg .pred 	%p<2>;
	.reg .b32 	%r<8>;
	.reg .b64 	%rd<18>;
	.loc	1 1 0
	mov.u64 	%SPL, __local_depot0;
	ld.param.u64 	%rd6, [_Z4pickPKiPi_param_0];
	ld.param.u64 	%rd5, [_Z4pickPKiPi_param_1];
	cvta.to.global.u64 	%rd1, %rd6;
	.loc	1 2 3
	add.u64 	%rd2, %SPL, 0;
	mov.u32 	%r7, 0;
	st.local.v4.u32 	[%rd2], {%r7, %r7, %r7, %r7};
	st.local.v4.u32 	[%rd2+16], {%r7, %r7, %r7, %r7};
	mov.u64 	%rd17, %rd1;
$L__BB0_1:
	.loc	1 4 5
	ld.global.u32 	%rd8, [%rd17];
	shl.b64 	%rd9, %rd8, 2;
	and.b64  	%rd10, %rd9, 28;
	add.s64 	%rd11, %rd2, %rd10;
	ld.local.u32 	%r4, [%rd11];
	add.s32 	%r5, %r7, %r4;
	st.local.u32 	[%rd11], %r5;
	.loc	1 3 3
	add.s64 	%rd17, %rd17, 4;
	.loc	1 3 26
	add.s32 	%r7, %r7, 1;
	.loc	1 3 3
	setp.ne.s32 	%p1, %r7, 8;
	@%p1 bra 	$L__BB0_1;
	.loc	1 0 3
	cvta.to.global.u64 	%rd12, %rd5;
	.loc	1 5 3
	ld.global.u32 	%rd13, [%rd1+32];
	shl.b64 	%rd14, %rd13, 2;
	and.b64  	%rd15, %rd14, 28;
	add.s64 	%rd16, %rd2, %rd15;
	ld.local.u32 	%r6, [%rd16];
	st.global.u32 	[%rd12], %r6;
	.loc	1 6 1
	ret;
}
	.file	1 "/src/k.cu"
)";

/// One finding in one kernel of one access, to be judged.
class JudgeTest : public testing::Test {
protected:
  /// `subject` 0 is the access or array at `line`.
  JudgeTest &finding(const char *check, const char *mangled, unsigned line,
                     Operation operation) {
    builder.kernel.mangled = mangled;
    builder.kernel.name = "k";
    ValueId index = builder.times(builder.thread(), 8);
    Access &access = builder.access(
        builder.element(builder.object("a"), index, 4), 4, operation);
    access.place = {"/src/k.cu", line, 5};
    Finding finding;
    finding.check = check;
    finding.place = access.place;
    finding.kernels.push_back({"k", mangled, "", {}, 0});
    findings_ = {finding};
    return *this;
  }

  JudgeTest &localArray() {
    finding("dynamic-local-array", "_Z4pickPKiPi", 4, Operation::Load);
    builder.kernel.accesses[0].array = 0;
    builder.kernel.accesses[0].space = Space::Local;
    builder.kernel.arrays.push_back(
        {"t", {"/src/k.cu", 2, 7}, 32, "int[8]", "", false, {}});
    return *this;
  }

  CompiledUnit unit(const char *mangled, std::string ptx,
                    const char *architecture = "sm_90") {
    CompiledUnit result;
    result.architecture = architecture;
    CompiledKernel kernel;
    kernel.usage.kernel = mangled;
    kernel.usage.architecture = architecture;
    kernel.usage.registers = 16;
    result.kernels.push_back(kernel);
    result.ptx = std::move(ptx);
    return result;
  }

  std::vector<FindingKernel> judged(std::vector<CompiledUnit> units,
                                    std::string whyNot = "") {
    std::vector<CostedKernel> kernels{costed(builder.kernel)};
    judge(findings_, kernels, {std::move(units), std::move(whyNot)}, {});
    return findings_[0].kernels;
  }
  /// The findings of a check that reads compiled code alone.
  std::vector<Finding> shown(std::vector<CompiledUnit> units,
                             const Check &check) {
    std::vector<CostedKernel> kernels{costed(builder.kernel)};
    std::vector<Finding> findings;
    judge(findings, kernels, {std::move(units), ""}, {&check});
    return findings;
  }
  Judgement one(CompiledUnit unit) {
    auto kernels = judged({std::move(unit)});
    EXPECT_EQ(kernels.size(), 1u);
    return kernels.empty() ? Judgement() : kernels[0].judgement;
  }

  ModelBuilder builder;

private:
  std::vector<Finding> findings_;
};

// nvcc and Clang mangle a static kernel differently.
TEST_F(JudgeTest, AStrideLeftInThePtxIsConfirmed) {
  finding("strided-global-access", "_ZL6stridePKfPf", 2, Operation::Load);
  Judgement judgement = one(unit("_Z6stridePKfPf", stridePtx));
  EXPECT_EQ(judgement.verdict, Verdict::Confirmed) << judgement.evidence;
  EXPECT_THAT(judgement.evidence, HasSubstr("32 sectors where 4 would do"));
}

TEST_F(JudgeTest, AStrideGoneFromThePtxIsRefuted) {
  finding("strided-global-access", "_ZN12_GLOBAL__N_14nearEPKfPf", 3,
          Operation::Load);
  Judgement judgement =
      one(unit("_ZN35_GLOBAL__N__c40ccbb4_4_n_cu__Z2goPf4nearEPKfPf", nearPtx));
  EXPECT_EQ(judgement.verdict, Verdict::Refuted) << judgement.evidence;
  EXPECT_THAT(judgement.evidence, HasSubstr("touches 4 sectors"));
}

// A source does not show spills; a spilling kernel still has its finding, with
// the architecture that it spills on.
TEST_F(JudgeTest, FindingsOfCompiledCodeAreConfirmed) {
  Check frames;
  frames.info.id = "frames";
  frames.inspect = nullptr;
  frames.judge = nullptr;
  frames.inspectCompiled = [](const CompiledView &view, Findings &findings) {
    if (!view.compiled.usage.stackFrame)
      return;
    EXPECT_TRUE(view.ptx) << "a frame is explained by its PTX";
    findings.add(view.source.kernel.place, {}, "a stack frame", 0)
        .kernels.front()
        .judgement.evidence = "32 bytes";
  };
  builder.kernel.mangled = "_Z4pickPKiPi";
  CompiledUnit with = unit("_Z4pickPKiPi", pickPtx, "sm_90");
  with.kernels[0].usage.stackFrame = 32;
  CompiledUnit without = unit("_Z4pickPKiPi", pickPtx, "sm_80");
  std::vector<Finding> findings = shown({without, with}, frames);
  ASSERT_EQ(findings.size(), 1u);
  const FindingKernel &kernel = findings[0].kernels.front();
  EXPECT_EQ(kernel.architecture, "sm_90");
  EXPECT_EQ(kernel.judgement.verdict, Verdict::Confirmed);
  EXPECT_EQ(kernel.judgement.evidence, "32 bytes");
  // And what does not show it is no less worth knowing.
  ASSERT_EQ(findings[0].kernels.size(), 2u);
  EXPECT_EQ(findings[0].kernels[1].architecture, "sm_80");
  EXPECT_EQ(findings[0].kernels[1].judgement.verdict, Verdict::Refuted);
}

TEST_F(JudgeTest, ARemovedAccessIsRefuted) {
  finding("strided-global-access", "_ZL6stridePKfPf", 2, Operation::Atomic);
  EXPECT_EQ(one(unit("_Z6stridePKfPf", stridePtx)).verdict, Verdict::Refuted);
}

TEST_F(JudgeTest, AStoreLeftInTheLoopIsConfirmed) {
  finding("repeated-global-write", "_Z6repeatPKfPfi", 3, Operation::Store);
  Judgement judgement = one(unit("_Z6repeatPKfPfi", repeatPtx));
  EXPECT_EQ(judgement.verdict, Verdict::Confirmed) << judgement.evidence;
}

TEST_F(JudgeTest, AHoistedStoreIsRefuted) {
  finding("repeated-global-write", "_Z4oncePKfPfi", 3, Operation::Store);
  Judgement judgement = one(unit("_Z4oncePKfPfi", oncePtx));
  EXPECT_EQ(judgement.verdict, Verdict::Refuted) << judgement.evidence;
}

// Four iterations of an unrolled loop, each with a load of the one address.
TEST_F(JudgeTest, LoadsOfOneAddressInAnUnrolledLoopAreConfirmed) {
  finding("repeated-global-read", "_Z4oncePKfPfi", 3, Operation::Load);
  std::string ptx = oncePtx;
  const std::string load = "\tld.global.f32 \t%f5, [%rd1];\n";
  const size_t at = ptx.find(load);
  ASSERT_NE(at, ptx.npos);
  EXPECT_EQ(one(unit("_Z4oncePKfPfi", ptx)).verdict, Verdict::Refuted);
  for (int more = 0; more < 3; ++more)
    ptx.insert(at, load);
  Judgement judgement = one(unit("_Z4oncePKfPfi", ptx));
  EXPECT_EQ(judgement.verdict, Verdict::Confirmed) << judgement.evidence;
  EXPECT_THAT(judgement.evidence, HasSubstr("4 loads of one address"));
}

// The compiler joins neighbours and gives the result one line.
TEST_F(JudgeTest, WhatAWiderAccessMayHoldIsNotGone) {
  finding("strided-global-access", "_Z4oncePKfPfi", 9, Operation::Load);
  builder.kernel.accesses[0].bytes = 1;
  EXPECT_EQ(one(unit("_Z4oncePKfPfi", oncePtx)).verdict, Verdict::Unjudged);
  builder.kernel.accesses[0].bytes = 4;
  Access other = builder.kernel.accesses[0];
  other.place.line = 3;
  builder.kernel.accesses.push_back(other);
  EXPECT_EQ(one(unit("_Z4oncePKfPfi", oncePtx)).verdict, Verdict::Refuted);
}

// nvcc has the store of a statement of several lines on the first of them.
TEST_F(JudgeTest, AStoreMatchesAnyLineOfItsStatement) {
  finding("repeated-global-write", "_Z6repeatPKfPfi", 4, Operation::Store);
  Judgement judgement = one(unit("_Z6repeatPKfPfi", repeatPtx));
  EXPECT_EQ(judgement.verdict, Verdict::Confirmed) << judgement.evidence;
  // The source has another access on that line.
  Access other = builder.kernel.accesses[0];
  other.place.line = 3;
  builder.kernel.accesses.push_back(other);
  judgement = one(unit("_Z6repeatPKfPfi", repeatPtx));
  EXPECT_EQ(judgement.verdict, Verdict::Refuted) << judgement.evidence;
}

TEST_F(JudgeTest, AnArrayWithLocalInstructionsIsConfirmed) {
  localArray();
  CompiledUnit compiled = unit("_Z4pickPKiPi", pickPtx);
  compiled.kernels[0].usage.stackFrame = 32;
  // As the line table has it: the file's name as nvcc was given it.
  compiled.kernels[0].locals = {{.isStore = false, .file = "k.cu", .line = 4},
                                {.isStore = true, .file = "k.cu", .line = 4}};
  Judgement judgement = one(compiled);
  EXPECT_EQ(judgement.verdict, Verdict::Confirmed);
  EXPECT_EQ(judgement.evidence,
            "all 32 bytes of the stack frame are not told apart; 1 local load "
            "and 1 store at line 4; no spills");
}

// A spill at the array's line is not the array: the PTX has no local access.
TEST_F(JudgeTest, ASpillAtItsLineIsNotTheArray) {
  localArray();
  CompiledUnit compiled = unit("_Z4pickPKiPi", pickPtx);
  compiled.kernels[0].usage.stackFrame = 32;
  compiled.kernels[0].locals = {{.isStore = false, .file = "k.cu", .line = 3}};
  EXPECT_EQ(one(compiled).verdict, Verdict::Refuted);
}

TEST_F(JudgeTest, NoStackFrameRefutesAnArray) {
  localArray();
  Judgement judgement = one(unit("_Z4pickPKiPi", pickPtx));
  EXPECT_EQ(judgement.verdict, Verdict::Refuted);
  EXPECT_THAT(judgement.evidence, HasSubstr("no stack frame"));
}

// No report is never taken for a clean one.
TEST_F(JudgeTest, AKernelWithoutAPtxasReportIsUnjudged) {
  localArray();
  CompiledUnit compiled = unit("_Z4pickPKiPi", pickPtx);
  compiled.kernels[0].usage.registers = 0;
  EXPECT_EQ(one(compiled).verdict, Verdict::Unjudged);
}

TEST_F(JudgeTest, AFrameWithoutInstructionsIsUnjudged) {
  localArray();
  CompiledUnit compiled = unit("_Z4pickPKiPi", pickPtx);
  compiled.kernels[0].usage.stackFrame = 32;
  EXPECT_EQ(one(compiled).verdict, Verdict::Unjudged);
}

TEST_F(JudgeTest, WithoutPtxAddressesAreUnjudged) {
  for (const char *check : {"strided-global-access", "repeated-global-write"})
    for (const char *ptx : {"", "this is no PTX"}) {
      finding(check, "_Z1kv", 3, Operation::Store);
      Judgement judgement = one(unit("_Z1kv", ptx));
      EXPECT_EQ(judgement.verdict, Verdict::Unjudged) << check << ": " << ptx;
      EXPECT_FALSE(judgement.evidence.empty());
    }
}

TEST_F(JudgeTest, EachArchitectureHasItsOwnVerdict) {
  localArray();
  CompiledUnit held = unit("_Z4pickPKiPi", pickPtx, "sm_80");
  held.kernels[0].usage.stackFrame = 32;
  held.kernels[0].locals = {{.isStore = true, .file = "k.cu", .line = 4}};
  CompiledUnit failed;
  failed.architecture = "sm_120";
  failed.whyNot = "nvcc failed: no such architecture";
  auto kernels = judged({held, unit("_Z4pickPKiPi", pickPtx), failed});
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].architecture, "sm_80");
  EXPECT_EQ(kernels[0].judgement.verdict, Verdict::Confirmed);
  EXPECT_EQ(kernels[1].architecture, "sm_90");
  EXPECT_EQ(kernels[1].judgement.verdict, Verdict::Refuted);
  EXPECT_EQ(kernels[2].judgement.verdict, Verdict::Unjudged);
  EXPECT_EQ(kernels[2].judgement.evidence, failed.whyNot);
}

TEST_F(JudgeTest, AKernelThatWasNotEmittedIsUnjudged) {
  localArray();
  Judgement judgement = one(unit("_Z5otherv", pickPtx));
  EXPECT_EQ(judgement.verdict, Verdict::Unjudged);
  EXPECT_THAT(judgement.evidence, HasSubstr("did not emit"));
}

TEST_F(JudgeTest, WithoutACompilerEverythingIsUnjudged) {
  localArray();
  auto kernels = judged({}, "no nvcc found");
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].judgement.verdict, Verdict::Unjudged);
  EXPECT_EQ(kernels[0].judgement.evidence, "no nvcc found");
}

} // namespace
