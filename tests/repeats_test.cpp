// Accesses that a loop executes more than once: one of `if (k == n - 1)` is not
// repeated, and a report of it would be wrong.
#include "cost/repeats.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class Repeats : public testing::Test, protected ModelBuilder {
protected:
  bool comeAgain(ValueId guard) {
    Access &store = access(object("a"), 4, Operation::Store);
    store.loops = {counted.loop};
    store.guard = guard;
    CostedKernel costed{kernel, {}, {}};
    for (const KernelShape &shape : kernel.shapes)
      costed.shapes.push_back({shape, {}});
    return comesAgain(costed, store, counted.loop);
  }

  ValueId n = argument("n");
  Counted counted = countedLoop(number(0), n, number(1));
  ValueId k = counted.counter;
};

} // namespace

TEST_F(Repeats, AnAccessWithoutAConditionDoes) {
  EXPECT_TRUE(comeAgain(graph.always()));
  EXPECT_TRUE(comeAgain(is(Op::LessSigned, thread(), number(8))));
}

TEST_F(Repeats, AnAccessOfOneIterationDoesNot) {
  for (ValueId guard :
       {is(Op::Equal, k, number(0)), is(Op::Equal, add(n, number(~0ull)), k),
        is(Op::Equal, add(k, number(1)), n),
        graph.make(Op::And, 1,
                   {is(Op::LessSigned, thread(), n), is(Op::Equal, k, n)})})
    EXPECT_FALSE(comeAgain(guard)) << guard;
}

TEST_F(Repeats, OnlySuccessiveIterationsCount) {
  const ValueId even = make(Op::RemainderUnsigned, k, number(2));
  EXPECT_FALSE(comeAgain(is(Op::Equal, k, thread())));
  EXPECT_TRUE(comeAgain(
      is(Op::Equal, make(Op::DivideUnsigned, k, number(4)), number(0))));
  // No thread executes it in two successive iterations.
  EXPECT_FALSE(comeAgain(is(Op::Equal, even, number(0))));
}

// A condition that fails with large sizes may hold with small ones.
TEST_F(Repeats, AConditionThatHoldsForSmallSizesCounts) {
  const ValueId isEven =
      is(Op::Equal, make(Op::RemainderUnsigned, k, number(2)), number(0));
  EXPECT_TRUE(comeAgain(
      graph.make(Op::Or, 1, {isEven, is(Op::LessSigned, n, number(64))})));
}

TEST_F(Repeats, AnAccessOfOtherBlocksDoes) {
  EXPECT_TRUE(comeAgain(is(Op::LessSigned, number(5000), thread())));
}
