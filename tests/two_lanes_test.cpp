#include "cost/two_lanes.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

// Each note is one that a reader can check with the source in view.
struct TwoLanes : testing::Test, ModelBuilder {
  ValueId a = object("a");
  KernelShape shape{{256, 1, 1}, ShapeSource::Launch, {}};

  std::string note(ValueId address, const std::string &text = "a[i]",
                   unsigned second = 1) {
    Access &added = access(address, 4);
    added.text = text;
    return warplint::TwoLanes(kernel).note(shape, added, 0, second);
  }
  ValueId block() {
    return graph.make(Op::Multiply, 64,
                      {graph.special(Op::BlockIndex, 0, 64), number(256)});
  }
};

TEST_F(TwoLanes, NamesElementsThatAreKnown) {
  EXPECT_EQ(note(element(a, times(thread(), 1024), 4)),
            "lane 0 reads a[0], lane 1 reads a[1024]");
  EXPECT_EQ(note(element(a, add(times(thread(), 2), number(3)), 4), "a[i]", 16),
            "lane 0 reads a[3], lane 16 reads a[35]");
}

TEST_F(TwoLanes, NamesTheDistanceIfElementsAreUnknown) {
  EXPECT_EQ(note(element(a, times(add(thread(), block()), 8), 4)),
            "lane 0 reads a[...], lane 1 reads a[... + 8]");
  EXPECT_EQ(note(element(a, add(times(thread(), 8), argument("from")), 4)),
            "lane 0 reads a[...], lane 1 reads a[... + 8]");
  ValueId down =
      graph.make(Op::Subtract, 64, {argument("n"), times(thread(), 2)});
  EXPECT_EQ(note(element(a, down, 4)),
            "lane 0 reads a[...], lane 1 reads a[... - 2]");
}

TEST_F(TwoLanes, NamesTheSizeInTheDistance) {
  ValueId row = graph.make(Op::Multiply, 64, {thread(), argument("columns")});
  EXPECT_EQ(note(element(a, add(row, argument("k")), 4)),
            "lane 0 reads a[...], lane 1 reads a[... + columns]");
  EXPECT_EQ(note(element(a, times(row, 3), 4)),
            "lane 0 reads a[...], lane 1 reads a[... + 3 * columns]");
}

TEST_F(TwoLanes, NamesTheSizeAndTheRemainder) {
  ValueId diagonal =
      add(graph.make(Op::Multiply, 64, {thread(), argument("n")}), thread());
  EXPECT_EQ(note(element(a, diagonal, 4)),
            "lane 0 reads a[...], lane 1 reads a[... + n + 1]");
  ValueId other = graph.make(
      Op::Subtract, 64,
      {graph.make(Op::Multiply, 64, {thread(), argument("n")}), thread()});
  EXPECT_EQ(note(element(a, other, 4)),
            "lane 0 reads a[...], lane 1 reads a[... + n - 1]");
}

// `row = tile + 64` begins at element 64 of the tile, not at that of `row`.
TEST_F(TwoLanes, CountsElementsFromTheObjectItself) {
  ValueId index = add(times(thread(), 32), number(64));
  Access &added = access(element(a, index, 4), 4);
  added.text = "row[32 * i]";
  added.object = "row";
  EXPECT_EQ(warplint::TwoLanes(kernel).note(shape, added, 0, 1),
            "lane 0 reads row[...], lane 1 reads row[... + 32]");
}

// Pairs of lanes: the first two stand side by side, the next are far apart.
TEST_F(TwoLanes, ShowsLanesThatDoNotShareASector) {
  Cost cost;
  cost.active = ~0u;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    cost.addresses[lane] = lane / 2 * 4096 + lane % 2 * 4;
  EXPECT_EQ(neighbouringLanes(cost), std::pair(1u, 2u));
  cost.active = 0x11111111; // of every four lanes one
  EXPECT_EQ(neighbouringLanes(cost), std::pair(0u, 4u));
  cost.active = ~0u;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    cost.addresses[lane] = lane;
  EXPECT_EQ(neighbouringLanes(cost), std::pair(0u, 1u));
}

// A field, a row, a piece of a structure: bytes are always right.
TEST_F(TwoLanes, GivesBytesForPartsOfElements) {
  EXPECT_EQ(note(element(a, times(thread(), 11), 4), "a[i].mass"),
            "lane 1 reads 'a[i].mass' 44 bytes after lane 0");
  EXPECT_EQ(note(element(a, times(thread(), 32), 4), "a[i][k]"),
            "lane 1 reads 'a[i][k]' 128 bytes after lane 0");
  EXPECT_EQ(note(element(a, times(thread(), 2), 1)),
            "lane 1 reads 'a[i]' 2 bytes after lane 0");
}

TEST_F(TwoLanes, IsEmptyIfSeveralSizesDecide) {
  ValueId both = graph.make(Op::Multiply, 64,
                            {add(argument("n"), argument("m")), thread()});
  EXPECT_EQ(note(element(a, both, 4)), "");
  EXPECT_EQ(note(element(a, varying(), 4)), "");
}

} // namespace
