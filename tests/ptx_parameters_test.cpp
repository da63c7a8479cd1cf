// Which parameters of a kernel are pointers: PTX does not say it.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxParameters : public PtxReader {};

TEST_F(PtxParameters, PointerParametersAreToldFromNumbers) {
  llvm::Function &f = *read(R"(
.visible .entry k(
	.param .u64 k_param_0,
	.param .u64 k_param_1,
	.param .u64 k_param_2,
	.param .f32 k_param_3,
	.param .u64 .ptr .global .align 1 k_param_4
)
.maxntid 256, 1, 1
.minnctapersm 2
{
	.reg .b64 	%rd<9>;
	ld.param.u64 	%rd1, [k_param_0];
	ld.param.u64 	%rd2, [k_param_1];
	ld.param.u64 	%rd3, [k_param_2];
	cvta.to.global.u64 	%rd4, %rd1;
	shl.b64 	%rd5, %rd2, 3;
	add.s64 	%rd6, %rd4, %rd5;
	add.s64 	%rd7, %rd7, %rd5;
	mov.u64 	%rd7, %rd3;
	ld.u64 	%rd8, [%rd7];
	st.global.u64 	[%rd6], %rd8;
	ret;
})")
                           .getFunction("k");
  EXPECT_TRUE(f.getArg(0)->getType()->isPointerTy()) << "by cvta.to.global";
  EXPECT_TRUE(f.getArg(1)->getType()->isIntegerTy(64)) << "a length";
  EXPECT_TRUE(f.getArg(2)->getType()->isPointerTy()) << "by a generic load";
  EXPECT_TRUE(f.getArg(3)->getType()->isFloatTy());
  EXPECT_TRUE(f.getArg(4)->getType()->isPointerTy()) << "by .ptr";
  EXPECT_EQ(f.getArg(0)->getName(), "k_param_0");
  EXPECT_EQ(f.getFnAttribute("nvvm.maxntid").getValueAsString(), "256,1,1");
  EXPECT_EQ(f.getFnAttribute("nvvm.minctasm").getValueAsString(), "2");
}

// An array in a parameter, indexed by the thread: constant memory is read at
// as many addresses as there are lanes.
TEST_F(PtxParameters, AParameterReadThroughARegisterIsAnAccess) {
  llvm::Function &f = *read(R"(
.visible .entry k(
	.param .align 4 .b8 k_param_0[132],
	.param .u64 k_param_1
)
{
	.reg .b32 	%r<3>;
	.reg .f32 	%f<2>;
	.reg .b64 	%rd<6>;
	mov.b64 	%rd1, k_param_0;
	ld.param.u64 	%rd2, [k_param_1];
	mov.u32 	%r1, %tid.x;
	mul.wide.u32 	%rd3, %r1, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.param.f32 	%f1, [%rd4];
	st.global.f32 	[%rd2], %f1;
	ret;
})")
                           .getFunction("k");
  std::vector<llvm::LoadInst *> loads = all<llvm::LoadInst>(f);
  ASSERT_EQ(loads.size(), 1u);
  EXPECT_FALSE(loads[0]->hasMetadata("ptx.param"));
}

} // namespace
