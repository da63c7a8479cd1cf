#include "source/settle_shapes.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

using Sizes = std::array<std::optional<uint64_t>, 3>;

class Shapes : public testing::Test {
protected:
  Shapes() { kernel.mangled = "_Z1kv"; }
  void launch(Sizes block, const char *of = "_Z1kv") {
    launches.push_back({of, {"/k.cu", 30, 3}, {}, block});
  }
  std::vector<KernelShape> settled(std::optional<Shape> given = {}) {
    std::vector<Kernel> kernels{kernel};
    settleShapes(kernels, launches, given);
    return kernels[0].shapes;
  }
  void expectOne(Shape shape, ShapeSource source,
                 std::optional<Shape> given = {}) {
    auto shapes = settled(given);
    ASSERT_EQ(shapes.size(), 1u);
    EXPECT_EQ(shapes[0].shape.text(), shape.text());
    EXPECT_EQ(shapes[0].source, source);
  }
  Kernel kernel;
  std::vector<Launch> launches;
};

TEST_F(Shapes, EachDistinctLaunchGivesAShape) {
  launch({32, 8, 1});
  launch({32, 8, 1});
  launch({256, 1, 1});
  launch({64, 1, 1}, "_Z5otherv");
  auto shapes = settled(Shape{128, 1, 1});
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].shape.text(), "32x8x1");
  EXPECT_EQ(shapes[1].shape.text(), "256x1x1");
  EXPECT_EQ(shapes[0].source, ShapeSource::Launch);
  EXPECT_EQ(shapes[0].place.line, 30u);
}

TEST_F(Shapes, UnknownShapesAreMarkedAssumed) {
  expectOne({256, 1, 1}, ShapeSource::Assumed);
}

TEST_F(Shapes, LaunchBoundsOverrideTheDefault) {
  kernel.bounds = LaunchBounds{128, 0};
  expectOne({128, 1, 1}, ShapeSource::LaunchBounds);
  kernel.bounds = LaunchBounds{0, 4}; // of something that is not constant
  expectOne({256, 1, 1}, ShapeSource::Assumed);
}

// Bounds are the most that a launch may have; the user knows what it has.
TEST_F(Shapes, TheBlockFlagOverridesLaunchBounds) {
  kernel.bounds = LaunchBounds{1024, 0};
  expectOne({32, 8, 1}, ShapeSource::Option, Shape{32, 8, 1});
}

TEST_F(Shapes, RunTimeLaunchesAreAssumed) {
  launch({32, std::nullopt, 1});
  expectOne({32, 8, 1}, ShapeSource::Assumed);
  launches.clear();
  launch({std::nullopt, std::nullopt, std::nullopt});
  expectOne({256, 1, 1}, ShapeSource::Assumed);
}

// What it alone executes was shut out by the others' arguments, and silent.
TEST_F(Shapes, ALaunchOfAnUnknownBlockCountsBesideAKnownOne) {
  for (const bool isFirst : {true, false}) {
    launches.clear();
    launch({std::nullopt, 1, 1});
    launches.back().arguments = {3};
    launch({64, 1, 1});
    launches.back().arguments = {1};
    if (!isFirst)
      std::swap(launches[0], launches[1]);
    const auto shapes = settled();
    ASSERT_EQ(shapes.size(), 2u);
    EXPECT_EQ(shapes[0].source, ShapeSource::Launch);
    EXPECT_EQ(shapes[1].source, ShapeSource::Assumed);
    // Most likely it is as large as the other.
    EXPECT_EQ(shapes[1].shape.text(), "64x1x1");
    ASSERT_EQ(shapes[1].launches.size(), 1u);
    EXPECT_EQ(shapes[1].launches[0].arguments, std::vector{std::optional(3ul)});
  }
  launches.clear();
  launch({32, std::nullopt, 1});
  launch({64, 1, 1});
  const auto shapes = settled();
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[1].shape.text(), "32x8x1") << "what it says";
}

// The launch fails at run time; it is no reason to divide by zero here.
// `threads = n == 1 ? 1 : chosen`: no kernel is judged by one thread alone.
TEST_F(Shapes, ABlockOfOneThreadStandsForNoUnknownOne) {
  launch({1, 1, 1});
  expectOne({1, 1, 1}, ShapeSource::Launch);
  launch({std::nullopt, 1, 1});
  const auto shapes = settled();
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[1].shape.text(), "256x1x1");
  EXPECT_EQ(shapes[1].source, ShapeSource::Assumed);
}

TEST_F(Shapes, ImpossibleLaunchesAreLeftOut) {
  launch({0, 1, 1});
  launch({2048, 1, 1});
  launch({1, 1, 128});
  launch({1024, 1024, 1});
  launch({uint64_t(-1), 1, 1});
  expectOne({256, 1, 1}, ShapeSource::Assumed);
}

// SHOC's stencil: 'Stencil(0, 0)' only instantiates the template, whose blocks
// are 1 x columns. Lanes that differ in threadIdx.x would be a false alarm.
TEST_F(Shapes, AnExtentOfZeroLeavesTheOthersKnown) {
  launch({1, 0, 1});
  launches.back().grid = {0, 0, 1};
  launches.back().arguments = {0};
  launches.back().sizesKnown = true;
  expectOne({1, 256, 1}, ShapeSource::Assumed);
  const KernelShape shape = settled().front();
  ASSERT_EQ(shape.launches.size(), 1u);
  EXPECT_TRUE(shape.launches.front().arguments.empty());
  EXPECT_TRUE(shape.grids.empty());
}

// A size that is unknown takes the grid away from an evaluation; how many
// blocks there are stays known.
TEST_F(Shapes, GridsAreKnownWhateverTheArgumentsAre) {
  launch({256, 1, 1});
  launches.back().grid = {8, 2, 1};
  launch({256, 1, 1});
  launches.back().grid = {4, 1, 1};
  launch({128, 1, 1});
  launches.back().grid = {4, 1, 1};
  launch({128, 1, 1});
  auto shapes = settled();
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].grids, (std::vector<uint64_t>{4, 16}));
  EXPECT_FALSE(shapes[0].launches.front().blocks());
  EXPECT_TRUE(shapes[1].grids.empty());
}

} // namespace
