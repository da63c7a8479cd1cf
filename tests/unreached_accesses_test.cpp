#include "cost/unreached_accesses.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class UnreachedAccessesTest : public testing::Test, protected ModelBuilder {};

TEST_F(UnreachedAccessesTest, UnreachableAccessesCountAllLanes) {
  access(element(object("a"), thread(), 4), 4).guard = graph.never();
  EXPECT_EQ(cost().basis, Basis::Assumed);
  EXPECT_DOUBLE_EQ(cost().sectors, 4);
  EXPECT_DOUBLE_EQ(cost().lanes, 32);
}

// A condition on an unknown size that is the same for all lanes changes no
// request.
TEST_F(UnreachedAccessesTest, AFlagThatExcludesAllThreadsLeavesTheFigureExact) {
  ValueId guard = is(Op::LessUnsigned, argument("n"), number(2));
  access(element(object("a"), thread(), 4), 4).guard = guard;
  EXPECT_EQ(cost().basis, Basis::Exact);
  EXPECT_DOUBLE_EQ(cost().sectors, 4);
  // Here data decide which lanes take part.
  access(element(object("b"), thread(), 4), 4).guard =
      graph.both(guard, is(Op::LessUnsigned, varying("the data"), number(5)));
  EXPECT_EQ(cost().basis, Basis::Assumed);
}

// `if (periodic == 1) if (x[i] > length) x[i] -= length`: the probe flag
// keeps all threads out, and what few of them do is no less up to the data for
// that.
TEST_F(UnreachedAccessesTest, LanesChosenByDataBehindAProbeFlagAreNotExact) {
  ValueId mask =
      graph.loaded(element(object("mask"), thread(), 4), "mask[i]", 1, false);
  ValueId flag = is(Op::Equal, argument("periodic"), number(1));
  access(element(object("a"), thread(), 4), 4).guard = graph.both(flag, mask);
  Cost rare = cost();
  EXPECT_EQ(rare.chosenBy, "'mask[i]', loaded from memory");
  EXPECT_DOUBLE_EQ(rare.sectors, 4);
  EXPECT_DOUBLE_EQ(rare.low, 1);
}

TEST_F(UnreachedAccessesTest, AProbeFlagAloneChoosesNoLanes) {
  ValueId flag = is(Op::Equal, argument("periodic"), number(1));
  ValueId inside = is(Op::LessUnsigned, thread(), argument("n"));
  access(element(object("a"), thread(), 4), 4).guard = graph.both(flag, inside);
  EXPECT_EQ(cost().chosenBy, "");
  EXPECT_DOUBLE_EQ(cost().lowWhole, 4);
  // One flag for all lanes, read from memory.
  ValueId stored = graph.loaded(object("f"), "*f", 1, false);
  access(element(object("b"), thread(), 4), 4).guard = graph.both(flag, stored);
  EXPECT_EQ(cost().chosenBy, "");
}

} // namespace
