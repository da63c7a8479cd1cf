// The memory that calls touch: what is missed here, no check sees.
#include "ir/read_calls.h"
#include "ir_kernel.h"

using testing::ElementsAre;
using testing::IsEmpty;

namespace warplint {

using ReadCalls = IrKernel;

// 'sincosf(x, &table[k].x, &table[k].y)': one lane that fills a table works.
TEST_F(ReadCalls, AFunctionOfLibdeviceStoresItsResults) {
  Kernel read = straight(R"(
  %own = alloca float
  call void @__nv_sincosf(float 1.0, ptr addrspace(3) @tile, ptr %own)
  %m = call double @__nv_frexp(double 2.0, ptr %a)
)",
                         R"(
@tile = internal addrspace(3) global float undef
declare void @__nv_sincosf(float, ptr addrspace(3), ptr)
declare double @__nv_frexp(double, ptr)
)");
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_EQ(read.accesses[0].space, Space::Shared);
  EXPECT_EQ(read.accesses[1].space, Space::Global);
  for (const Access &access : read.accesses) {
    EXPECT_EQ(access.operation, Operation::Store);
    EXPECT_EQ(access.bytes, 4u);
  }
}

TEST_F(ReadCalls, AnAsynchronousCopyLoadsAndStores) {
  Kernel read = straight(
      "call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) "
      "@tile, ptr addrspace(1) null)",
      "@tile = internal addrspace(3) global [4 x float] undef\n"
      "declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), "
      "ptr addrspace(1))");
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_EQ(read.accesses[0].space, Space::Global);
  EXPECT_EQ(read.accesses[1].space, Space::Shared);
  for (const Access &access : read.accesses) {
    EXPECT_TRUE(access.isAsync);
    EXPECT_EQ(access.bytes, 16u);
  }
}

TEST_F(ReadCalls, InlineAssemblyAccessesTheAddressOfItsOperand) {
  Kernel read = straight("%x = call float asm sideeffect "
                         "\"ld.global.nc.f32 $0, [$1+16];\", \"=f,l\"(ptr %a)");
  ASSERT_EQ(read.accesses.size(), 1u);
  const Access &access = read.accesses[0];
  EXPECT_EQ(access.bytes, 4u);
  EXPECT_EQ(access.space, Space::Global);
  const ExpressionGraph &graph = read.graph;
  ASSERT_EQ(graph.node(access.address).op, Op::Add);
  EXPECT_EQ(graph.node(graph.operand(access.address, 0)).op, Op::Base);
  EXPECT_TRUE(graph.isConstant(graph.operand(access.address, 1), 16));
}

TEST_F(ReadCalls, ACallWithoutABodyStandsForItsAccesses) {
  Kernel read = straight("call void @_Z4scanPi(ptr %a)\n"
                         "%x = call float @__nv_sinf(float 1.0)",
                         "declare void @_Z4scanPi(ptr)\n"
                         "declare float @__nv_sinf(float)");
  EXPECT_THAT(read.notFollowed, ElementsAre("'scan', which has no body here"));
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.graph.node(read.accesses[0].address).op, Op::Varying);
}

// Textures and fragments have layouts of their own: they are listed, and no
// reason why the kernel was read in part.
TEST_F(ReadCalls, TexturesAndFragmentsAreListedWithoutFigures) {
  Kernel read =
      straight("%t = call { i32, i32, i32, i32 } "
               "@llvm.nvvm.tex.unified.1d.v4s32.s32(i64 0, i32 %n)\n"
               "call void @ptx.ldmatrix.sync(ptr addrspace(3) @tile)",
               "@tile = internal addrspace(3) global [64 x float] undef\n"
               "declare { i32, i32, i32, i32 } "
               "@llvm.nvvm.tex.unified.1d.v4s32.s32(i64, i32)\n"
               "declare void @ptx.ldmatrix.sync(ptr addrspace(3))");
  EXPECT_THAT(read.notFollowed, IsEmpty());
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_EQ(read.accesses[0].space, Space::Texture);
  EXPECT_EQ(read.accesses[1].space, Space::Shared);
}

} // namespace warplint
