#include "cost/store_forwarding.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class StoreForwardingTest : public testing::Test, protected WarpBuilder {};

TEST_F(StoreForwardingTest, ThreadPrivateMemoryReturnsStoredValues) {
  ValueId own = object("tmp", Space::Local, 8), size = number(4);
  auto load = [&](unsigned i) {
    return graph.make(Op::Forwarded, 64,
                      {element(own, number(i), 4), element(own, number(0), 4),
                       thread(), size, element(own, number(1), 4), number(9),
                       size},
                      4);
  };
  EXPECT_EQ(lanes(load(0)).value[3], 3u);
  EXPECT_EQ(lanes(load(1)).value[3], 9u);
  EXPECT_EQ(lanes(load(2)).unknown, ~0u); // nobody wrote it
}

// A union that is written as four bytes and read as one.
TEST_F(StoreForwardingTest, APartOfAStoredValueIsUnknown) {
  ValueId own = object("tmp", Space::Local, 8);
  ValueId read =
      graph.make(Op::Forwarded, 64,
                 {element(own, number(1), 1), own, thread(), number(4)}, 1);
  EXPECT_EQ(lanes(read).unknown, allLanes);
}

} // namespace
