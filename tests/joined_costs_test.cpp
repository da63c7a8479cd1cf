#include "cost/joined_costs.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class JoinedCostsTest : public testing::Test, protected ModelBuilder {};

// `s[i] = x; if (s[i] <= eps) s[i] = 1;`: how many are that small, nobody
// knows.
TEST_F(JoinedCostsTest, LanesCorrectedToAConstantHaveNoFigure) {
  const ValueId address = element(object("s"), thread(), 4);
  const ValueId small = graph.loaded(address, "s[i]", 1, false);
  auto correct = [&](ValueId guard, bool isConstant) {
    Access &store = access(address, 4);
    store.operation = Operation::Store;
    store.guard = guard;
    store.storesSame = isConstant;
  };
  correct(small, true);
  EXPECT_EQ(cost().basis, Basis::Assumed); // there is nothing to correct
  access(address, 4).operation = Operation::Store;
  correct(small, false);
  EXPECT_EQ(cost().basis, Basis::Assumed); // a value of its own
  correct(small, true);
  EXPECT_EQ(cost().basis, Basis::Unknown);
  EXPECT_EQ(cost().why, "'s[i]', loaded from memory");
}

// A tensor's strides come from the caller: one of them is 1.
TEST_F(JoinedCostsTest, LanesAreNeighboursWhereTheCallerChoosesAllStrides) {
  auto scaled = [&](ValueId index, const char *stride) {
    return graph.make(Op::Multiply, 64, {index, argument(stride)});
  };
  const ValueId row = graph.special(Op::BlockIndex, 0, 64);
  const ValueId rowStart = scaled(row, "s0");
  access(element(object("a"), add(rowStart, scaled(thread(), "s1")), 4), 4);
  EXPECT_EQ(cost().basis, Basis::Assumed);
  EXPECT_EQ(cost().sectors, 4);
  EXPECT_EQ(cost().high, 32);
  // A row's length is large.
  access(element(object("b"), scaled(thread(), "n"), 4), 4);
  EXPECT_EQ(cost().sectors, 32);
}

// A bank has a word of each 128 bytes of an array: 16 elements of 512.
TEST_F(JoinedCostsTest, NoConflictHasMoreWaysThanItsArrayHasRowsOfBanks) {
  auto ways = [&](uint64_t bytes) {
    const ValueId base = object("s", Space::Shared, bytes);
    const ValueId column = graph.make(Op::Multiply, 64,
                                      {thread(), argument("pitch")});
    access(element(base, column, 4), 4).space = Space::Shared;
    return cost().high;
  };
  EXPECT_EQ(ways(0), 32);
  EXPECT_EQ(ways(2048), 16);
  EXPECT_EQ(ways(128), 1);
}

} // namespace
