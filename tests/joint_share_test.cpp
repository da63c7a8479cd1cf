// The share of findings that are one.
#include "findings/joint_share.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// Of a kernel that DRAM binds once half of its sectors in L2 are gone.
Saving ofHalf() {
  Saving half;
  half.now.sectors = 100;
  half.now.dramSectors = 18;
  half.saved.sectors = 48;
  half.warps = 1 << 20;
  half.warpsPerBlock = 8;
  half.capability = 90;
  return half;
}

} // namespace

// Two lines that read one array: a reader who is told that both take all of the
// time mends them, and most of it stays.
TEST(JointShare, RemediesOfOneResourceArePricedTogether) {
  const Saving half = ofHalf();
  Saving both = half;
  both += half;
  JointShare joint;
  joint.add(half.share(), half);
  EXPECT_DOUBLE_EQ(joint.share(), half.share());
  joint.add(half.share(), half);
  EXPECT_DOUBLE_EQ(joint.share(), both.share());
  EXPECT_LT(joint.share(), 2 * half.share() - 0.1);
}

TEST(JointShare, SharesOfWhatHasNoSavingAddUp) {
  const Saving half = ofHalf();
  JointShare joint;
  joint.add(half.share(), half);
  joint.add(0.1, std::nullopt);
  EXPECT_DOUBLE_EQ(joint.share(), half.share() + 0.1);
  joint.add(0.9, std::nullopt);
  EXPECT_EQ(joint.share(), 1);
}

// A check raises the share of a small block by the start of its blocks.
TEST(JointShare, ARaisedShareIsNotThatOfItsSaving) {
  JointShare joint;
  joint.add(0.9, ofHalf());
  EXPECT_FALSE(joint.saving());
  EXPECT_EQ(joint.share(), 0.9);
}
