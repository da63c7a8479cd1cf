#include "cost/lane_values.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

// A pointer that is uniform and unknown, plus a counter, is one address.
TEST(LaneValues, ASumWithAUniformUnknownIsUniform) {
  LaneValues sum = LaneValues::splat(8);
  sum.add(LaneValues::uniformUnknown(5), 64);
  EXPECT_TRUE(sum.isUniform());
  EXPECT_EQ(sum.unknown, allLanes);
  EXPECT_EQ(sum.why, 5u);
  sum.add(LaneValues::varying(7), 64);
  EXPECT_FALSE(sum.isUniform());
  EXPECT_EQ(sum.why, 5u) << "the first reason";
}

TEST(LaneValues, ASumWrapsAtItsWidth) {
  LaneValues sum = LaneValues::splat(0xffffffff);
  sum.add(LaneValues::splat(2, /*assumed=*/true), 32);
  EXPECT_EQ(sum.value[31], 1u);
  EXPECT_TRUE(sum.assumed);
}

// A lane that has left a loop keeps its value, whatever becomes of the others.
TEST(LaneValues, WhatIsNotTakenStaysKnown) {
  LaneValues values = LaneValues::splat(3);
  values.take(LaneValues::varying(9), 0xff);
  EXPECT_EQ(values.unknown, 0xffu);
  EXPECT_EQ(values.why, 9u);
  EXPECT_EQ(values.value[8], 3u);
  LaneValues others = LaneValues::splat(3);
  others.take(LaneValues::splat(4), 1u << 31);
  EXPECT_FALSE(others.isUniform());
  EXPECT_EQ(others.value[30], 3u);
  EXPECT_EQ(others.value[31], 4u);
}

TEST(LaneValues, AConditionMayHoldWhereItIsUnknown) {
  EXPECT_FALSE(LaneValues::splat(0).mayHoldInSome());
  EXPECT_TRUE(LaneValues::varying(1).mayHoldInSome());
  LaneValues first;
  first.value[0] = 1;
  EXPECT_TRUE(first.mayHoldInSome());
  EXPECT_EQ(first.holding(), 1u);
}

} // namespace
