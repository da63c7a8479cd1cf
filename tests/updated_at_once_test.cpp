// The memory that atomics of blocks which run at once update.
#include "cost/sampled_grid.h"
#include "cost/updated_at_once.h"
#include "time_of.h"

using namespace warplint;

namespace {

struct UpdatedTogether : TimeOf {
  std::optional<UpdatedAtOnce> of(const std::string &at, double blocks,
                                  unsigned warps = 1) {
    read("__global__ void k(int *rows, const int *in) {\n"
         "  atomicAdd(&rows[" +
         at +
         "], 1);\n"
         "}\n"
         "int main() { k<<<dim3(16, 4096), 256>>>(0, 0); }\n");
    const ShapeCosts &shape = kernel->shapes[0];
    const unsigned i =
        llvm::find_if(kernel->kernel.accesses,
                      [](const Access &one) {
                        return one.operation == Operation::Atomic;
                      }) -
        kernel->kernel.accesses.begin();
    FirstWarps first(kernel->kernel, shape.shape);
    return updatedAtOnce(first, gridOf(shape.shape.launches, 0),
                         kernel->kernel.accesses[i], shape.costs[i], blocks,
                         warps);
  }
};

} // namespace

// Sums of 1,024 rows, of which 66 are under way, are no wide memory.
TEST_F(UpdatedTogether, RowsOfBlocksThatRunAtOnceLieSideBySide) {
  const auto rows = of("blockIdx.y", 1056);
  ASSERT_TRUE(rows);
  EXPECT_NEAR(rows->sectors, 66 / 8.0, 1);
  EXPECT_NEAR(rows->slices, 1, 0.1);
  const auto apart = of("blockIdx.y * 1024", 1056);
  ASSERT_TRUE(apart);
  EXPECT_NEAR(apart->sectors, 66, 3);
  EXPECT_NEAR(apart->slices, 66, 3);
}

// More blocks than are evaluated go on as the last ones do, or no further.
TEST_F(UpdatedTogether, BlocksThatAreNotEvaluatedGoOn) {
  EXPECT_NEAR(of("blockIdx.x + 16 * blockIdx.y", 4096)->sectors, 512, 2);
  EXPECT_NEAR(of("blockIdx.y % 8 * 8", 4096)->sectors, 8, 0);
}

TEST_F(UpdatedTogether, WarpsOfABlockHavePlacesOfTheirOwn) {
  EXPECT_NEAR(of("blockIdx.y * 64 + threadIdx.x / 32 * 8", 16, 8)->sectors, 8,
              0);
}

TEST_F(UpdatedTogether, WhatDataChooseIsUnknown) {
  EXPECT_FALSE(of("in[threadIdx.x]", 64));
}
