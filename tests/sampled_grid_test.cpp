#include "cost/sampled_grid.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class SampledGridTest : public testing::Test, protected ModelBuilder {};

// One low block of many would say 12 sectors of a stride that is nearly always
// large (31.89 measured), and 16 of one that every third block has (9.33).
TEST_F(SampledGridTest, AStrideOfTheBlockIsThatOfTheWholeGrid) {
  ValueId block = graph.special(Op::BlockIndex, 0, 64);
  auto ofStride = [&](ValueId stride, std::optional<uint64_t> blocks) {
    access(element(object("a"), make(Op::Multiply, thread(), stride), 4), 4);
    const KernelShape shape{
        {32, 1, 1}, ShapeSource::Launch, {}, {{{blocks, 1, 1}, {}}}};
    return costs(kernel, shape).back();
  };
  const ValueId growing = add(block, number(1));
  const Cost large = ofStride(growing, 1024);
  EXPECT_EQ(large.basis, Basis::Assumed) << "of some blocks";
  EXPECT_NEAR(large.sectors, 31.89, 0.2);
  EXPECT_DOUBLE_EQ(large.low, 4);
  EXPECT_DOUBLE_EQ(large.high, 32);
  const Cost small = ofStride(growing, 8);
  EXPECT_EQ(small.basis, Basis::Exact) << "of all blocks";
  EXPECT_DOUBLE_EQ(small.sectors, 18);
  const Cost open = ofStride(growing, std::nullopt);
  EXPECT_EQ(open.basis, Basis::Assumed);
  EXPECT_DOUBLE_EQ(open.low, 4);
  EXPECT_DOUBLE_EQ(open.high, 32);

  const ValueId third = make(Op::RemainderUnsigned, block, number(3));
  const Cost thirds = ofStride(
      graph.make(Op::ShiftLeft, 64, {number(1), third}), 65536);
  EXPECT_EQ(thirds.basis, Basis::Exact) << "as all runs of blocks have it";
  EXPECT_DOUBLE_EQ(thirds.sectors, 28.0 / 3);
  EXPECT_DOUBLE_EQ(thirds.low, 4);
  EXPECT_DOUBLE_EQ(thirds.high, 16);
}

// Where the first of two alike took all evaluations, the second had the figure
// of one block: a softmax loaded 32 sectors here and stored 31.96 there.
TEST_F(SampledGridTest, AccessesOfOnePatternAreFollowedEquallyFar) {
  const Counted steps = countedLoop(0, 200);
  const ValueId stride = add(graph.special(Op::BlockIndex, 0, 64), number(1));
  const ValueId index =
      add(make(Op::Multiply, thread(), stride), steps.counter);
  for (const char *name : {"a", "b", "c"})
    access(element(object(name), index, 4), 4).loops = {steps.loop};
  const KernelShape shape{
      {512, 1, 1}, ShapeSource::Launch, {}, {{{4096, 1, 1}, {}}}};
  const std::vector<Cost> all = costs(kernel, shape);
  EXPECT_NEAR(all[0].sectors, 31.97, 0.1);
  for (const Cost &other : all) {
    EXPECT_DOUBLE_EQ(other.sectors, all[0].sectors);
    EXPECT_DOUBLE_EQ(other.low, all[0].low);
    EXPECT_EQ(other.basis, all[0].basis);
  }
}

// Rows of 33 words in every other block have no conflict.
TEST_F(SampledGridTest, ATileThatEveryOtherBlockPadsHasHalfTheConflicts) {
  ValueId odd = make(Op::And, graph.special(Op::BlockIndex, 0, 64), number(1));
  access(element(object("s", Space::Shared, 4224),
                 make(Op::Multiply, thread(), add(odd, number(32))), 4),
         4, Operation::Load, Space::Shared);
  const KernelShape shape{
      {32, 1, 1}, ShapeSource::Launch, {}, {{{4096, 1, 1}, {}}}};
  const Cost cost = costs(kernel, shape).back();
  EXPECT_DOUBLE_EQ(cost.ways, 16.5);
  EXPECT_DOUBLE_EQ(cost.low, 1);
  EXPECT_DOUBLE_EQ(cost.high, 32);
}

} // namespace
