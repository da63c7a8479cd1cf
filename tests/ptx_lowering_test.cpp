// Guards, branches, loops and calls of PTX in IR.
#include "ptx_reader.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace warplint;

namespace {

class PtxLowering : public PtxReader {};

// nvcc 13's grid-stride loop. A loop that is not one in IR would hide every
// repeated write.
TEST_F(PtxLowering, ALoopIsALoopWithAPreheaderAndACounter) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd7, [p0];
	ld.param.u64 	%rd8, [p1];
	mov.u32 	%r1, %ctaid.x;
	mov.u32 	%r2, %ntid.x;
	cvt.u64.u32 	%rd1, %r2;
	mul.wide.u32 	%rd9, %r1, %r2;
	mov.u32 	%r3, %tid.x;
	cvt.u64.u32 	%rd10, %r3;
	add.s64 	%rd14, %rd9, %rd10;
	setp.ge.u64 	%p1, %rd14, %rd8;
	@%p1 bra 	$L__BB0_3;
	mov.u32 	%r4, %nctaid.x;
	cvt.u64.u32 	%rd11, %r4;
	mul.lo.s64 	%rd3, %rd11, %rd1;
	cvta.to.global.u64 	%rd4, %rd7;
$L__BB0_2:
	shl.b64 	%rd12, %rd14, 2;
	add.s64 	%rd13, %rd4, %rd12;
	st.global.f32 	[%rd13], 0f3F800000;
	add.s64 	%rd14, %rd14, %rd3;
	setp.lt.u64 	%p2, %rd14, %rd8;
	@%p2 bra 	$L__BB0_2;
$L__BB0_3:
	ret;)");
  llvm::DominatorTree dominators(f);
  llvm::LoopInfo loops(dominators);
  auto *store = all<llvm::StoreInst>(f).at(0);
  llvm::Loop *loop = loops.getLoopFor(store->getParent());
  ASSERT_TRUE(loop);
  EXPECT_TRUE(loop->isLoopSimplifyForm());
  auto *counter = all<llvm::PHINode>(f).at(0);
  EXPECT_EQ(all<llvm::PHINode>(f).size(), 1u);
  EXPECT_EQ(spell(counter->getIncomingValueForBlock(loop->getLoopPreheader())),
            "(zext(ctaid.x) * zext(ntid.x) + zext(tid.x))");
  EXPECT_EQ(spell(counter->getIncomingValueForBlock(loop->getLoopLatch())),
            "(rd14.phi.0 + zext(nctaid.x) * zext(ntid.x))");
}

// The idiom of CUTLASS and of Triton, as nvcc 13 copies it into its PTX: what
// only some lanes load must not look as if all of them did.
TEST_F(PtxLowering, APredicatedAccessHasItsGuard) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	ld.param.u32 	%r2, [n];
	mov.u32 	%r6, %tid.x;
	setp.lt.s32 	%p1, %r6, %r2;
	selp.u32 	%r1, 1, 0, %p1;
	mov.f32 	%f5, 0f00000000;
	// begin inline asm
	{
 .reg .pred p;
 setp.ne.b32 p, %r1, 0;
 mov.b32 %f1, %f5;
 @p ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
 @!p st.global.f32 [%rd1], %f5;
}
	// end inline asm
	st.global.f32 	[%rd1], %f1;
	ret;)");
  auto *load = all<llvm::LoadInst>(f).at(0);
  auto *branch = llvm::cast<llvm::BranchInst>(
      load->getParent()->getSinglePredecessor()->getTerminator());
  ASSERT_TRUE(branch->isConditional());
  EXPECT_EQ(spell(branch->getCondition()), "tid.x slt n");
  EXPECT_EQ(branch->getSuccessor(0), load->getParent());
  auto stores = all<llvm::StoreInst>(f);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_NE(stores[0]->getParent(), stores[1]->getParent());
  // Where the guard fails, the register keeps what it held.
  auto *kept = llvm::cast<llvm::PHINode>(stores[1]->getValueOperand());
  EXPECT_TRUE(llvm::isa<llvm::ConstantFP>(
      kept->getIncomingValueForBlock(branch->getParent())));
}

