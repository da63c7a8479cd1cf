// Registers, symbols and addresses of PTX as values of IR.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxOperands : public PtxReader {};

// The PTX of nvcc 13 for `out[i] = in[i * stride]` after `if (i < n)`: were the
// address not an expression of the thread, no stride could be judged.
TEST_F(PtxOperands, GivesTheAddressAsAnExpressionOfTheThread) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	ld.param.u64 	%rd2, [p1];
	ld.param.u32 	%r2, [n];
	mov.u32 	%r3, %ntid.x;
	mov.u32 	%r4, %ctaid.x;
	mov.u32 	%r5, %tid.x;
	mad.lo.s32 	%r1, %r4, %r3, %r5;
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB1_2;

	cvta.to.global.u64 	%rd3, %rd1;
	mul.lo.s32 	%r6, %r1, %r2;
	cvta.to.global.u64 	%rd4, %rd2;
	mul.wide.s32 	%rd5, %r6, 4;
	add.s64 	%rd6, %rd4, %rd5;
	ld.global.f32 	%f1, [%rd6+4];
	mul.wide.s32 	%rd7, %r1, 4;
	add.s64 	%rd8, %rd3, %rd7;
	st.global.f32 	[%rd8], %f1;

$L__BB1_2:
	ret;)");
  auto loads = all<llvm::LoadInst>(f);
  auto stores = all<llvm::StoreInst>(f);
  ASSERT_EQ(loads.size(), 1u);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(spell(loads[0]->getPointerOperand()),
            "((p1 + sext((ctaid.x * ntid.x + tid.x) * n) * 4) + 4)");
  EXPECT_EQ(spell(stores[0]->getPointerOperand()),
            "(p0 + sext((ctaid.x * ntid.x + tid.x)) * 4)");
  EXPECT_EQ(loads[0]->getPointerAddressSpace(), 1u);
  EXPECT_EQ(f.getCallingConv(), llvm::CallingConv::PTX_Kernel);
}

// Written by hand, as in inline assembly; the names of the parts are not in the
// text.
TEST_F(PtxOperands, AVectorRegisterIsSplitIntoItsParts) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	{.reg .v2 .b32 v; {.reg .b32 a; {.reg .b32 b;}}
	ld.global.v2.b32 v, [%rd1];
	mov.v2.b32 v, {v.y, v.x};
	st.global.v2.b32 [%rd1], v;}
	ret;)");
  auto *last = llvm::cast<llvm::InsertElementInst>(
      all<llvm::StoreInst>(f).at(0)->getValueOperand());
  auto *from = llvm::cast<llvm::ExtractElementInst>(last->getOperand(1));
  EXPECT_EQ(spell(from->getIndexOperand()), "0") << "not swapped";
}

// One name in two scopes of inline assembly is two registers, and two labels.
TEST_F(PtxOperands, NamesAreScopedByBraces) {
  llvm::Function &f = kernel(R"(
	ld.param.u64 	%rd1, [p0];
	{.reg .b32 t; mov.b32 t, 1; bra L; L: st.u32 [%rd1], t;}
	{.reg .b64 t; mov.b64 t, 2; bra L; L: st.u64 [%rd1], t;}
	ret;)");
  auto stores = all<llvm::StoreInst>(f);
  ASSERT_EQ(stores.size(), 2u);
  EXPECT_EQ(stores[0]->getValueOperand(),
            llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), 1));
  EXPECT_EQ(stores[1]->getValueOperand(),
            llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), 2));
}

// `float l[8]` filled and read at a run-time index: the array's accesses must
// lead back to the array, through %SPL and the generic %SP alike.
TEST_F(PtxOperands, ADepotIsAnArrayOfItsSize) {
  llvm::Function &f = kernel(R"(
	.local .align 16 .b8 	__local_depot7[32];
	.reg .b64 	%SP;
	.reg .b64 	%SPL;
	mov.u64 	%SPL, __local_depot7;
	cvta.local.u64 	%SP, %SPL;
	ld.param.u64 	%rd9, [p1];
	add.u64 	%rd13, %SPL, 0;
	add.u64 	%rd14, %SP, 8;
	st.local.v4.f32 	[%rd13+16], {%f5, %f4, %f3, %f2};
	add.s64 	%rd30, %rd13, %rd9;
	ld.local.f32 	%f13, [%rd30];
	st.f32 	[%rd14], %f13;
	ret;)");
  auto *depot = all<llvm::AllocaInst>(f).at(0);
  EXPECT_EQ(all<llvm::AllocaInst>(f).size(), 1u);
  EXPECT_EQ(depot->getName(), "__local_depot7");
  EXPECT_EQ(depot->getAllocationSize(f.getParent()->getDataLayout()),
            llvm::TypeSize::getFixed(32));
  EXPECT_EQ(depot->getAlign(), llvm::Align(16));
  auto *load = all<llvm::LoadInst>(f).at(0);
  EXPECT_EQ(spell(load->getPointerOperand()), "(__local_depot7 + p1)");
  EXPECT_EQ(load->getPointerAddressSpace(), 5u);
  EXPECT_EQ(spell(all<llvm::StoreInst>(f).at(1)->getPointerOperand()),
            "(__local_depot7 + 8)");
}

TEST_F(PtxOperands, SharedAddressesLeadToTheirVariable) {
  llvm::Module &module = read(R"(
.extern .shared .align 16 .b8 dyn[];
.const .align 4 .b8 tab[8] = {0, 0, 128, 63};
.global .align 4 .b8 counters[64];
.global .align 8 .u64 gp = generic(counters)+12;
.global .align 4 .u32 sizes[3] = {1, 0xFFFFFFFF};
.visible .entry k()
{
	.shared .align 4 .b8 tile[4224];
	.reg .b32 	%r<10>;
	.reg .f32 	%f<9>;
	mov.u32 	%r6, %tid.x;
	mov.u32 	%r8, dyn;
	mad.lo.s32 	%r9, %r6, 4, %r8;
	ld.shared.f32 	%f1, [%r9];
	st.shared.f32 	[tile+132], %f1;
	ld.const.f32 	%f2, [tab+4];
	st.shared.f32 	[%r8+8], %f2;
	ret;
})");
  auto *tile = module.getNamedGlobal("tile");
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->getAddressSpace(), 3u);
  EXPECT_EQ(tile->getValueType()->getArrayNumElements(), 4224u);
  EXPECT_TRUE(module.getNamedGlobal("dyn")->isDeclaration());
  EXPECT_EQ(module.getNamedGlobal("tab")->getAddressSpace(), 4u);
  EXPECT_EQ(spell(module.getNamedGlobal("gp")->getInitializer()),
            "(counters + 12)");
  auto *sizes = llvm::cast<llvm::ConstantDataArray>(
      module.getNamedGlobal("sizes")->getInitializer());
  EXPECT_EQ(sizes->getElementAsInteger(1), 0xFFFFFFFFu);
  EXPECT_EQ(sizes->getElementAsInteger(2), 0u);
  llvm::Function &f = *module.getFunction("k");
  auto loads = all<llvm::LoadInst>(f);
  ASSERT_EQ(loads.size(), 2u) << "one for each in the text";
  EXPECT_EQ(spell(loads[0]->getPointerOperand()), "(tid.x * 4 + dyn)");
  EXPECT_EQ(spell(loads[1]->getPointerOperand()), "tab[4]");
  EXPECT_EQ(spell(all<llvm::StoreInst>(f).at(0)->getPointerOperand()),
            "tile[132]");
}

} // namespace
