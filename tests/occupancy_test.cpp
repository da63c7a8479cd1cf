#include "machine/occupancy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;

static Usage usage(const char *architecture, unsigned registers,
                   unsigned sharedMemory = 0) {
  Usage usage;
  usage.architecture = architecture;
  usage.registers = registers;
  usage.sharedMemory = sharedMemory;
  return usage;
}

static Occupancy found(const Usage &usage, unsigned threads,
                       unsigned dynamic = 0) {
  auto result = occupancy(usage, threads, dynamic);
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return result ? *result : Occupancy();
}

static std::string error(llvm::Error error) {
  return llvm::toString(std::move(error));
}

namespace {
struct Measured {
  const char *kernel;
  unsigned threads, registers, sharedMemory;
  double percent;
};
} // namespace

// Nsight Compute's theoretical occupancy on an H200.
TEST(Occupancy, MatchesNsightComputeOnAnH200) {
  for (const Measured &row : {
           Measured{"copy_f32", 256, 10, 0, 100},
           Measured{"local_const_bound_128", 256, 134, 0, 12.5},
           Measured{"local_const_bound_2048", 256, 40, 0, 75},
           Measured{"tile8x8_nobounds", 256, 96, 0, 25},
           Measured{"tile8x8_bounds_1024", 256, 64, 0, 50},
           Measured{"big_array_320", 128, 255, 0, 12.5},
           Measured{"big_array_160", 128, 168, 0, 18.75},
           Measured{"scalar_pressure_nobounds", 1024, 56, 0, 50},
           Measured{"scalar_pressure_nobounds", 256, 56, 0, 50},
           Measured{"scalar_pressure_1024_2", 1024, 32, 0, 100},
           Measured{"block_not_multiple_of_32", 48, 10, 0, 100},
           Measured{"row_sum_thread_per_row", 128, 31, 0, 100},
           Measured{"smem_stride1", 256, 16, 32768, 75},
           Measured{"smem_column_33", 256, 16, 4224, 100},
           Measured{"smem_f64_column_33", 256, 21, 8448, 100},
           Measured{"transpose_tile_unpadded", 256, 24, 4096, 100},
       })
    EXPECT_EQ(
        found(usage("sm_90", row.registers, row.sharedMemory), row.threads)
            .percent(),
        row.percent)
        << row.kernel;
}

// Rows of the CUDA occupancy calculator's own tables.
TEST(Occupancy, KnowsOtherArchitectures) {
  EXPECT_EQ(found(usage("sm_50", 32), 256).warps, 64u);
  EXPECT_EQ(found(usage("sm_61", 40), 128).warps, 48u); // of 64
  EXPECT_EQ(found(usage("sm_70", 32, 2048), 256).blocks, 8u);
  EXPECT_EQ(found(usage("sm_75", 64), 256).percent(), 100); // half the warps
  EXPECT_EQ(found(usage("sm_80", 128), 256).blocks, 2u);
  EXPECT_EQ(found(usage("sm_86", 32), 256).maxWarps, 48u);
  EXPECT_EQ(found(usage("sm_86", 32), 64).blocks, 16u);
  EXPECT_EQ(found(usage("sm_89", 32), 64).blocks, 24u);
  EXPECT_EQ(found(usage("sm_100", 32), 64).blocks, 32u);
  EXPECT_EQ(found(usage("sm_120", 32), 1024).blocks, 1u);
  EXPECT_EQ(found(usage("sm_90a", 96), 256).blocks, 2u);
  EXPECT_EQ(found(usage("sm_100f", 96), 256).blocks, 2u);
}

// 48 KiB four times are 192 of the SM's 228, but with the driver's share of
// each block 196; of 164 KiB, four times 40 would be 160, with it 164.
TEST(Occupancy, CountsSharedMemoryReservedByTheDriver) {
  EXPECT_EQ(found(usage("sm_90", 32, 48 * 1024), 256).blocks, 4u);
  EXPECT_EQ(found(usage("sm_80", 32, 40 * 1024), 256).blocks, 4u);
  EXPECT_EQ(found(usage("sm_80", 32, 41 * 1024), 256).blocks, 3u);
  EXPECT_EQ(found(usage("sm_70", 32, 48 * 1024), 256).blocks, 2u);
}

TEST(Occupancy, AddsDynamicSharedMemory) {
  Occupancy dynamic = found(usage("sm_90", 32, 1024), 256, 99 * 1024);
  EXPECT_EQ(dynamic.blocks, 2u);
  EXPECT_THAT(dynamic.limits, ElementsAre(OccupancyLimit::SharedMemory));
  ASSERT_TRUE(dynamic.next);
  EXPECT_EQ(dynamic.next->blocks, 3u);
  EXPECT_EQ(dynamic.next->sharedMemory, 76800u);
  EXPECT_FALSE(dynamic.next->registers);
}

