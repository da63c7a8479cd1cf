// Tests what the warps of a block, and neighbouring blocks, load in common.
#include "cost/block_reuse.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

constexpr Shape row{256, 1, 1}, square{32, 8, 1};

struct BlockReuse : testing::Test {
  ModelBuilder b;
  ValueId a = b.object("a");

  Access &load(ValueId index) { return b.access(b.element(a, index, 4), 4); }
  ValueId block(unsigned dimension) {
    return b.graph.special(Op::BlockIndex, dimension, 64);
  }
};

} // namespace

TEST_F(BlockReuse, AFootprintCountsTheSectorsOfAllWarps) {
  const auto unit = blockFootprint(b.kernel, row, load(b.thread()));
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->sectors, 32u);
  EXPECT_EQ(unit->idealSectors, 32u);
  const auto strided =
      blockFootprint(b.kernel, row, load(b.times(b.thread(), 8)));
  ASSERT_TRUE(strided);
  EXPECT_EQ(strided->sectors, 256u);
  EXPECT_EQ(strided->idealSectors, 32u);
  EXPECT_FALSE(blockFootprint(b.kernel, row, load(b.varying())));
}

// Another order of the lanes coalesces the one, and not the other.
TEST_F(BlockReuse, ABlockFillsWhatItUsesMostOf) {
  const ValueId t = b.thread();
  EXPECT_TRUE(isFilledByBlock(b.kernel, row, load(t)));
  EXPECT_FALSE(isFilledByBlock(b.kernel, row, load(b.times(t, 2))))
      << "each second element";
  EXPECT_FALSE(isFilledByBlock(b.kernel, row, load(b.varying()))) << "data";
}

// A loop that walks along the row uses up the sectors, unless a barrier stops
// the warps in each iteration.
TEST_F(BlockReuse, AnInnerLoopFillsSectorsWithinABarrierInterval) {
  const auto loop = b.countedLoop(0, 8);
  Access &access = load(b.add(b.times(b.thread(), 8), loop.counter));
  access.loops = {loop.loop};
  auto found = blockFootprint(b.kernel, row, access);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->sectors, 256u);
  EXPECT_EQ(found->idealSectors, 256u);
  b.kernel.loops[loop.loop].hasBarrier = true;
  found = blockFootprint(b.kernel, row, access);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->idealSectors, 32u);
}

// The eight warps of a block read the same row: one of them could do it for
// all.
TEST_F(BlockReuse, WarpsThatReadTheSameSectorsAreCounted) {
  EXPECT_EQ(warpsPerRequest(b.kernel, square, load(b.thread())), 8.0);
  EXPECT_EQ(warpsPerRequest(b.kernel, row, load(b.thread())), 1.0);
  EXPECT_EQ(warpsPerRequest(b.kernel, row, load(b.argument("k"))), 8.0);
  EXPECT_EQ(warpsPerRequest(b.kernel, square, load(b.times(b.thread(1), 64))),
            1.0);
}

// Each request for a tile row that two warps share serves two.
// A sum of each warp: eight of them lie in one sector.
TEST_F(BlockReuse, WarpsMayShareASectorAndNoElement) {
  const Access &sum =
      load(b.make(Op::DivideUnsigned, b.thread(), b.number(32)));
  EXPECT_EQ(warpsPerRequest(b.kernel, row, sum), 8.0);
  EXPECT_EQ(warpsPerRequest(b.kernel, row, sum, /*bytes=*/1), 1.0);
}

TEST_F(BlockReuse, HalfOfTheWarpsMayShare) {
  const ValueId half = b.make(Op::DivideUnsigned, b.thread(1), b.number(2));
  EXPECT_EQ(warpsPerRequest(b.kernel, square, load(b.times(half, 64))), 2.0);
}

TEST_F(BlockReuse, WarpsThatAGuardKeepsOutDoNotCount) {
  Access &access = load(b.number(0));
  access.guard = b.is(Op::LessSigned, b.thread(), b.number(64));
  EXPECT_EQ(warpsPerRequest(b.kernel, row, access), 2.0);
}

TEST_F(BlockReuse, AnUnknownAddressHasNoAnswer) {
  EXPECT_FALSE(warpsPerRequest(b.kernel, row, load(b.varying())));
  EXPECT_FALSE(isSameForBlocks(b.kernel, row, load(b.varying()), 0));
}

TEST_F(BlockReuse, BlocksShareWhatTheirIndexDoesNotMove) {
  EXPECT_TRUE(isSameForBlocks(b.kernel, row, load(b.thread()), 0));
  const Access &moved = load(b.add(b.times(block(0), 256), b.thread()));
  EXPECT_FALSE(isSameForBlocks(b.kernel, row, moved, 0));
  EXPECT_TRUE(isSameForBlocks(b.kernel, row, moved, 1));
}

// The taps of a filter bank: a row of them for each 'blockIdx.y'.
TEST_F(BlockReuse, ARowOfBlocksSharesARowOfATable) {
  const ValueId row0 = b.add(b.times(block(1), 64), b.argument("k"));
  EXPECT_FALSE(isSameForRowOfBlocks(b.kernel, row, load(row0)))
      << "no block stores anything";
  const ValueId own = b.add(b.times(block(0), 256), b.thread());
  load(own);
  b.kernel.accesses.back().operation = Operation::Store;
  EXPECT_TRUE(isSameForRowOfBlocks(b.kernel, row, load(row0)));
  EXPECT_FALSE(isSameForRowOfBlocks(b.kernel, row, load(block(0))))
      << "each block has its own";
  EXPECT_FALSE(isSameForRowOfBlocks(b.kernel, row, load(b.thread())));
  EXPECT_FALSE(isSameForRowOfBlocks(b.kernel, row, load(b.varying())));
}

// Blocks 0 and 1 read the same, blocks 1 and 2 do not.
TEST_F(BlockReuse, TwoEqualNeighboursDoNotSpeakForAllBlocks) {
  const ValueId half = b.make(Op::DivideUnsigned, block(0), b.number(2));
  EXPECT_FALSE(isSameForBlocks(b.kernel, row,
                               load(b.add(b.times(half, 256), b.thread())), 0));
}
