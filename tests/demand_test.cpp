// What warps use of each resource, added and taken away.
#include "cost/demand.h"
#include <gtest/gtest.h>

using namespace warplint;

// A remedy may save more of a resource than a rounded sum has.
TEST(Demands, NothingIsUsedLessThanNotAtAll) {
  Demand all, saved;
  all.sectors = 4;
  all.instructions = 10;
  saved.sectors = 6;
  saved.instructions = 4;
  all -= saved;
  EXPECT_EQ(all.sectors, 0);
  EXPECT_EQ(all.instructions, 6);
}

TEST(Demands, WaitsAreThoseOfOneWarpAndOfAllTogether) {
  Demand demand;
  demand.latency = 300;
  demand.together = 50;
  demand.sectors = 8;
  const Demand waits = demand.waits() * 2;
  EXPECT_EQ(waits.latency, 600);
  EXPECT_EQ(waits.together, 100);
  EXPECT_EQ(waits.sectors, 0);
}

// If the memory that a gather reaches is small, DRAM has nothing to do with it.
TEST(Demands, SmallDataLeaveDramWhatIsSure) {
  Demand demand;
  demand.dramSectors = 10;
  demand.unsureSectors = 7;
  EXPECT_EQ(demand.ofSmallData().dramSectors, 3);
  EXPECT_EQ(demand.ofSmallData().unsureSectors, 0);
  EXPECT_EQ(demand.dramSectors, 10);
}
