// Values of IR as expressions: what decides every figure of sectors and bank
// conflicts.
#include "ir/ir_graph.h"
#include "graph_of_ir.h"

namespace warplint {

// --- values -----------------------------------------------------------------

// Without the size of an element, every stride would be wrong.
TEST_F(IrGraphTest, AnAddressIsTheBaseAndBytes) {
  read(R"(
define void @k(ptr %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %t, %n
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %wide
  %q = getelementptr { i32, [4 x i64] }, ptr %a, i64 1, i32 1, i64 2
  ret void
})");
  EXPECT_EQ(value("p"), "(&a + (sext((tid.x + n)) * 4))");
  EXPECT_EQ(value("q"), "(((&a + 40) + 8) + 16)");
  EXPECT_TRUE(kernel_.graph.node(idOf("p")).pointer);
  EXPECT_EQ(kernel_.objects.at(0).space, Space::Global);
}

// A narrow index that lost its sign would lead 16 GiB past the array.
TEST_F(IrGraphTest, ANarrowIndexKeepsItsSign) {
  read(R"(
define void @k(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %a, i32 %t
  %q = getelementptr i32, ptr %a, i32 -1
  ret void
})");
  EXPECT_EQ(value("p"), "(&a + (sext(tid.x) * 4))");
  EXPECT_EQ(value("q"), "(&a + -4)");
}

// `float4 v = p[i]; q[v.y]`: the index is said to come from p[i], at its own
// byte.
TEST_F(IrGraphTest, AComponentOfAVectorIsLoadedFromItsOwnByte) {
  read(R"(
define void @k(ptr %a) {
  %v = load <4 x i32>, ptr %a
  %y = extractelement <4 x i32> %v, i32 1
  ret void
})");
  EXPECT_EQ(value("y"), "v[(&a + 4)]");
}

// Structures are copied in pieces larger than their fields: each field still
// has a name and a place of its own.
TEST_F(IrGraphTest, AFieldIsCutOutOfACopiedWord) {
  read(R"(
define void @k(ptr %a) {
  %word = load i64, ptr %a, !warplint.copy !0
  %high = lshr i64 %word, 32
  %field = trunc i64 %high to i32
  %plain = load i64, ptr %a
  %shifted = lshr i64 %plain, 32
  %cut = trunc i64 %shifted to i32
  ret void
}
!0 = !{})");
  EXPECT_EQ(value("field"), "word[(&a + 4)]");
  EXPECT_NE(value("cut"), value("field"));
}

// --- loops ------------------------------------------------------------------

TEST_F(IrGraphTest, ACounterHasItsStartAndItsStep) {
  read(countedLoop);
  const ValueId i = idOf("i");
  ASSERT_EQ(kernel_.graph.node(i).op, Op::Carried);
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(i, 0)), "tid.x");
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(i, 1)), "(loop0 + 32)");
  EXPECT_EQ(graph_->flow().loopsAround(block("loop")), std::vector<LoopId>{0});
  EXPECT_TRUE(graph_->flow().loopsAround(block("after")).empty());
}

// After the loop, the lanes hold what each one's last iteration left.
TEST_F(IrGraphTest, AfterALoopAValueIsThatOfTheLastIteration) {
  read(countedLoop);
  EXPECT_EQ(valueAt("next", "loop"), "(loop0 + 32)");
  EXPECT_EQ(valueAt("next", "after"), "final0((loop0 + 32))");
}

// --- loads ------------------------------------------------------------------

// A table of constants says what an index into it gives, though it is memory.
TEST_F(IrGraphTest, AnElementOfAConstantTableIsItsNumber) {
  read(R"(
@t = internal addrspace(4) constant [2 x i32] [i32 5, i32 7], align 4
define void @k(i64 %i) {
  %p = getelementptr i32, ptr addrspace(4) @t, i64 %i
  %v = load i32, ptr addrspace(4) %p, align 4
  ret void
})");
  const std::string text = value("v");
  EXPECT_NE(text.find(", 5, "), std::string::npos) << text;
  EXPECT_NE(text.find(", 7, "), std::string::npos) << text;
}

// A policy's tile that is nearly always one size is reckoned with that size.
TEST_F(IrGraphTest, ALoadOfAUsualValueIsMarked) {
  read(R"(
define void @k(ptr %a) {
  %v = load i32, ptr %a, !warplint.usually !0
  ret void
}
!0 = !{i32 8})");
  EXPECT_EQ(value("v"), "usually 8(v[&a])");
}

} // namespace warplint
