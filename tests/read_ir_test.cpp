// One kernel's IR to the model: what checks are told of accesses, loops and
// what could not be followed.
#include "ir_kernel.h"

using testing::ElementsAre;
using testing::IsEmpty;

namespace warplint {

class ReadIr : public IrKernel {};

TEST_F(ReadIr, OnlyKernelsWithABodyAreKernels) {
  std::vector<Kernel> all = kernels(R"(
declare ptx_kernel void @elsewhere(ptr)
define void @helper(ptr %a) {
  store i32 1, ptr %a
  ret void
}
define ptx_kernel void @k(ptr %a) {
  ret void
}
)");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].mangled, "k");
}

// --- accesses ---------------------------------------------------------------

TEST_F(ReadIr, AnAccessHasItsOperationItsBytesAndItsSpace) {
  Kernel read = straight(R"(
  %x = load <4 x float>, ptr %a
  store i16 1, ptr addrspace(3) @tile
  %y = load volatile i64, ptr addrspace(1) null
  %c = load i32, ptr addrspace(4) @table
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 4096, i1 false)
)",
                         R"(
@tile = internal addrspace(3) global i16 undef
@table = addrspace(4) constant i32 7
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
)");
  ASSERT_EQ(read.accesses.size(), 6u);
  auto is = [&](unsigned i, Operation operation, unsigned bytes, Space space) {
    const Access &access = read.accesses[i];
    EXPECT_EQ(access.operation, operation) << i;
    EXPECT_EQ(access.bytes, bytes) << i;
    EXPECT_EQ(access.space, space) << i;
    EXPECT_EQ(access.isVolatile, i == 2) << i;
  };
  is(0, Operation::Load, 16, Space::Global);
  is(1, Operation::Store, 2, Space::Shared);
  is(2, Operation::Load, 8, Space::Global);
  is(3, Operation::Load, 4, Space::Constant);
  is(4, Operation::Load, 0, Space::Global);
  is(5, Operation::Store, 0, Space::Global);
}

// 'sincosf(x, &table[k].x, &table[k].y)': one lane that fills a table works.
TEST_F(ReadIr, AFunctionOfLibdeviceStoresItsResults) {
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

// A copy was made volatile so that no pass takes it apart; the source did not
// say `volatile`, and `check` must not treat it so.
TEST_F(ReadIr, ASplitCopyIsNotVolatile) {
  Kernel read =
      straight("%x = load volatile i32, ptr %a, !warplint.copy !0", "!0 = !{}");
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_FALSE(read.accesses[0].isVolatile);
}

TEST_F(ReadIr, TheCompilersOwnTemporariesAreNoAccesses) {
  Kernel read = straight(R"(
  %spill = alloca i32
  store i32 %n, ptr %spill
  %x = load i8, ptr @text
  %y = load i32, ptr %a
)",
                         "@text = private constant i8 65");
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].object, "a");
}

TEST_F(ReadIr, AStoreOfALoopInvariantValueStoresTheSame) {
  Kernel read = loop("store i32 %n, ptr %a\nstore i32 %i, ptr %b");
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_TRUE(read.accesses[0].storesSame);
  EXPECT_FALSE(read.accesses[1].storesSame);
  // Without a loop a constant alone: an argument may be a flag to be kept.
  Kernel plain = straight("store i32 0, ptr %a\nstore i32 %n, ptr %b");
  ASSERT_EQ(plain.accesses.size(), 2u);
  EXPECT_TRUE(plain.accesses[0].storesSame);
  EXPECT_FALSE(plain.accesses[1].storesSame);
}

TEST_F(ReadIr, AnAsynchronousCopyLoadsAndStores) {
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

TEST_F(ReadIr, InlineAssemblyAccessesTheAddressOfItsOperand) {
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

TEST_F(ReadIr, ALoadThatTheOptimiserRemovesIsNotNeededEachTime) {
  const char *load = "%x = load i32, ptr %a, !warplint.";
  EXPECT_EQ(
      loop(std::string(load) + "hoisted !0", "!0 = !{}").accesses.at(0).need,
      Need::Once);
  // Removed from a loop, with an address that stays: the value is carried.
  EXPECT_EQ(
      loop(std::string(load) + "removed !0", "!0 = !{}").accesses.at(0).need,
      Need::Once);
  EXPECT_EQ(straight(std::string(load) + "removed !0", "!0 = !{}")
                .accesses.at(0)
                .need,
            Need::Never);
  EXPECT_EQ(loop("%x = load i32, ptr %a").accesses.at(0).need, Need::EachTime);
}

// Two sides of a branch are never one request; what stands before and after
// it, without a barrier in between, may be.
TEST_F(ReadIr, AccessesOfOneRegionAreExecutedTogether) {
  Kernel read = kernel(R"(
define ptx_kernel void @k(ptr %a, i1 %c) {
entry:
  store i32 1, ptr %a
  br i1 %c, label %in, label %after
in:
  store i32 2, ptr %a
  br label %after
after:
  store i32 3, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 4, ptr %a
  ret void
}
)");
  ASSERT_EQ(read.accesses.size(), 4u);
  EXPECT_EQ(read.accesses[0].region, read.accesses[2].region);
  EXPECT_NE(read.accesses[0].region, read.accesses[1].region);
  EXPECT_EQ(read.accesses[2].barrierInterval, 0u);
  EXPECT_EQ(read.accesses[3].barrierInterval, 1u);
}

// --- what is not followed ---------------------------------------------------

TEST_F(ReadIr, ACallWithoutABodyStandsForItsAccesses) {
  Kernel read = straight("call void @_Z4scanPi(ptr %a)\n"
                         "%x = call float @__nv_sinf(float 1.0)",
                         "declare void @_Z4scanPi(ptr)\n"
                         "declare float @__nv_sinf(float)");
  EXPECT_THAT(read.notFollowed, ElementsAre("'scan', which has no body here"));
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.graph.node(read.accesses[0].address).op, Op::Varying);
}

TEST_F(ReadIr, RecursionIsNamedOnceWithItsAccesses) {
  Kernel read = straight("call void @deep(ptr %a, i32 %n)",
                         R"(
define void @deep(ptr %p, i32 %n) {
  store i32 %n, ptr %p
  call void @deep(ptr %p, i32 %n)
  ret void
})");
  EXPECT_THAT(read.notFollowed, ElementsAre("recursion in 'deep'"));
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].operation, Operation::Store);
  EXPECT_EQ(read.accesses[0].space, Space::Unknown);
}

// Textures and fragments have layouts of their own: they are listed, and no
// reason why the kernel was read in part.
TEST_F(ReadIr, TexturesAndFragmentsAreListedWithoutFigures) {
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

// --- arrays -----------------------------------------------------------------

// `local-array` says which array it is and to which function it went.
TEST_F(ReadIr, ALocalArrayHasItsTypeAndTheFunctionThatGetsIt) {
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.arrays.size(), 1u);
  EXPECT_EQ(read.arrays[0].name, "weights");
  EXPECT_EQ(read.arrays[0].type, "float[3]");
  EXPECT_EQ(read.arrays[0].bytes, 12u);
  EXPECT_EQ(read.arrays[0].place.line, 2u);
  EXPECT_EQ(read.arrays[0].passedTo, "at");
  EXPECT_EQ(read.arrays[0].passedAt, (Place{"/src/user.cu", 3, 9}));
}

} // namespace warplint
