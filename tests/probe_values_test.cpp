#include "cost/probe_values.h"
#include "warp_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class ProbeValuesTest : public testing::Test, protected WarpBuilder {};

// `int width = channels / heads;` lanes below it are not one, or none.
TEST_F(ProbeValuesTest, QuotientsOfProbeSizesAreSizes) {
  ValueId channels = graph.parameter(0, "channels", 32),
          heads = graph.parameter(1, "heads", 32);
  ValueId width = graph.make(Op::DivideSigned, 32, {channels, heads});
  EXPECT_GE(lanes(width).value[0], 1000u);
  EXPECT_EQ(lanes(width).value[0] % 32, 0u) << "adds no misalignment";
  EXPECT_TRUE(lanes(width).assumed);
  // Arguments of a launch are divided exactly.
  std::vector<Launched> launches(1);
  launches[0].arguments = {48, 12};
  Evaluation evaluation(kernel, launches);
  EXPECT_EQ(Warp(evaluation, {32, 1, 1}, 0, 0, 0).evaluate(width, {}).value[0],
            4u);
}

// `start / length == last / length`: the first and the last index of a warp
// mostly lie in one row.
TEST_F(ProbeValuesTest, AnIndexIsNoSizeToDivide) {
  ValueId block = graph.special(Op::BlockIndex, 0, 32);
  ValueId start = graph.make(Op::Multiply, 32, {block, number(512, 32)});
  ValueId last = graph.make(Op::Add, 32, {start, number(31, 32)});
  ValueId length = graph.parameter(0, "length", 32);
  const auto row = [&](ValueId index) {
    return lanes(graph.make(Op::DivideSigned, 32, {index, length})).value[0];
  };
  EXPECT_EQ(row(start), 0u);
  EXPECT_EQ(row(last), 0u);
}

// `int length = end[row] - begin[row];` with two sizes of which nobody knows
// the larger: a loop up to a negative one would be left out.
TEST_F(ProbeValuesTest, DifferencesOfProbeSizesAreSizes) {
  ValueId begin = graph.loaded(object("begin"), "begin[row]", 32, false),
          end = graph.loaded(object("end"), "end[row]", 32, false);
  for (ValueId length : {graph.make(Op::Subtract, 32, {end, begin}),
                         graph.make(Op::Subtract, 32, {begin, end})}) {
    EXPECT_GE(int32_t(lanes(length).value[0]), 1000);
    EXPECT_EQ(lanes(length).value[0] % 32, 0u) << "adds no misalignment";
    EXPECT_TRUE(lanes(length).assumed);
  }
  EXPECT_EQ(lanes(graph.make(Op::Subtract, 32, {end, end})).value[0], 0u);
}

// An unknown pitch must not make rows look misaligned, and an odd one must show
// that they may be.
TEST(ProbeValues, TheFirstTrialsAreAlignedAndTheThirdIsOdd) {
  for (uint64_t hash : {1, 2, 77, 4096}) {
    EXPECT_EQ(probeValue(hash, 32, 0) % 4096, 0u);
    EXPECT_EQ(probeValue(hash, 32, 1) % 32, 0u);
    EXPECT_EQ(probeValue(hash, 32, oddSizes) % 2, 1u);
    EXPECT_LE(probeValue(hash, 32, smallSizes), 3u);
    EXPECT_EQ(probeValue(hash, 32, unitSizes), 1u);
    for (unsigned trial : {0u, 1u, oddSizes})
      EXPECT_LT(probeValue(hash, 32, trial, fewestSizeBits),
                1u << fewestSizeBits);
  }
}

// `blockDim.x / width` threads of rows: a block has one row, not none.
TEST(ProbeValues, ABlockIsOneGroupOfALargeProbeSize) {
  const LaneValues block = LaneValues::splat(256),
                   size = LaneValues::splat(20480, /*assumed=*/true);
  EXPECT_TRUE(isBlockInGroups(Op::DivideUnsigned, block, size, 32));
  EXPECT_FALSE(
      isBlockInGroups(Op::DivideUnsigned, LaneValues::splat(2048), size, 32));
  EXPECT_FALSE(
      isBlockInGroups(Op::DivideUnsigned, block, LaneValues::splat(20480), 32))
      << "a width that the launch gives";
}

} // namespace