TEST_F(PtxLowering, APredicatedSumIsASelect) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	ld.param.u32 	%r1, [n];
	setp.gt.s32 	%p1, %r1, 7;
	@%p1 add.s32 	%r1, %r1, 5;
	st.global.u32 	[%rd1], %r1;
	ret;)");
  EXPECT_EQ(f.size(), 1u);
  auto *choice = llvm::cast<llvm::SelectInst>(
      all<llvm::StoreInst>(f).at(0)->getValueOperand());
  EXPECT_EQ(spell(choice->getTrueValue()), "(n + 5)");
  EXPECT_EQ(spell(choice->getFalseValue()), "n");
}

TEST_F(PtxLowering, ABranchTableIsASwitch) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	ld.param.u32 	%r1, [n];
	$L_brx_0: .branchtargets
	$L__BB0_2,
	$L__BB0_3;
	brx.idx 	%r1, $L_brx_0;
$L__BB0_2:
	st.global.u32 	[%rd1], %r1;
	ret;
$L__BB0_3:
	st.global.u32 	[%rd1+4], %r1;
	ret;)");
  auto choices = all<llvm::SwitchInst>(f);
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(choices[0]->getNumCases(), 2u);
  EXPECT_EQ(all<llvm::StoreInst>(f).size(), 2u);
}

// From nvcc 13: calls in braces of their own, which all name their registers
// and parameters alike. Not inlined, a helper's accesses have no thread.
TEST_F(PtxLowering, ACallCanBeInlined) {
  llvm::Module &module = read(R"(
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.func  (.param .b32 func_retval0) helper(
	.param .b64 helper_param_0,
	.param .b32 helper_param_1
)
;
.visible .entry k(.param .u64 p0, .param .u32 n)
{
	.reg .f32 	%f<3>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<11>;
	ld.param.u64 	%rd1, [p0];
	ld.param.u32 	%r1, [n];
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd1;
	.param .b32 param1;
	st.param.b32 	[param1+0], %r1;
	.param .b32 retval0;
	call.uni (retval0), 
	helper, 
	(
	param0, 
	param1
	);
	ld.param.f32 	%f1, [retval0+0];
	} // callseq 0
	st.global.f32 	[%rd1], %f1;
	{ // callseq 1, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd1;
	.param .b32 retval0;
	prototype_3 : .callprototype (.param .b32 _) _ (.param .b64 _);
	call (retval0), 
	%rd1, 
	(
	param0
	)
	, prototype_3;
	ld.param.b32 	%r2, [retval0+0];
	} // callseq 1
	call.uni (%r3), vprintf, (%rd1, 0);
	ret;
}
.func  (.param .b32 func_retval0) helper(
	.param .b64 helper_param_0,
	.param .b32 helper_param_1
)
{
	.reg .f32 	%f<9>;
	.reg .b64 	%rd<3>;
	ld.param.u64 	%rd1, [helper_param_0];
	ld.f32 	%f1, [%rd1+4];
	st.param.f32 	[func_retval0+0], %f1;
	ret;
})");
  llvm::Function &f = *module.getFunction("k");
  auto calls = all<llvm::CallInst>(f);
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0]->getCalledFunction(), module.getFunction("helper"));
  EXPECT_TRUE(calls[1]->isIndirectCall());
  EXPECT_EQ(calls[2]->getCalledFunction()->getName(), "vprintf");
  llvm::InlineFunctionInfo info;
  ASSERT_TRUE(llvm::InlineFunction(*calls[0], info).isSuccess());
  EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
  EXPECT_EQ(spell(all<llvm::LoadInst>(f).at(0)->getPointerOperand()),
            "(p0 + 4)");
}

} // namespace
