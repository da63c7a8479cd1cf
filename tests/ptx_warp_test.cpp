// Instructions of warps and blocks, and those that IR does not have.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxWarp : public PtxReader {};

TEST_F(PtxWarp, WarpAndBlockInstructionsBecomeIntrinsics) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	mov.u32 	%r1, %laneid;
	mov.u32 	%r2, %lanemask_lt;
	mov.u64 	%rd2, %clock64;
	bar.sync 	0;
	barrier.sync 	1, 64;
	shfl.sync.down.b32 	%r57|%p6, %r1, %r2, 31, -1;
	shfl.sync.idx.b32 	%r4|%p5, %r1, 0, 31, -1;
	vote.sync.ballot.b32 	%r36, %p5, -1;
	activemask.b32 %r5;
	match.any.sync.b32 	%r6, %r1, -1;
	redux.sync.min.u32 %r7, %r1, -1;
	bar.red.or.pred 	%p1, 0, %p5;
	membar.gl;
	cp.async.cg.shared.global [%r1], [%rd1], 16, 16;
	cp.async.commit_group;
	cp.async.wait_group 0;
	bar.warp.sync 	-1;
	ret;
	.reg .b32 %r57;)");
  std::vector<std::string> names;
  for (llvm::CallInst *call : all<llvm::CallInst>(f))
    names.push_back(call->getCalledFunction()->getName().str());
  std::vector<std::string> expected = {
      "llvm.nvvm.read.ptx.sreg.laneid",
      "llvm.nvvm.read.ptx.sreg.lanemask.lt",
      "llvm.nvvm.read.ptx.sreg.clock64",
      "llvm.nvvm.barrier.cta.sync.aligned.all",
      "llvm.nvvm.barrier.cta.sync.count",
      "llvm.nvvm.shfl.sync.down.i32",
      "llvm.nvvm.shfl.sync.idx.i32p", // its predicate is read
      "llvm.nvvm.vote.ballot.sync",
      "llvm.nvvm.activemask",
      "llvm.nvvm.match.any.sync.i32",
      "llvm.nvvm.redux.sync.umin",
      "llvm.nvvm.barrier.cta.red.or.aligned.all",
      "llvm.nvvm.membar.gl",
      "llvm.nvvm.cp.async.cg.shared.global.16.s",
      "llvm.nvvm.cp.async.commit.group",
      "llvm.nvvm.cp.async.wait.group",
      "llvm.nvvm.bar.warp.sync"};
  EXPECT_EQ(names, expected);
}

TEST_F(PtxWarp, UnknownInstructionsBecomeCalls) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	tex.2d.v4.f32.f32 	{%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
	wobble.rn.u32 	%r1|%p1, %r2, [%rd1+4], 7;
	@%p1 frob.shared.b64 	[%r1], %rd1;
	st.global.f32 	[%rd1], %f2;
	ret;)");
  auto calls = all<llvm::CallInst>(f);
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0]->getCalledFunction()->getName(), "ptx.tex.2d.v4.f32.f32");
  EXPECT_EQ(calls[0]->getType()->getStructNumElements(), 4u);
  EXPECT_EQ(calls[1]->getCalledFunction()->getName(), "ptx.wobble.rn.u32");
  EXPECT_TRUE(calls[1]->getType()->getStructElementType(1)->isIntegerTy(1));
  EXPECT_EQ(spell(calls[1]->getArgOperand(1)), "(p0 + 4)");
  EXPECT_EQ(calls[2]->getArgOperand(0)->getType()->getPointerAddressSpace(),
            3u);
  EXPECT_NE(calls[2]->getParent(), calls[1]->getParent()) << "its guard";
}

} // namespace
