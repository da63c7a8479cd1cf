// What checks are told of an access, from its instruction.
#include "ir/read_accesses.h"
#include "ir_kernel.h"

using testing::ElementsAre;

namespace warplint {

using ReadAccesses = IrKernel;

// A copy was made volatile so that no pass takes it apart; the source did not
// say `volatile`, and `check` must not treat it so.
TEST_F(ReadAccesses, ASplitCopyIsNotVolatile) {
  Kernel read =
      straight("%x = load volatile i32, ptr %a, !warplint.copy !0", "!0 = !{}");
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_FALSE(read.accesses[0].isVolatile);
}

TEST_F(ReadAccesses, TheCompilersOwnTemporariesAreNoAccesses) {
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

TEST_F(ReadAccesses, AStoreOfALoopInvariantValueStoresTheSame) {
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

TEST_F(ReadAccesses, ALoadThatTheOptimiserRemovesIsNotNeededEachTime) {
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
TEST_F(ReadAccesses, AccessesOfOneRegionAreExecutedTogether) {
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

TEST_F(ReadAccesses, RecursionIsNamedOnceWithItsAccesses) {
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

} // namespace warplint
