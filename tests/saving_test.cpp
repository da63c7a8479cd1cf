// What a remedy saves of a launch, kept with its finding.
#include "cost/saving.h"
#include "time_of.h"

using namespace warplint;

namespace {

struct Savings : TimeOf {};

} // namespace

// The share of a finding and that of its saving are one number.
TEST_F(Savings, ASavingKeepsItsShare) {
  const KernelTime &time =
      read("__global__ void k(float *out, const float *in) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  out[i] = in[8 * i];\n"
           "}\n"
           "int main() { k<<<65536, 256>>>(0, 0); }\n");
  const unsigned load = time.of(0).dramSectors > time.of(1).dramSectors ? 0 : 1;
  Demand saved = time.of(load);
  saved -= time.coalesced(load);
  const Saving saving = time.saving(saved, {});
  EXPECT_GT(saving.share(), 0.5);
  EXPECT_DOUBLE_EQ(saving.share(), time.share(saved));
}

// Two arrays of which each takes half of L2's time: without either of them DRAM
// binds, and without both it does as well. Two shares of 0.4 are no 0.8.
TEST(Saving, WhatTwoRemediesSaveIsNoSum) {
  Saving one;
  one.now.sectors = 100;
  one.now.dramSectors = 18;
  one.saved.sectors = 48;
  one.warps = 1 << 20;
  one.warpsPerBlock = 8;
  one.capability = 90;
  Saving both = one;
  ASSERT_TRUE(both.isOfSameKernelAs(one));
  both += one;
  EXPECT_GT(one.share(), 0.3);
  EXPECT_GT(both.share(), one.share());
  EXPECT_LT(both.share(), 2 * one.share() - 0.1);
  Saving other = one;
  other.now.sectors = 99;
  EXPECT_FALSE(other.isOfSameKernelAs(one));
}
