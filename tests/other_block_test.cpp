// What another block shape would save, of kernels by hand.
#include "cost/other_block.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct OtherBlocks : testing::Test {
  ModelBuilder b;

  ValueId placeAlong(unsigned dimension) {
    return b.add(b.make(Op::Multiply,
                        b.graph.special(Op::BlockIndex, dimension, 64),
                        b.graph.special(Op::BlockSize, dimension, 64)),
                 b.thread(dimension));
  }
  /// Copies a field of 4,096 columns.
  void copyFrom(ValueId column) {
    const ValueId index = b.add(b.times(placeAlong(1), 4096), column);
    b.access(b.element(b.object("u"), index, 4), 4);
    b.access(b.element(b.object("v"), index, 4), 4, Operation::Store);
  }
  std::optional<OtherBlock> in(Shape block, std::optional<uint64_t> grid = {}) {
    KernelShape shape{block, ShapeSource::Launch, {"/k.cu", 5, 3}};
    if (grid)
      shape.launches = {{{grid, 1, 1}, {}}};
    CostedKernel costed{b.kernel, {}};
    costed.shapes.push_back({shape, costs(b.kernel, shape)});
    return fasterBlock(costed, costed.shapes.front());
  }
  std::optional<double> joined(unsigned threads) {
    KernelShape shape{{threads, 1, 1}, ShapeSource::Launch, {"/k.cu", 5, 3}};
    CostedKernel costed{b.kernel, {}};
    costed.shapes.push_back({shape, costs(b.kernel, shape)});
    return shareOfJoined(costed, costed.shapes.front(), 128);
  }
};

} // namespace

// A stencil in blocks of 10x10 took 1.3 to 1.5 times as long as in 32x4, 32x8
// and 16x16 (H200): rows of ten floats fill two sectors in part.
TEST_F(OtherBlocks, RowsOfTenFloatsCostMoreThanWholeSectors) {
  copyFrom(placeAlong(0));
  const auto other = in({10, 10, 1});
  ASSERT_TRUE(other);
  EXPECT_GT(other->share, 0.2);
  EXPECT_EQ(other->shape.threads() % 32, 0u);
  const auto whole = in({32, 8, 1});
  EXPECT_TRUE(!whole || whole->share < 0.05);
}

TEST_F(OtherBlocks, AKernelThatKnowsItsShapeHasNoOther) {
  copyFrom(
      b.add(b.times(b.graph.special(Op::BlockIndex, 0, 64), 10), b.thread()));
  EXPECT_FALSE(in({10, 10, 1})) << "'blockIdx.x * 10 + threadIdx.x'";
}

// A grid of one large block uses one SM.
TEST_F(OtherBlocks, FewLargeBlocksUseFewSms) {
  copyFrom(placeAlong(0));
  const auto many = in({2, 2, 1}), few = in({2, 2, 1}, 128);
  ASSERT_TRUE(many);
  EXPECT_LT(few ? few->share : 0, many->share / 2);
}

TEST_F(OtherBlocks, NorHasOneWhoseBlocksShareMemory) {
  copyFrom(placeAlong(0));
  b.access(b.element(b.object("tile", Space::Shared, 400), b.number(0), 4), 4,
           Operation::Store, Space::Shared);
  EXPECT_FALSE(in({10, 10, 1}));
}

TEST_F(OtherBlocks, JoinedThreadsShareTheSectorsOfNeighbours) {
  b.access(b.element(b.object("u"), placeAlong(0), 4), 4);
  const auto neighbours = joined(1);
  ASSERT_TRUE(neighbours);
  EXPECT_GT(*neighbours, 0.5);
  EXPECT_FALSE(joined(32)) << "a whole warp";
}

TEST_F(OtherBlocks, ABlockWhoseThreadHasNoIndexIsNotJoined) {
  b.access(b.element(b.object("u"), b.graph.special(Op::BlockIndex, 0, 64), 4),
           4);
  EXPECT_FALSE(joined(1));
}
