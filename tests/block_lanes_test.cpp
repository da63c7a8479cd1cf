// Which threads of a block a condition lets through, whatever the sizes are, of
// kernels by hand.
#include "cost/block_lanes.h"
#include "model_builder.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct BlockLanesOf : testing::Test {
  ModelBuilder b;

  Threads may(ValueId condition, Shape shape = {96, 1, 1}) {
    KernelShape launched;
    launched.shape = shape;
    return BlockLanes(b.kernel, launched).may(condition, Iterations());
  }
};

} // namespace

TEST_F(BlockLanesOf, OneThreadIsTheOnlyOneOfItsBlock) {
  const Threads first = may(b.is(Op::Equal, b.thread(), b.number(0)));
  EXPECT_EQ(first, (Threads{1, 0, 0}));
  EXPECT_EQ(count(first), 1u);
  EXPECT_EQ(mostInOneWarp(first), 1u);
}

TEST_F(BlockLanesOf, OneLaneOfEachWarpIsNotOneThread) {
  const ValueId lane = b.make(Op::RemainderUnsigned, b.thread(), b.number(32));
  const Threads first = may(b.is(Op::Equal, lane, b.number(0)));
  EXPECT_EQ(first, (Threads{1, 1, 1}));
  EXPECT_EQ(count(first), 3u);
  EXPECT_EQ(mostInOneWarp(first), 1u);
}

// The block of a probe size would look as if it stood idle.
TEST_F(BlockLanesOf, SizesThatNobodyWroteRuleOutNoThread) {
  EXPECT_EQ(count(may(b.is(Op::LessSigned, b.thread(), b.argument("n")))), 96u);
  EXPECT_EQ(count(may(b.is(Op::LessSigned, b.argument("n"), b.thread()))), 96u);
}

TEST_F(BlockLanesOf, DataRuleOutNoThread) {
  EXPECT_EQ(count(may(b.is(Op::LessSigned, b.varying(), b.number(3)))), 96u);
}

// A thread that is ruled out stays so, whatever the other term is.
TEST_F(BlockLanesOf, AKnownTermDecidesBesideAnUnknownOne) {
  EXPECT_EQ(count(may(b.graph.both(
                b.is(Op::Equal, b.thread(), b.number(5)),
                b.is(Op::LessSigned, b.number(0), b.argument("n"))))),
            1u);
}

TEST_F(BlockLanesOf, LanesThatDoNotExistTakeNoPart) {
  EXPECT_EQ(count(may(b.graph.always(), {40, 1, 1})), 40u);
}

// Beside an unknown term, a thread may pass and need not.
TEST_F(BlockLanesOf, ThreadsThatMustPassDoSoWhateverIsUnknown) {
  KernelShape launched;
  launched.shape = {96, 1, 1};
  const Iterations first;
  const ValueId some = b.is(Op::LessSigned, b.thread(), b.number(40));
  BlockLanes lanes(b.kernel, launched);
  EXPECT_EQ(count(lanes.must(some, first)), 40u);
  EXPECT_EQ(count(lanes.must(b.graph.both(some, b.flag("f")), first)), 0u);
}

TEST_F(BlockLanesOf, ABlockHasItsPlaceInTheGrid) {
  KernelShape launched;
  launched.shape = {96, 1, 1};
  const ValueId second =
      b.is(Op::Equal, b.graph.special(Op::BlockIndex, 0, 64), b.number(1));
  auto must = [&](std::optional<BlockPlace> place) {
    BlockLanes lanes(b.kernel, launched, place);
    return count(lanes.must(second, Iterations()));
  };
  EXPECT_EQ(must(BlockPlace{1, 0, 0}), 96u);
  EXPECT_EQ(must(BlockPlace{2, 0, 0}), 0u);
  EXPECT_EQ(must(std::nullopt), 0u);
}

namespace {

/// The iterations of the first loop of a kernel, in blocks of 96 threads.
std::optional<std::vector<double>> tripsOf(const std::string &loop) {
  SourceModel model =
      readText("__global__ void k(int *out, int n, int m) {\n" + loop +
               "    out[i] = n;\n"
               "}\n"
               "void run(int *o, int m) {\n"
               "  k<<<8, 96>>>(o, 1000, m);\n"
               "}\n");
  const Kernel &kernel = model.kernels.at(0);
  return BlockLanes(kernel, kernel.shapes.at(0)).trips(0);
}

} // namespace

// 1000 is 10 times 96, and 40.
TEST(BlockTrips, ThreadsThatBeginLaterHaveFewerIterations) {
  auto trips = tripsOf("for (int i = threadIdx.x; i < n; i += blockDim.x)\n");
  ASSERT_TRUE(trips);
  ASSERT_EQ(trips->size(), 96u);
  EXPECT_EQ((*trips)[0], (*trips)[39]);
  EXPECT_EQ((*trips)[39], (*trips)[40] + 1);
  EXPECT_EQ((*trips)[40], (*trips)[95]);
}

TEST(BlockTrips, ALoopFromOneNumberIsTheSameForAll) {
  auto trips = tripsOf("for (int i = 0; i < n; i += 3)\n");
  ASSERT_TRUE(trips);
  EXPECT_EQ(trips->front(), trips->back());
}

TEST(BlockTrips, AreUnknownWhereABoundIsOrStepsDiffer) {
  EXPECT_FALSE(tripsOf("for (int i = threadIdx.x; i < m; i += blockDim.x)\n"));
  EXPECT_FALSE(tripsOf("for (int i = threadIdx.x + 1; i < n; i *= 2)\n"));
  EXPECT_FALSE(tripsOf("for (int i = threadIdx.x; out[i] < n; ++i)\n"));
}
