#include "ptx/read_ptx.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using llvm::StringRef;
using testing::HasSubstr;

namespace {

const std::string header = ".version 9.0\n.target sm_90\n.address_size 64\n";

class ReadPtx : public testing::Test {
protected:
  llvm::Module &read(const std::string &text) {
    auto module = readPtx(header + text, context_);
    if (!module) {
      ADD_FAILURE() << llvm::toString(module.takeError());
      module_ = std::make_unique<llvm::Module>("none", context_);
    } else {
      module_ = std::move(*module);
    }
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    return *module_;
  }

  /// The body of a kernel `k(p0: u64, p1: u64, n: u32)` with usual registers.
  llvm::Function &kernel(const std::string &body) {
    return *read(".visible .entry k(.param .u64 p0, .param .u64 p1, "
                 ".param .u32 n)\n{\n"
                 ".reg .pred %p<9>;\n.reg .b16 %rs<9>;\n.reg .b32 %r<40>;\n"
                 ".reg .f32 %f<20>;\n.reg .b64 %rd<40>;\n" +
                 body + "\n}\n")
                .getFunction("k");
  }

  std::string error(const std::string &text) {
    auto module = readPtx(text, context_);
    return module ? "" : llvm::toString(module.takeError());
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

template <typename T> std::vector<T *> all(llvm::Function &f) {
  std::vector<T *> found;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (auto *each = llvm::dyn_cast<T>(&i))
      found.push_back(each);
  return found;
}

/// A value as an expression over arguments, special registers, loads and phis.
std::string spell(const llvm::Value *v) {
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(v))
    return std::to_string(constant->getSExtValue());
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(v)) {
    StringRef name = call->getCalledFunction()->getName();
    name.consume_front("llvm.nvvm.read.ptx.sreg.");
    return name.str();
  }
  auto *op = llvm::dyn_cast<llvm::Operator>(v);
  if (!op || llvm::isa<llvm::PHINode>(v) || llvm::isa<llvm::LoadInst>(v) ||
      llvm::isa<llvm::AllocaInst>(v))
    return v->getName().str();
  auto of = [&](unsigned i) { return spell(op->getOperand(i)); };
  switch (op->getOpcode()) {
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
    return of(0);
  case llvm::Instruction::SExt:
    return "sext(" + of(0) + ")";
  case llvm::Instruction::ZExt:
    return "zext(" + of(0) + ")";
  case llvm::Instruction::Add:
    return "(" + of(0) + " + " + of(1) + ")";
  case llvm::Instruction::Mul:
    return of(0) + " * " + of(1);
  case llvm::Instruction::ICmp:
    return of(0) + " " +
           llvm::CmpInst::getPredicateName(
               llvm::cast<llvm::ICmpInst>(v)->getPredicate())
               .str() +
           " " + of(1);
  case llvm::Instruction::GetElementPtr:
    return of(0) + "[" + of(1) + "]";
  default:
    return op->getName().str();
  }
}

/// `2.cu:13 in f <- 1.cu:4 in g`, innermost first.
std::string places(const llvm::Instruction &i) {
  std::string chain;
  for (const llvm::DILocation *l = i.getDebugLoc(); l; l = l->getInlinedAt())
    chain += (chain.empty() ? "" : " <- ") + l->getFilename().str() + ":" +
             std::to_string(l->getLine()) + ":" +
             std::to_string(l->getColumn()) + " in " +
             l->getScope()->getSubprogram()->getName().str();
  return chain;
}

} // namespace