TEST(Occupancy, NamesTheRegistersThatAdmitAnotherBlock) {
  Occupancy two = found(usage("sm_90", 128), 256);
  EXPECT_EQ(two.blocks, 2u);
  EXPECT_EQ(two.warps, 16u);
  EXPECT_EQ(two.percent(), 25);
  EXPECT_THAT(two.limits, ElementsAre(OccupancyLimit::Registers));
  ASSERT_TRUE(two.next);
  EXPECT_EQ(two.next->registers, 80u);
  EXPECT_EQ(two.next->blocks, 3u);
  EXPECT_EQ(two.next->warps, 24u);
  EXPECT_EQ(found(usage("sm_90", 80), 256).blocks, 3u); // keeps its promise
  EXPECT_EQ(found(usage("sm_90", 81), 256).blocks, 2u);
}

// One of them alone would let in nothing.
TEST(Occupancy, NamesEveryLimit) {
  Occupancy both = found(usage("sm_90", 128, 100 * 1024), 256);
  EXPECT_EQ(both.blocks, 2u);
  EXPECT_THAT(both.limits, ElementsAre(OccupancyLimit::Registers,
                                       OccupancyLimit::SharedMemory));
  ASSERT_TRUE(both.next);
  EXPECT_EQ(both.next->registers, 80u);
  EXPECT_EQ(found(usage("sm_90", 80, *both.next->sharedMemory), 256).blocks,
            3u);
  EXPECT_EQ(found(usage("sm_90", 80, *both.next->sharedMemory + 1), 256).blocks,
            2u);
}

TEST(Occupancy, HasNoNextStepIfTheBlockSizeLimits) {
  Occupancy full = found(usage("sm_90", 32), 1024);
  EXPECT_EQ(full.percent(), 100);
  EXPECT_FALSE(full.next);
  Occupancy small = found(usage("sm_90", 16), 32);
  EXPECT_EQ(small.percent(), 50);
  EXPECT_THAT(small.limits, ElementsAre(OccupancyLimit::Blocks));
  EXPECT_FALSE(small.next);
  EXPECT_NEAR(found(usage("sm_86", 40), 1024).percent(), 66.7, 0.1);
}

TEST(Occupancy, FindsTheBestBlock) {
  auto best = bestBlock(usage("sm_86", 40), 1024);
  ASSERT_TRUE(bool(best));
  EXPECT_EQ(best->threads, 768u);
  EXPECT_EQ(best->warps, 48u);
  auto same = bestBlock(usage("sm_90", 32), 256);
  ASSERT_TRUE(bool(same));
  EXPECT_EQ(same->threads, 256u);
}

// cudaErrorLaunchOutOfResources, or an invalid configuration.
TEST(Occupancy, IsAnErrorForAnImpossibleBlock) {
  Occupancy registers = found(usage("sm_90", 128), 1024);
  EXPECT_EQ(registers.blocks, 0u);
  EXPECT_THAT(registers.limits, ElementsAre(OccupancyLimit::Registers));
  ASSERT_TRUE(registers.next);
  EXPECT_EQ(registers.next->registers, 64u);
  EXPECT_EQ(found(usage("sm_90", 32), 1025).blocks, 0u);
  EXPECT_EQ(found(usage("sm_75", 32), 32, 65 * 1024).blocks, 0u);
}

// The named barriers of warp-specialised kernels.
TEST(Occupancy, CountsBarriersFromHopperOn) {
  Usage many = usage("sm_90", 32);
  many.barriers = 16;
  EXPECT_EQ(found(many, 128).blocks, 4u);
  EXPECT_THAT(found(many, 128).limits, ElementsAre(OccupancyLimit::Barriers));
  many.architecture = "sm_80";
  EXPECT_EQ(found(many, 128).blocks, 16u);
}

TEST(Occupancy, ReportsUnknownInputs) {
  EXPECT_EQ(error(occupancy(usage("sm_88", 32), 256).takeError()),
            "how much an SM of sm_88 holds is not known here");
  EXPECT_EQ(error(occupancy(usage("sm_35", 32), 256).takeError()),
            "how much an SM of sm_35 holds is not known here");
  EXPECT_EQ(error(occupancy(usage("gfx90a", 32), 256).takeError()),
            "no GPU architecture is called 'gfx90a'");
  EXPECT_EQ(error(occupancy(usage("sm_90", 0), 256).takeError()),
            "the registers of the kernel are not known");
  EXPECT_EQ(error(bestBlock(usage("", 32), 256).takeError()),
            "no GPU architecture is called ''");
  EXPECT_EQ(error(occupancy(usage("sm_90", 32), 0).takeError()),
            "the occupancy of blocks of 0 threads cannot be computed");
}
