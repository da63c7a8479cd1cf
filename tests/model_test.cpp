#include "model/model.h"
#include <gtest/gtest.h>

using namespace warplint;

// Reports, gates and the JSON of other tools compare with these words.
TEST(Model, SpacesAndOperationsHaveTheWordsOfReports) {
  EXPECT_STREQ(spelling(Space::Global), "global");
  EXPECT_STREQ(spelling(Space::Shared), "shared");
  EXPECT_STREQ(spelling(Space::Local), "local");
  EXPECT_STREQ(spelling(Space::Constant), "constant");
  EXPECT_STREQ(spelling(Space::Parameter), "parameter");
  EXPECT_STREQ(spelling(Space::Texture), "texture");
  EXPECT_STREQ(spelling(Space::Unknown), "unknown");
  EXPECT_STREQ(spelling(Operation::Load), "load");
  EXPECT_STREQ(spelling(Operation::Store), "store");
  EXPECT_STREQ(spelling(Operation::Atomic), "atomic");
}

TEST(Model, AShapeIsWrittenWithAllItsDimensions) {
  EXPECT_EQ((Shape{32, 8, 1}).text(), "32x8x1");
  EXPECT_EQ((Shape{1024, 1024, 64}).threads(), 1024u * 1024 * 64);
}

// The blocks of a grid with an open dimension are no number, and those of a
// large one exceed 32 bits.
TEST(Model, AGridIsKnownOnlyIfEachDimensionIs) {
  Launched launch;
  launch.grid = {80, 2, std::nullopt};
  EXPECT_EQ(launch.blocks(), std::nullopt);
  launch.grid = {1u << 31, 65535, 4};
  EXPECT_EQ(launch.blocks(), (uint64_t(1) << 31) * 65535 * 4);
}

TEST(Model, LaunchesAtTwoPlacesAreOneIfTheirNumbersAgree) {
  Launched one{{80, 1, 1}, {4}, {"a.cu", 3, 1}};
  Launched other = one;
  other.place = {"a.cu", 9, 1};
  EXPECT_EQ(one, other);
  other.arguments = {8};
  EXPECT_FALSE(one == other);
}

// A list of 24 kernels that grew copied each of them up to five times.
TEST(Model, AListOfKernelsThatGrowsMovesThem) {
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Kernel>);
  EXPECT_TRUE(std::is_nothrow_move_assignable_v<Kernel>);
}