// The PTX of nvcc 13 for `out[i] = in[i * stride]` after `if (i < n)`: were the
// address not an expression of the thread, no stride could be judged.
TEST_F(ReadPtx, GivesTheAddressAsAnExpressionOfTheThread) {
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

TEST_F(ReadPtx, PointerParametersAreToldFromNumbers) {
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

TEST_F(ReadPtx, ReadsAStructParameterAtItsOffset) {
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

// An array in a parameter, indexed by the thread: constant memory is read at
// as many addresses as there are lanes.
TEST_F(ReadPtx, AParameterReadThroughARegisterIsAnAccess) {
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

// nvcc 13's grid-stride loop. A loop that is not one in IR would hide every
// repeated write.
TEST_F(ReadPtx, ALoopIsALoopWithAPreheaderAndACounter) {
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
TEST_F(ReadPtx, APredicatedAccessHasItsGuard) {
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

TEST_F(ReadPtx, APredicatedSumIsASelect) {
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

TEST_F(ReadPtx, AVectorIsOneAccessOfItsFullWidth) {
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

// From `nvcc -lineinfo` 13: leaf() in mid() in V::operator() in a kernel.
// Without the chain, a finding would be told at the helper and at no caller.
TEST_F(ReadPtx, KeepsTheChainOfInlinedCalls) {
  llvm::Module &module = read(R"(
.visible .entry k(.param .u64 p0)
{
	.reg .f32 	%f<5>;
	.reg .b64 	%rd<9>;
	.loc	1 10 0
	ld.param.u64 	%rd6, [p0];
	.loc	1 13 3
	.loc	1 9 50, function_name $L__info_string0, inlined_at 1 13 3
	.loc	2 7 65, function_name $L__info_string1, inlined_at 1 9 50
	ld.global.f32 	%f1, [%rd6];
	.loc	2 5 15, function_name $L__info_string0+3, inlined_at 2 7 65
	ld.global.f32 	%f2, [%rd6+4];
	.loc	1 0 3
	st.global.f32 	[%rd6], %f2;
	.loc	1 14 1
	ret;
}
	.file	1 "/src/nest.cu"
	.file	2 "/src/leaf.h"
	.section	.debug_str
	{
$L__info_string0:
.b8 97,98,0
.b8 120,121
.b8 122,0
$L__info_string1:
.b8 99,0

	})");
  auto loads = all<llvm::LoadInst>(*module.getFunction("k"));
  EXPECT_EQ(places(*loads.at(0)),
            "/src/leaf.h:7:65 in c <- /src/nest.cu:9:50 in ab "
            "<- /src/nest.cu:13:3 in k");
}

TEST_F(ReadPtx, FindsTheNameInsideALongString) {
  llvm::Module &module = read(R"(
.visible .entry k(.param .u64 p0)
{
	.reg .b64 	%rd<9>;
	ld.param.u64 	%rd1, [p0];
	.loc	1 5 15, function_name $L__info_string0+3, inlined_at 1 7 6
	st.u64 	[%rd1], %rd1;
	// The same place again: one call, however often it is named.
	.loc	1 7 6, function_name $L__info_string0, inlined_at 1 7 6
	.loc	1 7 6, function_name $L__info_string0, inlined_at 1 7 6
	.loc	1 7 6, function_name $L__info_string0, inlined_at 1 7 6
	st.u64 	[%rd1], %rd1;
	ret;
}
	.file	1 "/src/a.cu", 1700000000, 512
	.section	.debug_str
	{
$L__info_string0:
.b8 97,98,0,120
.b8 121,0
	})");
  auto stores = all<llvm::StoreInst>(*module.getFunction("k"));
  EXPECT_EQ(places(*stores.at(0)),
            "/src/a.cu:5:15 in xy <- /src/a.cu:7:6 in k");
  EXPECT_EQ(places(*stores.at(1)), "/src/a.cu:7:6 in ab <- /src/a.cu:7:6 in k");
}

// `float l[8]` filled and read at a run-time index: the array's accesses must
// lead back to the array, through %SPL and the generic %SP alike.
TEST_F(ReadPtx, ADepotIsAnArrayOfItsSize) {
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

TEST_F(ReadPtx, SharedAddressesLeadToTheirVariable) {
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

// From nvcc 13: calls in braces of their own, which all name their registers
// and parameters alike. Not inlined, a helper's accesses have no thread.
TEST_F(ReadPtx, ACallCanBeInlined) {
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

// One name in two scopes of inline assembly is two registers, and two labels.
TEST_F(ReadPtx, NamesAreScopedByBraces) {
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

// Written by hand, as in inline assembly; the names of the parts are not in the
// text.
TEST_F(ReadPtx, AVectorRegisterIsSplitIntoItsParts) {
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

TEST_F(ReadPtx, ABranchTableIsASwitch) {
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

TEST_F(ReadPtx, WarpAndBlockInstructionsBecomeIntrinsics) {
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

TEST_F(ReadPtx, AtomicsStayAtomics) {
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

TEST_F(ReadPtx, UnknownInstructionsBecomeCalls) {
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

// Clang 22 keeps floats in .b32 registers and labels every debug place.
TEST_F(ReadPtx, ReadsClangsPtx) {
  llvm::Module &module = read(R"(
	// .globl	_Z4leafPKfi             // -- Begin function _Z4leafPKfi
.visible .func  (.param .b32 func_retval0) _Z4leafPKfi(
	.param .b64 _Z4leafPKfi_param_0,
	.param .b32 _Z4leafPKfi_param_1
)
{
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<4>;
$L__func_begin0:
	.loc	1 2 0                           // nest.cu:2:0

// %bb.0:
	ld.param.b64 	%rd1, [_Z4leafPKfi_param_0];
	ld.param.b32 	%r1, [_Z4leafPKfi_param_1];
$L__tmp0:
	.loc	1 2 55                          // nest.cu:2:55
	mul.wide.s32 	%rd2, %r1, 4;
	add.s64 	%rd3, %rd1, %rd2;
	ld.b32 	%r2, [%rd3];
	.loc	1 2 60                          // nest.cu:2:60
	add.f32 	%r3, %r2, %r2;
	.loc	1 2 48                          // nest.cu:2:48
	st.param.b32 	[func_retval0], %r3;
	ret;
$L__tmp1:
$L__func_end0:
                                        // -- End function
}
	.file	1 "/tmp/nest.cu"
	.section	.debug_abbrev
	{
.b8 1                                   // Abbreviation Code
.b64 $L__func_begin0
	}
	.section	.debug_macinfo	{	})");
  llvm::Function &f = *module.getFunction("_Z4leafPKfi");
  EXPECT_EQ(f.size(), 1u);
  auto *load = all<llvm::LoadInst>(f).at(0);
  EXPECT_EQ(spell(load->getPointerOperand()),
            "(_Z4leafPKfi_param_0 + sext(_Z4leafPKfi_param_1) * 4)");
  EXPECT_EQ(places(*load), "/tmp/nest.cu:2:55 in _Z4leafPKfi");
  auto *sum = llvm::cast<llvm::BinaryOperator>(
      llvm::cast<llvm::BitCastInst>(
          all<llvm::ReturnInst>(f).at(0)->getReturnValue())
          ->getOperand(0));
  EXPECT_EQ(sum->getOpcode(), llvm::Instruction::FAdd);
}

// Integer instructions with constant operands fold to what the machine gives;
// the values are those of the PTX manual's definitions.
struct Sum {
  const char *instruction; ///< writes %r1, or %rd1 if the result is 64 bits
  int64_t result;
};
/// Else the test's name would hold addresses, other ones in each run.
void PrintTo(const Sum &sum, std::ostream *out) { *out << sum.result; }
class ReadPtxArithmetic : public ReadPtx,
                          public testing::WithParamInterface<Sum> {};

TEST_P(ReadPtxArithmetic, IsExact) {
  std::string text = GetParam().instruction;
  bool isWide = text.find(" %rd1,") != std::string::npos;
  llvm::Function &f =
      kernel(text + (isWide ? "\nst.u64 [0], %rd1;" : "\nst.u32 [0], %r1;"));
  auto *value = llvm::dyn_cast<llvm::ConstantInt>(
      all<llvm::StoreInst>(f).at(0)->getValueOperand());
  ASSERT_TRUE(value) << "not folded";
  EXPECT_EQ(value->getSExtValue(), GetParam().result);
}

INSTANTIATE_TEST_SUITE_P(
    , ReadPtxArithmetic,
    testing::Values(
        Sum{"mul.wide.s32 %rd1, -3, 4;", -12},
        Sum{"mul.wide.u32 %rd1, 0xFFFFFFFF, 4;", 0x3FFFFFFFC},
        Sum{"mul.hi.s32 %r1, 0x55555556, -9;", -4},
        Sum{"mul.hi.u32 %r1, 0x80000000, 6;", 3},
        Sum{"mad.lo.s32 %r1, 7, -5, 3;", -32},
        Sum{"mad.wide.s32 %rd1, -7, 5, 3;", -32},
        Sum{"mul24.lo.s32 %r1, 0x01FFFFFF, 3;", -3},
        Sum{"mul24.hi.u32 %r1, 0x00FFFFFF, 0x00FFFFFF;", int32_t(0xFFFFFE00)},
        Sum{"shl.b32 %r1, 1, 32;", 0}, Sum{"shr.s32 %r1, -8, 99;", -1},
        Sum{"shr.u32 %r1, -8, 1;", 0x7FFFFFFC},
        Sum{"mov.u32 %r2, 33; shr.u32 %r1, -8, %r2;", 0},
        Sum{"bfe.u32 %r1, 0xABCD, 4, 8;", 0xBC},
        Sum{"bfe.s32 %r1, 0xABCD, 4, 8;", int32_t(0xFFFFFFBC)},
        Sum{"bfe.s32 %r1, 0x80000000, 28, 16;", -8},
        Sum{"bfe.u64 %rd1, 0xABCD, 4, 0;", 0},
        Sum{"bfi.b32 %r1, 0xF, 0x12345678, 8, 4;", 0x12345F78},
        Sum{"bmsk.clamp.b32 %r1, 4, 3;", 0x70},
        Sum{"szext.wrap.s32 %r1, 0xF8, 4;", -8},
        Sum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0x96;", 0x96},
        Sum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0xE8;", 0xE8},
        Sum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0xCA;", 0xCA},
        Sum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0x1D;", int32_t(0xFFFFFF1D)},
        Sum{"popc.b64 %r1, -1;", 64}, Sum{"clz.b32 %r1, 1;", 31},
        Sum{"brev.b32 %r1, 1;", INT32_MIN}, Sum{"bfind.u32 %r1, 0x30;", 5},
        Sum{"bfind.s32 %r1, -1;", -1}, Sum{"bfind.shiftamt.u32 %r1, 0x30;", 26},
        Sum{"shf.l.wrap.b32 %r1, 0x80000000, 1, 33;", 3},
        Sum{"shf.r.clamp.b32 %r1, 0, 5, 40;", 5},
        Sum{"sad.s32 %r1, -3, 4, 10;", 17}, Sum{"cnot.b32 %r1, 0;", 1},
        Sum{"dp4a.s32.u32 %r1, 0x01FF0203, 0x01010101, 10;", 15},
        Sum{"slct.u32.s32 %r1, 1, 2, -5;", 2},
        Sum{"set.lt.u32.s32 %r1, -1, 0;", -1},
        Sum{"setp.lt.u32 %p1|%p2, -1, 0; selp.u32 %r1, 1, 2, %p2;", 1},
        Sum{"setp.lt.s32 %p3, 0, 1; setp.eq.and.s32 %p1, 5, 5, !%p3; "
            "selp.u32 %r1, 1, 2, %p1;",
            2},
        Sum{"cvt.s32.s8 %r1, 0x1FE;", -2}, Sum{"cvt.u32.u8 %r1, 0x1FE;", 254},
        Sum{"cvt.sat.s8.s32 %r1, 300;", 127},
        Sum{"cvt.sat.u8.s32 %r1, -300;", 0}, Sum{"cvt.s64.s32 %rd1, -1;", -1},
        Sum{"cvt.u64.u32 %rd1, -1;", 0xFFFFFFFF},
        Sum{"cvt.rzi.s32.f32 %r1, 0fC0200000;", -2},
        Sum{"mov.b64 %rd1, {1, 2};", 0x200000001},
        Sum{"mov.b64 {%r2, %r1}, 0x500000004;", 5},
        Sum{"mov.u32 %r2, WARP_SZ; add.s32 %r1, %r2, (2+3*4)<<1;", 60},
        Sum{"sub.cc.u32 %r2, 1, 2; subc.u32 %r1, 5, 1;", 3},
        Sum{"add.cc.u32 %r2, -1, 1; addc.u32 %r1, 5, 1;", 7}));

TEST_F(ReadPtx, MalformedTextIsReportedWithItsLine) {
  EXPECT_THAT(error(""), HasSubstr("not PTX"));
  EXPECT_THAT(error("\x7f"
                    "ELF\x02\x01"),
              HasSubstr("line 1: "));
  EXPECT_THAT(error(".version 9.0\n.target sm_90\n.address_size 32\n"),
              HasSubstr("line 3: expected 64-bit addresses"));
  EXPECT_THAT(error(header + ".entry k()\n{\n  mov.u32 %r1, 5;\n}\n"),
              HasSubstr("line 6: the register '%r1' is not declared in 'k'"));
  EXPECT_THAT(error(header + ".entry k()\n{\n  bra L;\n}\n"),
              HasSubstr("line 6: there is no label 'L' in 'k'"));
  EXPECT_THAT(error(header + ".entry k()\n{\n  ret\n}\n"),
              HasSubstr("line 7: "));
  EXPECT_THAT(
      error(header + ".entry k()\n{\n  ret;\n"),
      HasSubstr("line 7: expected '}' at the end of 'k', but the text"));
  EXPECT_THAT(error(header + ".entry k()\n{ret;}\n.entry k()\n{ret;}\n"),
              HasSubstr("line 6: 'k' is defined twice"));
}

// A full disk or a killed compiler leaves such a file.
TEST_F(ReadPtx, TruncatedTextNeverCrashes) {
  std::string whole = header + R"(
.global .align 8 .u64 gp[2] = {generic(gp)+12, 0x1F};
.visible .entry k(.param .u64 .ptr .global .align 1 p0, .param .align 8 .b8 s[16])
.maxntid 128
{
	.reg .pred 	%p<3>;
	.reg .f32 	%f<5>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<9>;
	.loc	1 9 50, function_name $L__info_string0, inlined_at 1 13 3
	ld.param.u64 	%rd1, [p0];
	mov.f32 	%f1, 0f3F800000;
$L:	setp.lt.and.s32 	%p1|%p2, %r1, -5, !%p2;
	@!%p1 st.global.v2.f32 	[%rd1+-4], {%f1, 0d3FF0000000000000};
	{ .param .b64 param0; st.param.b64 [param0+0], %rd1;
	call.uni f, (param0), q; }
	@%p2 bra.uni $L;
	ret;
}
	.file	1 "/src/nest.cu"
	.section	.debug_str { $L__info_string0: .b8 97,98,0 }
)";
  unsigned modules = 0;
  for (size_t length = 0; length <= whole.size(); ++length) {
    auto module = readPtx(StringRef(whole).take_front(length), context_);
    if (module)
      ++modules;
    else
      EXPECT_THAT(llvm::toString(module.takeError()), HasSubstr("line "));
  }
  EXPECT_GT(modules, 0u);
}

static std::string findNvcc() {
  if (auto found = llvm::sys::findProgramByName("nvcc"))
    return *found;
  if (auto folder = llvm::sys::Process::GetEnv("CUDA_PATH"))
    if (auto found = llvm::sys::findProgramByName("nvcc", {*folder + "/bin"}))
      return *found;
  return "";
}

/// The output of `nvcc -ptx -lineinfo` for a source; empty if it fails.
static std::string compileToPtx(StringRef nvcc, StringRef source) {
  llvm::SmallString<64> input, output;
  int descriptor = 0;
  if (llvm::sys::fs::createTemporaryFile("read_ptx", "cu", descriptor, input) ||
      llvm::sys::fs::createTemporaryFile("read_ptx", "ptx", output))
    return "";
  llvm::FileRemover removeInput(input), removeOutput(output);
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << source;
  llvm::sys::ExecuteAndWait(
      nvcc, {nvcc, "-ptx", "-lineinfo", "-o", output, input}, std::nullopt);
  auto text = llvm::MemoryBuffer::getFile(output);
  return text ? (*text)->getBuffer().str() : "";
}

// The PTX of the installed release, not a recorded one.
TEST_F(ReadPtx, ReadsTheInstalledNvccsPtx) {
  std::string nvcc = findNvcc();
  if (nvcc.empty())
    GTEST_SKIP() << "THE PTX OF A REAL NVCC IS NOT TESTED: there is no nvcc in "
                    "PATH, nor in CUDA_PATH/bin";
  std::string text = compileToPtx(nvcc, R"(#include <cstdio>
__device__ float twice(const float *p) {
  return *p * 2;
}
__global__ void k(float *out, const float *in, int n, int bin) {
  __shared__ float tile[256];
  float count[64];
  for (int i = 0; i < 64; ++i) count[i] = in[i * n];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    count[(i * bin) & 63] += 1;
    tile[threadIdx.x] = twice(in + i);
    __syncthreads();
    atomicAdd(out, tile[threadIdx.x ^ 1] + __shfl_down_sync(~0u, count[bin], 1));
  }
  printf("%d\n", n);
}
)");
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(error(text), "");
  auto module = readPtx(text, context_);
  if (!module) {
    llvm::consumeError(module.takeError());
    return;
  }
  llvm::Function *f = (*module)->getFunction("_Z1kPfPKfii");
  ASSERT_TRUE(f);
  EXPECT_EQ(all<llvm::AtomicRMWInst>(*f).size(), 1u);
  bool hasDepot = false, hasTwice = false;
  for (llvm::AllocaInst *each : all<llvm::AllocaInst>(*f))
    hasDepot |= each->getName().starts_with("__local_depot");
  for (llvm::LoadInst *each : all<llvm::LoadInst>(*f))
    hasTwice |= each->getPointerAddressSpace() == 1 &&
                StringRef(places(*each)).contains(".cu:3:");
  EXPECT_TRUE(hasDepot) << "of 'count'";
  EXPECT_TRUE(hasTwice) << "the load of the inlined helper, at its line";
}
