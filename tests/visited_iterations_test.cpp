#include "cost/visited_iterations.h"
#include "warp_builder.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class VisitedIterationsTest : public testing::Test, protected WarpBuilder {
protected:
  std::vector<Iterations> iterationsOf(const std::vector<LoopId> &loops) {
    return iterationsOf(loops, graph.always());
  }
  std::vector<Iterations> iterationsOf(const std::vector<LoopId> &loops,
                                       ValueId guard) {
    Evaluation evaluation(kernel);
    std::vector<Iterations> all;
    Warp(evaluation, {32, 1, 1}, 0, 0, 0)
        .forEachIteration(loops, guard, [&](const Iterations &iterations) {
          all.push_back(iterations);
          return true;
        });
    return all;
  }
};

TEST_F(VisitedIterationsTest, KnownLoopsAreEvaluatedInFull) {
  auto [outer, i] = countedLoop(0, 3);
  auto [inner, j] = countedLoop(number(0), i, number(1));
  std::vector<Iterations> all = iterationsOf({outer, inner});
  EXPECT_EQ(all, (std::vector<Iterations>{{1, 0}, {2, 0}, {2, 1}}));
}

TEST_F(VisitedIterationsTest, UnknownLoopsAreEvaluatedForTwoIterations) {
  auto [loop, i] = countedLoop(number(0), argument("n"), number(1));
  EXPECT_EQ(iterationsOf({loop}), (std::vector<Iterations>{{0}, {1}}));
}

// 'step - threadIdx.x >= 0': one more lane in each step, up to the 32nd.
TEST_F(VisitedIterationsTest, IterationsBeforeAllLanesHaveJoinedAreLeftOut) {
  auto [loop, step] = countedLoop(number(0), argument("n"), number(1));
  EXPECT_EQ(iterationsOf({loop}, is(Op::LessEqualSigned, thread(), step)),
            (std::vector<Iterations>{{31}, {32}}));
  EXPECT_EQ(iterationsOf({loop}, is(Op::LessEqualSigned, step, thread())),
            (std::vector<Iterations>{{0}, {1}}))
      << "lanes that leave one by one";
}

// The bits of a set of loops are fewer than a large kernel's loops.
TEST_F(VisitedIterationsTest, LanesJoinALoopBehindManyOthersAsWell) {
  for (unsigned i = 0; i < 70; ++i)
    countedLoop(0, 2);
  auto [loop, step] = countedLoop(number(0), argument("n"), number(1));
  const auto all =
      iterationsOf({loop}, is(Op::LessEqualSigned, thread(), step));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0][loop], 31);
}

TEST_F(VisitedIterationsTest, ALoopThatIsNeverEnteredHasNoIterations) {
  auto [loop, i] = countedLoop(5, 5);
  EXPECT_TRUE(iterationsOf({loop}).empty());
}

// A grid-stride loop has an unknown trip count; the loop of seven iterations in
// it has seven.
TEST_F(VisitedIterationsTest, AKnownLoopInAnUnknownOneRunsInFull) {
  Counted outer = countedLoop(number(0), argument("n"), number(1));
  Counted inner = countedLoop(0, 7);
  ValueId inside = is(Op::LessSigned, outer.counter, argument("n"));
  kernel.loops[inner.loop].parent = outer.loop;
  kernel.loops[inner.loop].continues =
      graph.both(inside, kernel.loops[inner.loop].continues);
  std::vector<Iterations> iterations = iterationsOf({outer.loop, inner.loop});
  EXPECT_EQ(llvm::count_if(iterations,
                           [&](const Iterations &t) { return !t[outer.loop]; }),
            7);
}

// A nest of long loops gives averages, and does not take all day.
TEST_F(VisitedIterationsTest, ANestIsVisitedALimitedNumberOfTimes) {
  const LoopId outer = countedLoop(0, 40).loop, inner = countedLoop(0, 40).loop;
  EXPECT_EQ(iterationsOf({outer, inner}).size(), 256u);
}

} // namespace
