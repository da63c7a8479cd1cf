#include "cost/carried_sums.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class CarriedSumsTest : public testing::Test, protected WarpBuilder {
protected:
  /// The innermost value of a pointer that each loop of a nest steps: by 5 in
  /// the innermost one, behind each inner loop by 7 in the first loop, by 8 in
  /// the second, and so on.
  ValueId steppedByNest(const std::vector<ValueId> &bounds) {
    std::vector<ValueId> values;
    for (LoopId id = 0; id < bounds.size(); ++id) {
      const ValueId counter =
          countedLoop(number(0), bounds[id], number(1)).counter;
      const ValueId before = graph.carried(id, 1, false),
                    goesOn = graph.make(
                        Op::And, 1,
                        {before, is(Op::LessSigned, counter, bounds[id])});
      graph.setCarried(
          before, id ? kernel.loops[id - 1].continues : graph.always(), goesOn);
      kernel.loops[id].continues = goesOn;
      values.push_back(graph.carried(id, 64, false));
    }
    ValueId next = add(values.back(), number(5));
    for (LoopId id = bounds.size(); id-- > 0;) {
      graph.setCarried(values[id], id ? values[id - 1] : thread(), next);
      if (id)
        next = add(final(values[id], id), number(6 + id));
    }
    return values.back();
  }
};

// matconvnet's kernels step pointers in four loops, of which each begins where
// the outer one is: their addresses were "too long to evaluate".
TEST_F(CarriedSumsTest, APointerThatANestStepsIsTheSumOfItsLoops) {
  const ValueId two = number(2);
  const ValueId value = steppedByNest({two, two, two, two});
  EXPECT_EQ(lanes(value, {32, 1, 1}, 0, {1, 1, 1, 1}).value[3],
            3u + 5 + (10 + 9) + (38 + 8) + (92 + 7));
  EXPECT_EQ(lanes(value, {32, 1, 1}, 0, {0, 1, 0, 1}).value[3],
            3u + 5 + (38 + 8));
}

TEST_F(CarriedSumsTest, EachLaneLeavesTheLoopsOfANestByItself) {
  const ValueId value = steppedByNest({number(3), add(thread(), number(1))});
  const LaneValues later = lanes(value, {32, 1, 1}, 0, {2, 1});
  for (unsigned lane : {0u, 1u, 31u})
    EXPECT_EQ(later.value[lane], lane + 2 * (5 * (lane + 1) + 7) + 5);
}

TEST_F(CarriedSumsTest, ANestOfUnknownLengthIsNotFollowedIterationByIteration) {
  const ValueId value = steppedByNest(
      {argument("a"), argument("b"), argument("c"), argument("d")});
  Evaluation evaluation(kernel);
  const long before = evaluation.budget;
  const LaneValues later =
      Warp(evaluation, {32, 1, 1}, 0, 0, 0).evaluate(value, {9, 9, 9, 9});
  EXPECT_EQ(later.unknown, 0u);
  EXPECT_TRUE(later.assumed);
  EXPECT_EQ(later.value[5], later.value[0] + 5);
  EXPECT_LT(before - evaluation.budget, 10'000);
}

TEST_F(CarriedSumsTest, ACounterIsASumOfItsStep) {
  const ValueId step = argument("step");
  const auto [loop, counter] = countedLoop(thread(), argument("n"), step);
  const ValueId product = graph.carried(loop, 64, false);
  graph.setCarried(product, number(1),
                   graph.make(Op::Multiply, 64, {product, number(3)}));
  Evaluation evaluation(kernel);
  CarriedSums sums(evaluation);
  EXPECT_TRUE(sums.of(counter).isSum);
  EXPECT_EQ(sums.of(counter).terms, std::vector<ValueId>{step});
  EXPECT_FALSE(sums.of(counter).isOfNest());
  EXPECT_FALSE(sums.of(product).isSum);
}

} // namespace
