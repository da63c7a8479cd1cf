// Tests which values stay the same by their nature: the probe values alone
// would call a quotient loop-invariant, and a check would advise to hoist it.
#include "cost/lanes.h"
#include "cost/same_address.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class Steady : public testing::Test, protected ModelBuilder {
protected:
  /// Of a store to the element of `a` in a loop.
  std::optional<bool> same(ValueId a, ValueId index, LoopId loop) {
    Access &store = access(element(a, index, 4), 4, Operation::Store);
    store.loops = {loop};
    return sameAddressNextIteration(kernel, {32, 1, 1}, store, loop);
  }
};

// The sizes that stand for the unknown are large; a quotient of the counter by
// one of them is the same in the first two iterations alone.
TEST_F(Steady, AValueThatLaterIterationsChangeIsNotLoopInvariant) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  ValueId a = object("a"), width = argument("width");
  auto same = [&, loop = loop](ValueId index) {
    return this->same(a, index, loop);
  };
  ValueId first = is(Op::LessSigned, k, width),
          one = graph.make(
              Op::Select, 64,
              {is(Op::LessUnsigned, width, number(0)), number(5), number(1)});
  for (ValueId index :
       {make(Op::DivideSigned, k, width),
        make(Op::DivideUnsigned, k, number(4)),
        make(Op::ShiftRightUnsigned, k, number(3)),
        make(Op::MultiplyHighUnsigned, k, number(3435973837)),
        make(Op::MaxSigned, k, width), make(Op::And, k, number(~uint64_t(7))),
        add(thread(), make(Op::DivideSigned, k, width)),
        // The stages of a buffer: by sizes that are not known, one.
        make(Op::RemainderUnsigned, k, one),
        graph.make(Op::Select, 64, {first, thread(), number(5)})})
    EXPECT_EQ(same(index), std::nullopt) << index;
  EXPECT_EQ(same(make(Op::DivideSigned, thread(), width)), true);
  EXPECT_EQ(same(graph.make(Op::Select, 64, {first, thread(), thread()})),
            true);
}

// "each time the same element", of a hash grid: for large sizes the index is 0,
// and for small ones it is what an array holds, which nobody knows.
TEST_F(Steady, AValueThatASizeChoosesIsNotLoopInvariantIfAnotherIsNot) {
  auto [loop, k] = countedLoop(number(0), argument("n"), number(1));
  ValueId a = object("a"), width = argument("width");
  auto same = [&, loop = loop](ValueId index) {
    return this->same(a, index, loop);
  };
  ValueId isSmall = is(Op::LessUnsigned, width, number(5));
  ValueId unknown = graph.unknown(Op::Varying, "an array", 64, false);
  auto chosen = [&](ValueId small) {
    return graph.make(Op::Select, 64, {isSmall, small, number(7)});
  };
  EXPECT_EQ(same(chosen(k)), std::nullopt);
  EXPECT_EQ(same(chosen(unknown)), std::nullopt);
  EXPECT_EQ(same(chosen(thread())), true);
  ValueId hidden = graph.make(Op::Select, 64, {isSmall, unknown, number(3)});
  EXPECT_EQ(same(chosen(add(hidden, 1))), std::nullopt);
  ValueId isLarge = is(Op::LessEqualUnsigned, number(5), width);
  EXPECT_EQ(same(graph.make(Op::Join, 64, {isSmall, k, isLarge, number(7)})),
            std::nullopt);
}

TEST_F(Steady, AQuotientThatOtherBlocksChangeIsNotOneAddressForAll) {
  ValueId a = object("a");
  ValueId thread =
      add(times(graph.special(Op::BlockIndex, 0, 64), 256), this->thread());
  auto same = [&](ValueId index) {
    return sameAddressForAll(kernel, {256, 1, 1},
                             access(element(a, index, 4), 4));
  };
  EXPECT_FALSE(same(make(Op::DivideUnsigned, thread, number(1024))));
  EXPECT_FALSE(same(make(Op::DivideUnsigned, thread, argument("width"))));
  EXPECT_FALSE(same(make(Op::DivideUnsigned, this->thread(), number(64))));
  EXPECT_TRUE(same(make(Op::DivideUnsigned, this->thread(), number(1024))));
}

// `&bins[i & 3]` is `(i << 2) & 12` in PTX: a remainder of all blocks.
TEST_F(Steady, AMaskOfWhatHasNoLowBitsIsARemainder) {
  const ValueId a = object("a");
  const ValueId thread =
      add(times(graph.special(Op::BlockIndex, 0, 64), 256), this->thread());
  const auto mayDiffer = [&](ValueId index) {
    Evaluation evaluation(kernel);
    return mayDifferByBlock(evaluation, {256, 1, 1}, element(a, index, 1));
  };
  EXPECT_FALSE(mayDiffer(make(Op::And, times(thread, 4), number(12))));
  EXPECT_TRUE(mayDiffer(make(Op::And, thread, number(12))));
  EXPECT_TRUE(mayDiffer(make(Op::And, times(thread, 4), number(1 << 20))));
}

} // namespace
