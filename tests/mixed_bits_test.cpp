// No order of the lanes coalesces what a random number chooses: to call that a
// stride sends the user looking for one.
#include "cost/mixed_bits.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class MixedBits : public testing::Test, protected ModelBuilder {
protected:
  ValueId a = object("a"), n = argument("n");
  ValueId right(ValueId x, uint64_t bits) {
    return make(Op::ShiftRightUnsigned, x, number(bits));
  }
  ValueId folded(ValueId x, uint64_t bits) {
    return make(Op::Xor, x, right(x, bits));
  }
  ValueId hash(ValueId x) {
    return folded(times(folded(x, 16), 0x7feb352d), 15);
  }
  bool isMixed(ValueId index) {
    return hasMixedBits(graph, element(a, index, 4));
  }
};

TEST_F(MixedBits, AHashOfTheThread) {
  EXPECT_TRUE(isMixed(make(Op::RemainderUnsigned, hash(thread()), n)));
  EXPECT_FALSE(isMixed(make(Op::RemainderUnsigned, thread(), n)));
  // All lanes have the same one.
  EXPECT_FALSE(isMixed(add(thread(), hash(argument("seed")))));
}

TEST_F(MixedBits, ASwizzleIsNone) {
  EXPECT_FALSE(isMixed(folded(thread(), 3)));
  EXPECT_FALSE(isMixed(folded(folded(thread(), 3), 1)));
  EXPECT_FALSE(isMixed(make(Op::Xor, thread(), n))); // a butterfly
  EXPECT_FALSE(isMixed(times(thread(), 65'537)));    // a diagonal
}

TEST_F(MixedBits, ALinearCongruence) {
  const Counted loop = countedLoop(0, 100);
  const ValueId state = graph.carried(loop.loop, 64, false);
  graph.setCarried(state, thread(),
                   add(times(state, 1'664'525), number(1'013'904'223)));
  EXPECT_TRUE(isMixed(make(Op::RemainderUnsigned, state, n)));
  const ValueId sum = graph.carried(loop.loop, 64, false);
  graph.setCarried(sum, thread(), add(sum, number(1'664'525)));
  EXPECT_FALSE(isMixed(make(Op::RemainderUnsigned, sum, n)));
}

// Digits of a number: 32 bits that are multiplied in 64 do not wrap.
TEST_F(MixedBits, AQuotientByAConstantIsNone) {
  const Counted loop = countedLoop(0, 100);
  const ValueId rest = graph.carried(loop.loop, 32, false);
  const ValueId wide = graph.make(Op::Resize, 64, {rest});
  const ValueId quotient = right(times(wide, 0xcccccccd), 35);
  graph.setCarried(rest, graph.make(Op::Resize, 32, {thread()}),
                   graph.make(Op::Resize, 32, {quotient}));
  EXPECT_FALSE(isMixed(graph.make(Op::Resize, 64, {rest})));
}

TEST_F(MixedBits, ABucketAmongFewMovesLittle) {
  const ValueId bucket =
      make(Op::RemainderUnsigned, hash(thread()), number(4));
  EXPECT_FALSE(isMixed(add(make(Op::Multiply, thread(), n), bucket)));
}

TEST_F(MixedBits, AConditionMovesNothing) {
  const ValueId isOdd = is(Op::LessUnsigned, hash(thread()), n);
  EXPECT_FALSE(isMixed(graph.make(Op::Select, 64, {isOdd, thread(), n})));
}

} // namespace
