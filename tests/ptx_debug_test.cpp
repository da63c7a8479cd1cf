// The places that `.loc` gives to instructions.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxDebug : public PtxReader {};

// From `nvcc -lineinfo` 13: leaf() in mid() in V::operator() in a kernel.
// Without the chain, a finding would be told at the helper and at no caller.
TEST_F(PtxDebug, KeepsTheChainOfInlinedCalls) {
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

TEST_F(PtxDebug, FindsTheNameInsideALongString) {
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

} // namespace
