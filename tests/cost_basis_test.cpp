#include "cost/cost_basis.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

RequestSums sectors(double each) {
  RequestSums sums;
  sums.requests = 1;
  sums.sectors = sums.fewest = sums.most = each;
  return sums;
}

/// The cost of an access to global memory with these figures by trial.
Cost settled(std::vector<RequestSums> trials, AccessNotes notes = {}) {
  Cost cost;
  cost.space = Space::Global;
  cost.active = 1;
  Access access;
  access.bytes = 4;
  std::vector<const RequestSums *> all;
  for (const RequestSums &sums : trials)
    all.push_back(&sums);
  takeFigures(all, notes, cost);
  settleBasis(access, notes, cost);
  return cost;
}

TEST(CostBasis, WhatNoProbeValueChangesIsExact) {
  EXPECT_EQ(settled({sectors(4), sectors(4), sectors(4)}).basis, Basis::Exact);
  EXPECT_EQ(settled({sectors(4), sectors(5), sectors(4)}).basis,
            Basis::Bounded);
  const Cost cost = settled({sectors(4), sectors(4), sectors(32)});
  EXPECT_EQ(cost.basis, Basis::Assumed);
  EXPECT_EQ(cost.sectors, 4);
  EXPECT_EQ(cost.low, 4);
  EXPECT_EQ(cost.high, 32);
}

// A launch whose constants keep all threads out says nothing of the figure.
TEST(CostBasis, ALaunchWithoutTheAccessIsLeftOut) {
  AccessNotes notes;
  notes.keptOut = 1;
  const Cost cost = settled({sectors(32), sectors(4), sectors(4)}, notes);
  EXPECT_EQ(cost.sectors, 4);
  EXPECT_EQ(cost.basis, Basis::Exact);
}

// A figure of lanes that data choose is no promise, unless any lane has it.
TEST(CostBasis, AnAccessThatNoThreadReachedIsExactOnlyIfLanesDoNotMatter) {
  AccessNotes notes;
  notes.isUnreached = notes.hasDataLanes = true;
  EXPECT_EQ(settled({sectors(4), sectors(4), sectors(4)}, notes).basis,
            Basis::Assumed);
  EXPECT_EQ(settled({sectors(1), sectors(1), sectors(1)}, notes).basis,
            Basis::Exact);
}

TEST(CostBasis, AnotherSizeWidensTheRange) {
  AccessNotes notes;
  Cost cost;
  cost.space = Space::Global;
  const RequestSums usual = sectors(4);
  takeFigures({&usual, &usual, &usual}, notes, cost);
  widenRange(usual, sectors(4), notes, cost);
  EXPECT_EQ(cost.high, 4);
  widenRange(usual, sectors(32), notes, cost);
  EXPECT_EQ(cost.high, 32);
  EXPECT_EQ(cost.low, 4);
}

} // namespace
