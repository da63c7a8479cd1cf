// Which atomics meet, of figures by hand.
#include "cost/meeting.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Meetings : testing::Test {
  Access access;
  Contention seen;
  KernelShape shape{{256, 1, 1}, ShapeSource::Launch, {}};

  Meetings() {
    access.operation = Operation::Atomic;
    access.isSum = true;
    seen.known = seen.sameInAllBlocks = true;
    seen.share = 1;
    seen.lanes = seen.addresses = 32;
    seen.perAddress = 1;
    shape.grids = {65536};
  }
  Meet of() const { return meeting(access, Space::Global, shape, seen); }
};

// 640 us where the same work without it takes 60: each address waits for 65536
// blocks, though the threads of a block do not meet.
TEST_F(Meetings, OneAddressForEachThreadIsTheSameInAllBlocks) {
  EXPECT_EQ(of(), Meet::InGrid);
  seen.sameInAllBlocks = false; // 'b[i]'
  EXPECT_EQ(of(), Meet::Not);
}

TEST_F(Meetings, AFewBlocksDoNotMeet) {
  shape.grids = {528};
  EXPECT_EQ(of(), Meet::Not);
  shape.grids.clear(); // nobody knows
  EXPECT_EQ(of(), Meet::Not);
}

// The remedy of a sum must not be reported.
TEST_F(Meetings, OneThreadOfEachBlockDoesNotMeet) {
  seen.share = 1.0 / 256;
  seen.lanes = seen.addresses = 1;
  EXPECT_EQ(of(), Meet::Not);
  seen.perAddress = 8; // one of each warp
  EXPECT_EQ(of(), Meet::InGrid);
}

TEST_F(Meetings, LanesMeetInAnyGrid) {
  shape.grids.clear();
  seen.addresses = 1;
  EXPECT_EQ(of(), Meet::InBlock);
}

} // namespace
