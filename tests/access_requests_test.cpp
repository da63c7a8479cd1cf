#include "cost/access_requests.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class AccessRequestsTest : public testing::Test, protected ModelBuilder {};

// A tile of 6 x 6 x 6 doubles is for a block of 4 x 4 x 4 threads: its
// conflicts with 256 along x are those of no launch.
TEST_F(AccessRequestsTest, AnAssumedBlockThatLeavesAnArrayTellsNothing) {
  auto costIn = [&](ShapeSource source, unsigned step, uint64_t bytes) {
    ValueId s = object("s", Space::Shared, bytes);
    access(element(s, times(thread(), step), 8), 8, Operation::Load,
           Space::Shared);
    return costs(kernel, KernelShape{{256, 1, 1}, source, {}, {}}).back();
  };
  const Cost cost = costIn(ShapeSource::Assumed, 36, 216 * 8);
  EXPECT_EQ(cost.basis, Basis::Unknown);
  EXPECT_NE(cost.why.find("256x1x1 would leave 's'"), std::string::npos)
      << cost.why;
  EXPECT_EQ(costIn(ShapeSource::Launch, 36, 216 * 8).basis, Basis::Exact);
  // A tile of 16 x 16 has 16 lanes in a row.
  const Cost row = costIn(ShapeSource::Assumed, 16, 256 * 8);
  EXPECT_EQ(row.basis, Basis::Exact);
  EXPECT_DOUBLE_EQ(row.lanes, 16);
  EXPECT_DOUBLE_EQ(row.ways, 16);
  // The block may have fewer warps.
  const Cost fewer = costIn(ShapeSource::Assumed, 2, 128 * 8);
  EXPECT_EQ(fewer.basis, Basis::Exact);
  EXPECT_DOUBLE_EQ(fewer.ways, 2);
}

// Data may choose any of the lanes: they are all counted, and that is said.
TEST_F(AccessRequestsTest, LanesChosenByDataAreNotExact) {
  ValueId mask =
      graph.loaded(element(object("mask"), thread(), 4), "mask[i]", 1, false);
  access(element(object("a"), thread(), 4), 4).guard = mask;
  Cost dense = cost();
  EXPECT_EQ(dense.basis, Basis::Assumed);
  EXPECT_EQ(dense.chosenBy, "'mask[i]', loaded from memory");
  EXPECT_DOUBLE_EQ(dense.sectors, 4);
  EXPECT_DOUBLE_EQ(dense.low, 1);
}

TEST_F(AccessRequestsTest, OneSectorForAnySetOfLanesIsExact) {
  ValueId mask =
      graph.loaded(element(object("mask"), thread(), 4), "mask[i]", 1, false);
  access(element(object("a"), number(7), 4), 4).guard = mask;
  Cost one = cost();
  EXPECT_EQ(one.basis, Basis::Exact);
  EXPECT_EQ(one.chosenBy, "");
  // Also behind a flag that keeps all threads out, or a guard that none meet.
  ValueId flag = is(Op::Equal, argument("abort"), number(1));
  access(element(object("b"), number(7), 4), 4).guard = graph.both(flag, mask);
  EXPECT_EQ(cost().basis, Basis::Exact);
  access(element(object("c"), number(7), 4), 4).guard = graph.never();
  EXPECT_EQ(cost().basis, Basis::Exact);
  // Each of the lanes alone takes fewer.
  access(element(object("d"), thread(), 4), 4).guard = graph.both(flag, mask);
  EXPECT_EQ(cost().basis, Basis::Assumed);
}

// The unknown lanes may be those that a guard keeps out.
TEST_F(AccessRequestsTest, InactiveLanesWithUnknownAddressesDoNotMatter) {
  ValueId low = is(Op::LessUnsigned, thread(), number(8));
  ValueId index = graph.make(Op::Select, 64, {low, thread(), varying()});
  access(element(object("a"), index, 4), 4).guard = low;
  EXPECT_EQ(cost().basis, Basis::Exact);
  EXPECT_DOUBLE_EQ(cost().sectors, 1);
}

TEST_F(AccessRequestsTest, ACopyIsUnknown) {
  access(object("a"), 0);
  EXPECT_EQ(cost().basis, Basis::Unknown);
  EXPECT_EQ(cost().why, "how the compiler copies");
}

// HeCBench's channelShuffle: 32 ways were told of an array of one word for each
// bank.
TEST_F(AccessRequestsTest, AShortArrayHasFewWordsInABank) {
  auto ways = [&](unsigned bytes) {
    ValueId s = object("s", Space::Shared, bytes);
    access(element(s, times(thread(), 32), 4), 4, Operation::Load,
           Space::Shared);
    return cost({32, 1, 1}).ways;
  };
  EXPECT_EQ(ways(128), 1);
  EXPECT_EQ(ways(400), 4);
  EXPECT_EQ(ways(4096), 32);
}

// A check that speaks of what an address depends on needs the node.
TEST_F(AccessRequestsTest, UnknownAddressesKeepCauseSpaceAndLanes) {
  ValueId p = object("p", Space::Parameter), index = object("index");
  ValueId x = graph.loaded(element(p, number(0), 8), "p.x", 64, true);
  ValueId j = graph.loaded(element(index, thread(), 8), "index[i]", 64, false);
  access(element(x, j, 4), 4, Operation::Load, Space::Unknown).guard =
      is(Op::LessUnsigned, thread(), number(8));
  EXPECT_EQ(cost().basis, Basis::Unknown);
  EXPECT_EQ(cost().cause, j);
  EXPECT_EQ(cost().space, Space::Global);
  EXPECT_EQ(cost().lanes, 8);
}

} // namespace
