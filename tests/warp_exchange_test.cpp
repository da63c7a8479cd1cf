// A shuffle that gives a lane the wrong neighbour would refute right fixes, and
// prove wrong ones.
#include "fixes/warp_exchange.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// All lanes bring the mask, ten times their number and two more operands.
WarpOperands all(uint64_t third, uint64_t fourth) {
  WarpOperands warp;
  warp.here = 0xffffffff;
  for (uint64_t lane = 0; lane < lanesOfWarp; ++lane)
    warp.ofLane[lane] = {Lanes{0xffffffff}, Lanes{10 * lane}, Lanes{third},
                         Lanes{fourth}};
  return warp;
}

uint64_t shuffled(const char *mode, uint64_t by, uint64_t clamp,
                  unsigned lane) {
  const std::string name = std::string("llvm.nvvm.shfl.sync.") + mode + ".i32";
  return exchanged(name, all(by, clamp), lane)[0];
}

} // namespace

TEST(WarpExchange, AShuffleStaysInItsSegment) {
  EXPECT_EQ(shuffled("down", 16, 31, 3), 190u);
  EXPECT_EQ(shuffled("down", 16, 31, 20), 200u) << "its own: none is behind";
  EXPECT_EQ(shuffled("up", 1, 0, 5), 40u);
  EXPECT_EQ(shuffled("up", 1, 0, 0), 0u);
  EXPECT_EQ(shuffled("bfly", 1, 31, 6), 70u);
  EXPECT_EQ(shuffled("idx", 2, 31, 30), 20u);
  // Segments of 8 lanes: bits 8 to 12 hold those of the lane that stay.
  EXPECT_EQ(shuffled("idx", 2, 31 | 24 << 8, 12), 100u);
}

TEST(WarpExchange, ALaneThatIsNotHereGivesNothing) {
  WarpOperands warp = all(1, 31);
  warp.here = 0b101;
  EXPECT_EQ(exchanged("llvm.nvvm.shfl.sync.bfly.i32", warp, 2)[0], 20u);
}

TEST(WarpExchange, VotesAndSumsAreOfTheLanesHere) {
  WarpOperands warp;
  warp.here = 0b111;
  for (uint64_t lane = 0; lane < 3; ++lane)
    warp.ofLane[lane] = {Lanes{lane}, Lanes{lane & 1}};
  EXPECT_EQ(exchanged("llvm.nvvm.vote.ballot.sync", warp, 0)[0], 0b010u);
  EXPECT_EQ(exchanged("llvm.nvvm.vote.any.sync", warp, 0)[0], 1u);
  EXPECT_EQ(exchanged("llvm.nvvm.vote.all.sync", warp, 0)[0], 0u);
  EXPECT_EQ(exchanged("llvm.nvvm.redux.sync.add", warp, 1)[0], 3u);
  EXPECT_EQ(exchanged("llvm.nvvm.redux.sync.umax", warp, 1)[0], 2u);
}

} // namespace warplint
