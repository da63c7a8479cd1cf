// What calls return, above all where the lanes of a warp differ.
#include "ir/call_values.h"
#include "graph_of_ir.h"

namespace warplint {

using CallValuesTest = IrGraphTest;

TEST_F(CallValuesTest, RegistersOfTheWarpAreKnownInEverySpelling) {
  read(R"(
define void @k() {
  %size = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %asm = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %below = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %mask = call i32 asm "mov.u32 $0, %lanemask_lt;", "=r"()
  %clock = call i32 asm sideeffect "mov.u32 $0, %clock;", "=r"()
  ret void
})");
  EXPECT_EQ(value("size"), "32");
  EXPECT_EQ(value("lane"), "lane");
  EXPECT_EQ(value("asm"), "lane");
  EXPECT_EQ(value("below"), "((1 << lane) - 1)");
  EXPECT_EQ(value("mask"), value("below"));
  EXPECT_EQ(value("clock"), "uniform{%clock}");
}

// A warp's reduction writes with the lanes that its shuffle leaves.
TEST_F(CallValuesTest, AShuffleReadsAnotherLaneWithinItsSegment) {
  read(R"(
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define void @k(i32 %v) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 16, i32 31)
  ret void
})");
  EXPECT_EQ(value("x"), "fromLane(tid.x, select(((lane ^ 16) <= ((lane & 0) | "
                        "31)), (lane ^ 16), lane))");
}

// `__popc(__ballot(...))` counts the lanes that got here.
TEST_F(CallValuesTest, ABallotHasTheLanesThatReachIt) {
  read(R"(
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
define void @k(i1 %c, i1 %p) {
entry:
  br i1 %c, label %in, label %out
in:
  %votes = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)
  %count = call i32 @llvm.ctpop.i32(i32 %votes)
  br label %out
out:
  ret void
})");
  EXPECT_EQ(value("votes"), "ballot((c & p))");
  EXPECT_EQ(value("count"), "popc(ballot((c & p)))");
}

// A value that differs from lane to lane must not be taken for one value of the
// warp.
TEST_F(CallValuesTest, AnUnknownHasItsReasonAndIsUniformOrVarying) {
  read(R"(
declare i32 @_Z6lookupPi(ptr)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
define void @k(ptr %a, i1 %p, i32 %n, float %f) {
  %old = atomicrmw add ptr %a, i32 1 monotonic
  %call = call i32 @_Z6lookupPi(ptr %a)
  %vote = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %p)
  %match = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %n)
  %asm = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %n) memory(none)
  %elect = call i32 asm "elect.sync $0, $1;", "=r,r"(i32 %n) memory(none)
  %bits = bitcast float %f to i32
  ret void
})");
  EXPECT_EQ(value("old"), "varying{the result of an atomic}");
  EXPECT_EQ(value("call"), "varying{the result of 'lookup'}");
  EXPECT_EQ(value("vote"), "uniform{a vote of the warp}");
  EXPECT_EQ(value("match"), "varying{a shuffle}");
  EXPECT_EQ(value("asm"), "opaque{inline assembly}(n)");
  EXPECT_EQ(value("elect"), "varying{the result of inline assembly}");
  EXPECT_EQ(kernel_.graph.node(idOf("bits")).op, Op::Opaque);
}

TEST_F(CallValuesTest, FunctionsOfTheMathLibraryAreTheirOperation) {
  read(R"(
declare i32 @__nv_min(i32, i32)
declare i32 @__nv_clzll(i64)
define void @k(i32 %a, i32 %b, i64 %w) {
  %min = call i32 @__nv_min(i32 %a, i32 %b)
  %zeros = call i32 @__nv_clzll(i64 %w)
  ret void
})");
  EXPECT_EQ(value("min"), "min(a, b)");
  EXPECT_EQ(value("zeros"), "resize32(clz(w))");
}

} // namespace warplint
