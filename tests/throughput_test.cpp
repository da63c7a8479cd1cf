// Tests what machines give in a cycle, by compute capability.
#include "cost/throughput.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(MachineThroughput, AnArchitectureNamesItsCapability) {
  EXPECT_EQ(capabilityOf("sm_89"), 89u);
  EXPECT_EQ(capabilityOf("sm_90a"), 90u);
  EXPECT_EQ(capabilityOf("sm_120f"), 120u);
}

// "compute_80" is a virtual architecture: no machine executes it.
TEST(MachineThroughput, OtherTextsMeanTheUsualMachine) {
  for (const char *text : {"", "sm_", "sm_x", "compute_80", "90"})
    EXPECT_EQ(capabilityOf(text), usualCapability) << text;
}

TEST(MachineThroughput, AMachineThatIsNotListedIsLikeTheNewestOneBefore) {
  EXPECT_EQ(throughputOf(90).capability, 90u);
  EXPECT_EQ(throughputOf(87).capability, 86u);
  EXPECT_EQ(throughputOf(103).capability, 100u);
  EXPECT_EQ(throughputOf(999).capability, 120u);
  EXPECT_EQ(throughputOf(35).capability, 50u) << "older than all";
}

// Without it, double-in-float would weigh the same on an A100 and on a card for
// desktops, which has a sixteenth of its FP64 lanes.
TEST(MachineThroughput, CardsForDesktopsHaveFewLanesOfFP64) {
  for (unsigned desktop : {61u, 75u, 86u, 89u, 120u})
    for (unsigned server : {60u, 70u, 80u, 90u, 100u})
      EXPECT_LE(8 * throughputOf(desktop).doubles, throughputOf(server).doubles)
          << desktop << ' ' << server;
}

// A row that is written in the wrong order of fields breaks one of these.
TEST(MachineThroughput, EachRowIsAMachineThatCanExist) {
  for (unsigned capability = 50; capability <= 130; ++capability) {
    const Throughput &row = throughputOf(capability);
    EXPECT_LE(row.capability, capability);
    EXPECT_LE(row.issue, 4) << capability;
    EXPECT_LE(row.special, 32) << capability;
    EXPECT_LT(row.dramSectors, row.sectors)
        << "DRAM gives less than the L2 before it: " << capability;
    EXPECT_GT(row.gigahertz, 0.9) << capability;
    EXPECT_LT(row.gigahertz, 4) << capability;
    EXPECT_GE(row.multiprocessors, 16u) << capability;
    EXPECT_TRUE(row.warps == 32 || row.warps == 48 || row.warps == 64)
        << capability;
  }
}
