// How a launch's warps are spread over the SMs.
#include "cost/warps_on_sms.h"
#include <gtest/gtest.h>

using namespace warplint;

static WarpsOnSms launch(std::optional<double> blocks, double warpsPerBlock) {
  if (blocks)
    *blocks *= warpsPerBlock;
  return WarpsOnSms(blocks, warpsPerBlock, throughputOf(90));
}

TEST(WarpsOnSmsTest, FewBlocksLeaveSmsWithoutWork) {
  EXPECT_EQ(launch(8, 4).smsUsed(), 8);
  EXPECT_EQ(launch(8, 4).perSm(), 4);
  EXPECT_EQ(launch(1, 4).smsUsed(), 1);
  EXPECT_EQ(launch(132 * 5, 4).smsUsed(), 132);
  EXPECT_EQ(launch(132 * 5, 4).perSm(), 20);
}

TEST(WarpsOnSmsTest, AnUnknownGridFillsAllSms) {
  const WarpsOnSms warps = launch(std::nullopt, 8);
  EXPECT_FALSE(warps.isGridKnown());
  EXPECT_EQ(warps.smsUsed(), 132);
  EXPECT_EQ(warps.perSm(), WarpsOnSms::usualWarps);
}

// An SM holds 32 blocks, however small they are.
TEST(WarpsOnSmsTest, SmallBlocksLeaveAnSmUnfilled) {
  EXPECT_EQ(launch(1 << 20, 1).resident(), 32);
  EXPECT_EQ(launch(1 << 20, 8).resident(), 48);
  EXPECT_EQ(launch(1 << 20, 1).threadsAtOnce(), 1024);
  EXPECT_EQ(launch(132, 1).threadsAtOnce(), 32);
}

TEST(WarpsOnSmsTest, WhatFitsIsThereAtOnce) {
  EXPECT_EQ(launch(132 * 4, 8).fillings(), 1);
  EXPECT_EQ(launch(132 * 12, 8).fillings(), 2);
}
