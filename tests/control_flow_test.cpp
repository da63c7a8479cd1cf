// Which threads reach a block: what decides every figure of divergence.
#include "ir/control_flow.h"
#include "graph_of_ir.h"

namespace warplint {

using ControlFlowTest = IrGraphTest;

// Code behind a grid-stride loop is done by all threads, however many
// iterations each had: as divergent it would cost too little.
TEST_F(ControlFlowTest, AllThreadsLeaveALoopByItsOnlyExit) {
  read(countedLoop);
  EXPECT_EQ(reach("after"), "1");
}

TEST_F(ControlFlowTest, ReachingTheNextIterationIsACarriedCondition) {
  read(countedLoop);
  const ValueId there = graph_->reach(block("loop"));
  ASSERT_EQ(kernel_.graph.node(there).op, Op::Carried);
  EXPECT_EQ(textOf(kernel_, kernel_.graph.operand(there, 0)), "1");
  EXPECT_EQ(textOf(kernel_, graph_->edge(block("loop"), block("loop"))),
            "(loop0 & ((loop0 + 32) < n))");
}

// A thread is behind a `break` if it ever took it.
TEST_F(ControlFlowTest, ABreakIsTakenInSomeIteration) {
  read(R"(
define void @k(i32 %n, i32 %wanted) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %hit = icmp eq i32 %i, %wanted
  br i1 %hit, label %found, label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %after
found:
  br label %after
after:
  ret void
})");
  EXPECT_EQ(reach("found"), "ever0((loop0 & (loop0 == wanted)))");
}

// Not the square of the number of its cases.
TEST_F(ControlFlowTest, ACaseIsReachedByItsOwnValuesAlone) {
  std::string cases, blocks;
  for (int i = 0; i < 200; ++i) {
    const std::string block = "case" + std::to_string(i);
    cases += "    i32 " + std::to_string(i) + ", label %" + block + "\n";
    blocks += block + ":\n  br label %after\n";
  }
  read("define void @k(i32 %n) {\nentry:\n  switch i32 %n, label %other [\n" +
       cases + "  ]\n" + blocks +
       "other:\n  br label %after\nafter:\n  ret void\n}");
  EXPECT_EQ(reach("case7"), "(n == 7)");
  for (int i = 0; i < 200; ++i)
    reach("case" + std::to_string(i));
  reach("other");
  EXPECT_LT(kernel_.graph.size(), 1000u);
}

TEST_F(ControlFlowTest, ABlockHasTheConditionsOfTheBranchesAboveIt) {
  read(R"(
define void @k(i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %yes, label %no
yes:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %join
one:
  br label %join
no:
  br label %join
join:
  %v = phi i32 [ 1, %yes ], [ 2, %one ], [ 3, %no ]
  ret void
})");
  EXPECT_EQ(reach("yes"), "(tid.x < n)");
  EXPECT_EQ(reach("one"), "((tid.x < n) & (tid.x == 0))");
  EXPECT_EQ(reach("no"), "!(tid.x < n)");
  EXPECT_EQ(reach("join"), "1");
  EXPECT_EQ(value("v"), "join(((tid.x < n) & !(tid.x == 0)), 1, "
                        "((tid.x < n) & (tid.x == 0)), 2, !(tid.x < n), 3)");
}

TEST_F(ControlFlowTest, ACaseIsReachedByItsValuesAndTheDefaultByAllOthers) {
  read(R"(
define void @k(i32 %n) {
entry:
  switch i32 %n, label %rest [ i32 1, label %a
                               i32 2, label %a
                               i32 5, label %b ]
a:
  br label %end
b:
  br label %end
rest:
  br label %end
end:
  ret void
})");
  EXPECT_EQ(reach("a"), "((n == 1) | (n == 2))");
  EXPECT_EQ(reach("b"), "(n == 5)");
  EXPECT_EQ(reach("rest"), "!(((n == 1) | (n == 2)) | (n == 5))");
  EXPECT_EQ(reach("end"), "1");
}

// A cycle with two entries is no loop. It has to end in an unknown value, not
// in recursion.
TEST_F(ControlFlowTest, ACycleWithTwoEntriesIsUnknownWithTheReason) {
  read(R"(
define void @k(i1 %c, i1 %d) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = phi i32 [ 0, %entry ], [ %y, %right ]
  br label %right
right:
  %y = phi i32 [ 1, %entry ], [ %x, %left ]
  br i1 %d, label %left, label %after
after:
  ret void
})");
  EXPECT_NE(value("x").find("irreducible control flow"), std::string::npos);
  EXPECT_EQ(reach("after"), "1");
}

} // namespace warplint
