// Neighbouring elements that one vector access could move.
#include "cost/scalar_runs.h"
#include "model_builder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

struct Runs : ModelBuilder {
  ValueId a = object("a");

  std::vector<ScalarRun> found() const {
    const KernelShape shape{{32, 1, 1}, ShapeSource::Assumed, {}};
    return scalarRuns(kernel, {shape, costs(kernel, shape)});
  }
  /// Loads element `of * thread + k` of `bytes`.
  Access &load(uint64_t of, uint64_t k, unsigned bytes = 4) {
    return access(element(a, add(times(thread(), of), number(k)), bytes),
                  bytes);
  }
};

struct ScalarRuns : testing::Test {
  Runs b;
};

} // namespace

TEST_F(ScalarRuns, FourFloatsOfALaneAreOneVectorInAnyOrder) {
  for (uint64_t k : {2, 0, 3, 1})
    b.load(4, k);
  const auto runs = b.found();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(runs[0].accesses, ElementsAre(1u, 3u, 0u, 2u));
  EXPECT_EQ(runs[0].elements, 4u);
  EXPECT_EQ(runs[0].joined, 4u);
}

// Red, green and blue of four bytes: the fourth is in the same aligned word.
TEST_F(ScalarRuns, ThreeOfFourAreLoadedAsFourAndStoredAsTwo) {
  for (uint64_t k : {0, 1, 2})
    b.load(4, k);
  const auto runs = b.found();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].elements, 3u);
  EXPECT_EQ(runs[0].joined, 4u);
  for (Access &access : b.kernel.accesses)
    access.operation = Operation::Store;
  ASSERT_EQ(b.found().size(), 1u);
  EXPECT_EQ(b.found()[0].joined, 2u) << "the fourth would be overwritten";
}

// A vector there would fault: its start is no multiple of its size.
TEST_F(ScalarRuns, AStartThatIsNotAlignedGivesNone) {
  for (uint64_t k : {1, 2, 3, 4})
    b.load(4, k);
  EXPECT_TRUE(b.found().empty());
}

// `a[n * i + k]` is aligned for some n alone.
TEST_F(ScalarRuns, AnUnknownStrideGivesNone) {
  const ValueId row = b.make(Op::Multiply, b.thread(), b.argument("n"));
  for (uint64_t k : {0, 1, 2, 3})
    b.access(b.element(b.a, b.add(row, b.number(k)), 4), 4);
  EXPECT_TRUE(b.found().empty());
  // Four times the unknown is aligned for any.
  Runs aligned;
  const ValueId quads = aligned.make(
      Op::Multiply, aligned.times(aligned.thread(), 4), aligned.argument("n"));
  for (uint64_t k : {0, 1, 2, 3})
    aligned.access(
        aligned.element(aligned.a, aligned.add(quads, aligned.number(k)), 4),
        4);
  ASSERT_EQ(aligned.found().size(), 1u);
  EXPECT_EQ(aligned.found()[0].joined, 4u);
}

TEST_F(ScalarRuns, BytesJoinToFourOrMore) {
  for (uint64_t k : {0, 1})
    b.load(2, k, 1);
  EXPECT_TRUE(b.found().empty()) << "two bytes";
  Runs four;
  for (uint64_t k : {0, 1, 2, 3})
    four.load(4, k, 1);
  ASSERT_EQ(four.found().size(), 1u);
  EXPECT_EQ(four.found()[0].joined, 4u);
}

// Between the accesses of two regions another thread may write, and two loads
// of one element are no neighbours.
TEST_F(ScalarRuns, OnlyAccessesThatRunTogetherJoin) {
  b.load(2, 0);
  b.load(2, 1).region = 1;
  EXPECT_TRUE(b.found().empty());
  b.kernel.accesses[1].region = 0;
  ASSERT_EQ(b.found().size(), 1u);
  b.kernel.accesses[1].operation = Operation::Store;
  EXPECT_TRUE(b.found().empty()) << "a load and a store";
  b.kernel.accesses[1].operation = Operation::Load;
  b.kernel.accesses[1].isVolatile = true;
  EXPECT_TRUE(b.found().empty());
  Runs same;
  same.load(2, 0);
  same.load(2, 0);
  EXPECT_TRUE(same.found().empty());
}

TEST_F(ScalarRuns, AShortLoopOverElementsIsARun) {
  auto over = [](uint64_t trips, uint64_t step) {
    Runs b;
    const auto loop = b.countedLoop(0, trips);
    b.access(b.element(b.a,
                       b.add(b.times(b.thread(), trips * step),
                             b.times(loop.counter, step)),
                       4),
             4)
        .loops = {loop.loop};
    return b.found();
  };
  const auto runs = over(8, 1);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].elements, 8u);
  EXPECT_EQ(runs[0].joined, 4u) << "16 bytes at most";
  EXPECT_TRUE(over(8, 2).empty()) << "every second element";
  EXPECT_EQ(over(32, 1).size(), 1u) << "a line of each lane";
  EXPECT_TRUE(over(64, 1).empty()) << "L1 does not hold as much";
}

// 'p[2 * k]' and 'p[2 * k + 1]' of four pairs are eight bytes.
TEST_F(ScalarRuns, PairsInAShortLoopAreOneRun) {
  const ModelBuilder::Counted loop = b.countedLoop(0, 4);
  for (uint64_t part : {0, 1}) {
    const ValueId index =
        b.add(b.add(b.times(b.thread(), 8), b.times(loop.counter, 2)),
              b.number(part));
    b.access(b.element(b.a, index, 1), 1).loops = {loop.loop};
  }
  const auto runs = b.found();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(runs[0].accesses, ElementsAre(0u, 1u));
  EXPECT_EQ(runs[0].elements, 8u);
  EXPECT_EQ(runs[0].joined, 8u);
}

// The first of 32 elements is taken before the loop over the others.
TEST_F(ScalarRuns, ALongRunMayStartBetweenVectors) {
  auto from = [](uint64_t first, uint64_t trips) {
    Runs b;
    const auto loop = b.countedLoop(0, trips);
    b.access(b.element(b.a,
                       b.add(b.times(b.thread(), 32),
                             b.add(loop.counter, b.number(first))),
                       1),
             1)
        .loops = {loop.loop};
    return b.found();
  };
  ASSERT_EQ(from(1, 31).size(), 1u);
  EXPECT_EQ(from(1, 31)[0].joined, 16u);
  EXPECT_TRUE(from(1, 4).empty()) << "one vector of four does not fit";
}

// Lanes that read one vector together need no wider access each.
TEST_F(ScalarRuns, LanesThatShareAnElementHaveNoRun) {
  const ValueId pair = b.make(Op::DivideUnsigned, b.thread(), b.number(2));
  for (uint64_t k : {0, 1, 2, 3})
    b.access(b.element(b.a, b.add(b.times(pair, 4), b.number(k)), 4), 4);
  EXPECT_TRUE(b.found().empty());
}
