#include "run/block_shape.h"
#include <gtest/gtest.h>

using namespace warplint;

// A dimension that is lost is a block of other warps.
TEST(BlockShape, DimensionsThatAreNotWrittenAreOne) {
  EXPECT_EQ(shapeOf("256"), (Shape{256, 1, 1}));
  EXPECT_EQ(shapeOf("32x8"), (Shape{32, 8, 1}));
  EXPECT_EQ(shapeOf("8x4x2"), (Shape{8, 4, 2}));
}
