// The branches that are read out of a kernel's text, and the work on their
// sides.
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

std::vector<Branch> branchesOf(llvm::StringRef source) {
  SourceModel model = readText(source);
  EXPECT_EQ(model.kernels.size(), 1u);
  return model.kernels.empty() ? std::vector<Branch>()
                               : model.kernels[0].branches;
}

TEST(ReadBranches, BothSidesHaveTheirWork) {
  std::vector<Branch> branches = branchesOf(R"(
__global__ void k(float *a, int n) {
  int i = threadIdx.x;
  if (i & 1) {
    for (int t = 0; t < 10; ++t)
      a[i] = a[i] / 3 + 1;
  } else {
    a[i] = 1;
  }
}
)");
  ASSERT_EQ(branches.size(), 1u);
  const Branch &branch = branches[0];
  EXPECT_EQ(branch.place.line, 4u);
  ASSERT_EQ(branch.sides.size(), 2u);
  // Ten iterations of a load, a division, a sum and a store; one store.
  EXPECT_GT(branch.sides[0].work, 100);
  EXPECT_EQ(branch.sides[1].work, 2);
  EXPECT_TRUE(branch.sides[0].hasAccess);
}

// How often a loop iterates is another matter than where an 'if' goes.
TEST(ReadBranches, LoopsAndTheirExitsAreNoBranches) {
  EXPECT_TRUE(branchesOf(R"(
__global__ void k(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += 32) {
    if (a[i] < 0)
      break;
    a[i] = 1;
  }
}
)")
                  .empty());
}

TEST(ReadBranches, ASwitchHasASideForEachCase) {
  std::vector<Branch> branches = branchesOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  switch (i & 3) {
  case 0: a[i] = 1; break;
  case 1: a[i] += 2; break;
  case 2: a[i] *= 3; break;
  default: a[i] = 4;
  }
}
)");
  ASSERT_EQ(branches.size(), 1u);
  EXPECT_EQ(branches[0].sides.size(), 4u);
}

TEST(ReadBranches, AnElseIfIsInTheElseSide) {
  std::vector<Branch> branches = branchesOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  if (i == 3)
    a[i] = 1;
  else if (a[i] < 5)
    a[i + 1] = 2;
  if (i == 7)
    a[i] += 2;
}
)");
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_EQ(branches[0].parent, std::nullopt);
  EXPECT_EQ(branches[1].parent, 0u);
  EXPECT_EQ(branches[2].parent, std::nullopt);
}

// After `if (c) return;` the code runs for the other threads alone.
TEST(ReadBranches, AfterAnEarlyReturnTheRestIsTheOtherSide) {
  std::vector<Branch> branches = branchesOf(R"(
__global__ void k(float *a, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  a[i] = 1;
}
)");
  ASSERT_EQ(branches.size(), 1u);
  ASSERT_EQ(branches[0].sides.size(), 2u);
  EXPECT_EQ(std::min(branches[0].sides[0].work, branches[0].sides[1].work), 0);
  EXPECT_EQ(std::max(branches[0].sides[0].work, branches[0].sides[1].work), 2);
}

} // namespace

} // namespace warplint
