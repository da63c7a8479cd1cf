// Barriers of a block in IR: which calls are one, the condition of each, and
// what becomes of the threads that do not reach it.
#include "ir/read_barriers.h"
#include "ir_kernel.h"

using testing::ElementsAre;

namespace warplint {

class ReadBarriers : public IrKernel {
protected:
  size_t count(const std::string &body, const std::string &more = "") {
    return straight(body, more).barriers.size();
  }

  /// A kernel with a barrier that some threads reach, and `after` behind it.
  Kernel guarded(const std::string &after) {
    return kernel(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %work, label %after
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %a
  br label %after
after:
)" + after + R"(
  ret void
}
)");
  }
};

TEST_F(ReadBarriers, AllSpellingsOfABarrierOfTheBlockAreOne) {
  EXPECT_EQ(count("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"),
            1u);
  EXPECT_EQ(count("call void @llvm.nvvm.barrier.cta.sync.all(i32 0)",
                  "declare void @llvm.nvvm.barrier.cta.sync.all(i32)"),
            1u);
  EXPECT_EQ(count("%x = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 "
                  "0, i1 true)",
                  "declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, "
                  "i1)"),
            1u);
  for (const char *text : {"bar.sync 0;", "{ bar.sync\\090; }",
                           "barrier.sync $0;", "barrier.cta.sync.aligned 1;"})
    EXPECT_EQ(count("call void asm sideeffect \"" + std::string(text) +
                    "\", \"r\"(i32 %n)"),
              1u)
        << text;
}

// Other threads than those of the block wait, or nobody does.
TEST_F(ReadBarriers, BarriersOfSomeThreadsAreNone) {
  EXPECT_EQ(count("call void @llvm.nvvm.bar.warp.sync(i32 -1)",
                  "declare void @llvm.nvvm.bar.warp.sync(i32)"),
            0u);
  EXPECT_EQ(
      count(
          "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)",
          "declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)"),
      0u);
  EXPECT_EQ(count("call void @llvm.nvvm.barrier.cluster.arrive()",
                  "declare void @llvm.nvvm.barrier.cluster.arrive()"),
            0u);
  for (const char *text :
       {"bar.sync 1, 64;", "bar.arrive 1, 64;", "@p bar.sync 0;",
        "bar.warp.sync 0xffffffff;", "mbarrier.arrive.shared.b64 _, [$0];"})
    EXPECT_EQ(count("call void asm sideeffect \"" + std::string(text) +
                    "\", \"r\"(i32 %n)"),
              0u)
        << text;
}

TEST_F(ReadBarriers, ABarrierHasItsConditionAndItsLoops) {
  Kernel read = guarded("");
  ASSERT_EQ(read.barriers.size(), 1u);
  EXPECT_EQ(read.graph.node(read.barriers[0].guard).op, Op::LessSigned);
  EXPECT_TRUE(read.barriers[0].loops.empty());

  read = loop("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)");
  ASSERT_EQ(read.barriers.size(), 1u);
  EXPECT_THAT(read.barriers[0].loops, ElementsAre(0u));
}

TEST_F(ReadBarriers, ThreadsWithoutFurtherWorkOnlyReturn) {
  EXPECT_TRUE(guarded("").barriers.at(0).othersReturn);
  EXPECT_FALSE(guarded("store i32 2, ptr %b").barriers.at(0).othersReturn);
  EXPECT_FALSE(
      guarded("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
          .barriers.at(0)
          .othersReturn);
}

// 'if (warp != 0) { partial[warp] = sum; return; }' before the barrier.
TEST_F(ReadBarriers, ThreadsThatHandOverTheirWorkReturn) {
  auto others = [&](const std::string &work) {
    return kernel(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %wait, label %other
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr %a
  br label %done
other:
)" + work + R"(
  br label %done
done:
  ret void
}
)")
        .barriers.at(0)
        .othersReturn;
  };
  EXPECT_TRUE(others("store i32 2, ptr %b"));
  EXPECT_FALSE(
      others("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"));
}

// Threads that go on past an assertion have passed it: it selects no threads.
TEST_F(ReadBarriers, AnAssertionIsNoCondition) {
  Kernel read = kernel(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %good = icmp slt i32 %t, %n
  br i1 %good, label %work, label %failed
failed:
  call void @llvm.trap()
  unreachable
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
declare void @llvm.trap()
)");
  ASSERT_EQ(read.barriers.size(), 1u);
  EXPECT_TRUE(read.graph.isConstant(read.barriers[0].guard, 1));
}

} // namespace warplint
