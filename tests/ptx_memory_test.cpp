// Loads, stores and atomics of PTX in IR.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxMemory : public PtxReader {};

TEST_F(PtxMemory, ReadsAStructParameterAtItsOffset) {
  llvm::Function &f = *read(R"(
.visible .entry _Z5byval4Args(
	.param .align 8 .b8 _Z5byval4Args_param_0[40]
)
{
	.reg .b32 	%r<3>;
	.reg .b64 	%rd<3>;
	ld.param.u64 	%rd1, [_Z5byval4Args_param_0+16];
	ld.param.u32 	%r1, [_Z5byval4Args_param_0+32];
	st.u32 	[%rd1], %r1;
	ret;
})")
                           .getFunction("_Z5byval4Args");
  EXPECT_TRUE(f.getArg(0)->hasByValAttr());
  auto *store = all<llvm::StoreInst>(f).at(0);
  auto *pointer = llvm::cast<llvm::LoadInst>(
      llvm::cast<llvm::IntToPtrInst>(store->getPointerOperand())
          ->getOperand(0));
  EXPECT_EQ(spell(pointer->getPointerOperand()), "_Z5byval4Args_param_0[16]");
  // It is no access of the kernel to memory.
  EXPECT_TRUE(pointer->hasMetadata("ptx.param"));
  EXPECT_FALSE(store->hasMetadata("ptx.param"));
}

TEST_F(PtxMemory, AVectorIsOneAccessOfItsFullWidth) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	ld.global.nc.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1+16];
	ld.volatile.global.v2.u8 	{%rs1, %rs2}, [%rd1];
	st.global.v2.f32 	[%rd1], {%f4, %f1};
	st.global.u16 	[%rd1+8], %rs2;
	ret;)");
  auto loads = all<llvm::LoadInst>(f);
  auto stores = all<llvm::StoreInst>(f);
  ASSERT_EQ(loads.size(), 2u);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_EQ(loads[0]->getType()->getPrimitiveSizeInBits(), 128u);
  EXPECT_TRUE(loads[0]->hasMetadata(llvm::LLVMContext::MD_invariant_load));
  EXPECT_EQ(loads[1]->getType()->getPrimitiveSizeInBits(), 16u);
  EXPECT_TRUE(loads[1]->isVolatile());
  EXPECT_EQ(stores[0]->getValueOperand()->getType()->getPrimitiveSizeInBits(),
            64u);
  EXPECT_EQ(stores[1]->getValueOperand()->getType()->getPrimitiveSizeInBits(),
            16u);
}

TEST_F(PtxMemory, AtomicsStayAtomics) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	atom.global.add.u32 	%r48, [%rd1], 1;
	atom.global.cas.b32 	%r49, [%rd1+16], 1, 2;
	red.global.max.s32 	[%rd1+24], -1;
	atom.global.inc.u32 	%r52, [%rd1], 5;
	red.shared.add.f32 	[%rd1], 0f3F800000;
	atom.global.add.f64 	%rd2, [%rd1], 0d3FF0000000000000;
	ret;
	.reg .b32 %r48, %r49, %r52;)");
  using RMW = llvm::AtomicRMWInst;
  std::vector<RMW::BinOp> kinds;
  for (RMW *each : all<RMW>(f))
    kinds.push_back(each->getOperation());
  EXPECT_EQ(kinds, (std::vector<RMW::BinOp>{RMW::Add, RMW::Max, RMW::UIncWrap,
                                            RMW::FAdd, RMW::FAdd}));
  EXPECT_EQ(all<llvm::AtomicCmpXchgInst>(f).size(), 1u);
  EXPECT_EQ(all<RMW>(f).at(3)->getPointerAddressSpace(), 3u);
}

} // namespace
