#include "cost/sampled_access.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

RequestSums requests(unsigned count, double sectors) {
  RequestSums sums;
  sums.requests = count;
  sums.sectors = sums.fewest = sums.most = count * sectors;
  return sums;
}

class SampledAccessTest : public testing::Test {
protected:
  SampledAccess sampled{0, BlockAverage(Space::Global), true};

  void endBlock(unsigned number, double sectors, bool isSpent = false) {
    sampled.block = requests(2, sectors);
    sampled.endBlock({{number, 0, 0}, 1, 0}, isSpent);
  }
};

TEST_F(SampledAccessTest, TheAverageOfAllBlocksIsThatOfTheGrid) {
  endBlock(0, 4);
  endBlock(1, 8);
  RequestSums sum;
  sampled.take(/*isKnown=*/true, sum);
  EXPECT_TRUE(sum.isWholeGrid);
  EXPECT_EQ(sum.sectors / sum.requests, 6);
}

// What half of a block takes is nobody's average.
TEST_F(SampledAccessTest, ABlockThatIsNotWholeIsLeftOut) {
  endBlock(0, 4);
  endBlock(1, 32, /*isSpent=*/true);
  RequestSums sum;
  sampled.take(/*isKnown=*/true, sum);
  EXPECT_FALSE(sum.isWholeGrid);
  EXPECT_EQ(sum.sectors / sum.requests, 4);
}

TEST_F(SampledAccessTest, AnUnknownGridHasARangeAlone) {
  endBlock(0, 4);
  endBlock(1, 8);
  RequestSums sum = requests(1, 5);
  sampled.take(/*isKnown=*/false, sum);
  EXPECT_EQ(sum.sectors, 5);
  EXPECT_FALSE(sum.isWholeGrid);
  ASSERT_TRUE(sum.range);
  EXPECT_EQ(sum.range->second, 8);
}

class DependsOnDataTest : public testing::Test, protected ModelBuilder {
protected:
  bool isOfData(ValueId index) {
    return dependsOnData(kernel, access(element(object("a"), index, 4), 4));
  }
};

TEST_F(DependsOnDataTest, AnIndexThatIsLoadedOrUnknownDependsOnData) {
  EXPECT_FALSE(isOfData(add(thread(), argument("first"))));
  EXPECT_TRUE(isOfData(varying()));
  Access &guarded = access(element(object("a"), thread(), 4), 4);
  guarded.guard = flag("f");
  EXPECT_TRUE(dependsOnData(kernel, guarded));
}

} // namespace
