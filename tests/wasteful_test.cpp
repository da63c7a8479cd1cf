// Requests that move more sectors than their bytes need.
#include "findings/wasteful.h"
#include "model_builder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

constexpr unsigned threshold = 8;

struct Wasteful : testing::Test {
  ModelBuilder b;
  ValueId a = b.object("a");

  ShapeCosts shape() const {
    const KernelShape shape{{32, 1, 1}, ShapeSource::Assumed, {}};
    return {shape, costs(b.kernel, shape)};
  }
  void load(ValueId index, unsigned bytes = 4) {
    b.access(b.element(a, index, bytes), bytes);
  }
  bool isWasteful(unsigned i = 0, unsigned sectors = threshold) const {
    return warplint::isWasteful(b.kernel, shape(), i, sectors);
  }
};

/// One load of floats in the source, and what the PTX has at its line.
struct WasteInPtx : testing::Test {
  ModelBuilder source, ptx;
  ValueId base = ptx.object("a");

  WasteInPtx() {
    source.access(
        source.element(source.object("a"), source.times(source.thread(), 8), 4),
        4);
  }
  void ptxLoad(ValueId index, unsigned bytes = 4) {
    ptx.access(ptx.element(base, index, bytes), bytes).place = {"/k.cu", 20, 1};
  }
  Judgement judged() const {
    const CostedKernel ofSource = costed(source.kernel),
                       ofPtx = costed(ptx.kernel);
    return judgeWaste(0, {ofSource, CompiledKernel(), &ofPtx}, threshold);
  }
};

} // namespace

TEST_F(Wasteful, AStrideOfEightFloatsWastesMostOfItsSectors) {
  load(b.times(b.thread(), 8));
  EXPECT_TRUE(isWasteful());
  EXPECT_FALSE(isWasteful(0, 33)) << "the user's threshold";
}

// 32 doubles fill eight sectors: many, and none of them in vain.
TEST_F(Wasteful, AWideElementIsNoWaste) {
  load(b.thread(), 8);
  EXPECT_FALSE(isWasteful());
  ModelBuilder wide;
  wide.access(wide.element(wide.object("a"), wide.thread(), 16), 16);
  const KernelShape shape{{32, 1, 1}, ShapeSource::Assumed, {}};
  EXPECT_FALSE(warplint::isWasteful(
      wide.kernel, {shape, costs(wide.kernel, shape)}, 0, threshold));
}

// A structure whose fields are all read touches the same sectors as one copy.
TEST_F(Wasteful, NeighboursThatUseTheRestMakeItNone) {
  for (uint64_t k = 0; k < 8; ++k)
    load(b.add(b.times(b.thread(), 8), b.number(k)));
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_FALSE(isWasteful(i)) << i;
}

// A few lanes that write the results of a block cost little.
TEST_F(Wasteful, FewLanesDoNotCount) {
  load(b.times(b.thread(), 32));
  b.kernel.accesses[0].guard = b.is(Op::LessSigned, b.thread(), b.number(7));
  EXPECT_FALSE(isWasteful(0, 2));
  b.kernel.accesses[0].guard = b.is(Op::LessSigned, b.thread(), b.number(9));
  EXPECT_TRUE(isWasteful(0, 2));
}

TEST_F(Wasteful, WhatCannotBeCountedIsNotReported) {
  load(b.varying());
  EXPECT_FALSE(isWasteful());
}

TEST_F(Wasteful, TheNoteTellsTwoLanesThatAReaderCanCheck) {
  load(b.times(b.thread(), 8));
  const ShapeCosts shape = this->shape();
  TwoLanes lanes(b.kernel);
  const std::string note =
      sectorNote(lanes, shape.shape, b.kernel.accesses[0], shape.costs[0]);
  EXPECT_THAT(note, HasSubstr("lane 0 reads a[0], lane 1 reads a[8]"));
  EXPECT_THAT(note, HasSubstr(": 32 sectors where 4 hold the bytes used"));
}

// 32 flags of one byte.
TEST_F(Wasteful, OneSectorHoldsWhatSeveralHold) {
  load(b.times(b.thread(), 28), 1);
  const ShapeCosts shape = this->shape();
  TwoLanes lanes(b.kernel);
  EXPECT_THAT(
      sectorNote(lanes, shape.shape, b.kernel.accesses[0], shape.costs[0]),
      HasSubstr(" sectors where 1 holds the bytes used"));
}

TEST_F(WasteInPtx, TheSameStrideInThePtxConfirms) {
  ptxLoad(ptx.times(ptx.thread(), 8));
  EXPECT_EQ(judged().verdict, Verdict::Confirmed);
  EXPECT_EQ(judged().evidence, "the PTX load of 4 bytes at line 20 touches 32 "
                               "sectors where 4 would do");
}

TEST_F(WasteInPtx, UnitStrideInThePtxRefutes) {
  ptxLoad(ptx.thread());
  EXPECT_EQ(judged().verdict, Verdict::Refuted);
  EXPECT_THAT(judged().evidence, HasSubstr("touches 4 sectors"));
}

// Each load strides, and eight of them use up the sectors together.
TEST_F(WasteInPtx, NeighboursInThePtxRefute) {
  for (uint64_t k = 0; k < 8; ++k)
    ptxLoad(ptx.add(ptx.times(ptx.thread(), 8), ptx.number(k)));
  EXPECT_EQ(judged().verdict, Verdict::Refuted);
  EXPECT_THAT(judged().evidence, HasSubstr("neighbours in the PTX"));
}

// A warp would move the same sector in one request of one line.
TEST_F(WasteInPtx, NeighboursOfOneByteInLinesOfTheirOwnConfirm) {
  for (uint64_t k = 0; k < 32; ++k)
    ptxLoad(ptx.add(ptx.times(ptx.thread(), 160), ptx.number(k)), 1);
  EXPECT_EQ(judged().verdict, Verdict::Confirmed);
  EXPECT_THAT(judged().evidence, HasSubstr("in 32 lines of L1"));
}

TEST_F(WasteInPtx, NeighboursOfOneByteInSharedLinesRefute) {
  for (uint64_t k = 0; k < 32; ++k)
    ptxLoad(ptx.add(ptx.times(ptx.thread(), 32), ptx.number(k)), 1);
  EXPECT_EQ(judged().verdict, Verdict::Refuted);
}

TEST_F(WasteInPtx, AnAddressThatIsNotFollowedLeavesItUnjudged) {
  ptxLoad(ptx.varying());
  EXPECT_EQ(judged().verdict, Verdict::Unjudged);
}
