// Words of shared memory that ptxas combines: each alone would have conflicts
// that the hardware does not count.
#include "cost/vector_width.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class VectorWidth : public testing::Test, protected ModelBuilder {
protected:
  /// The word `4 * thread + k` of a table.
  Access &word(uint64_t k, Operation operation = Operation::Load) {
    return access(element(table, add(times(thread(), 4), number(k)), 4), 4,
                  operation, Space::Shared);
  }
  unsigned bytes(unsigned access = 0) const {
    return vectorBytes(kernel, {32, 1, 1}, access);
  }

  ValueId table = object("t", Space::Shared, 4096);
};

// `t[4 * i] .. t[4 * i + 3]` is one instruction of 16 bytes: no conflict, as
// the hardware counts it, though each word alone would have four ways.
TEST_F(VectorWidth, AdjacentSharedWordsAreOneInstruction) {
  ValueId table = object("t", Space::Shared, 4096);
  auto word = [&](uint64_t k) {
    access(element(table, add(times(thread(), 4), number(k)), 4), 4,
           Operation::Load, Space::Shared);
  };
  word(0);
  word(1);
  EXPECT_EQ(costs(kernel, Shape{32, 1, 1})[0].ways, 2) << "8 of 16 bytes";
  word(2);
  word(3);
  for (const Cost &cost : costs(kernel, Shape{32, 1, 1}))
    EXPECT_EQ(cost.ways, 1);
  kernel.accesses[2].barrierInterval = 1; // a barrier in between
  EXPECT_EQ(costs(kernel, Shape{32, 1, 1})[3].ways, 4);
  kernel.accesses[2].barrierInterval = 0;
  EXPECT_EQ(costs(kernel, Shape{32, 1, 1})[3].ways, 1);
}

TEST_F(VectorWidth, IterationsOfAnUnrolledLoopAreNeighbours) {
  ValueId table = object("t", Space::Shared, 4096);
  Counted loop = countedLoop(0, 4);
  access(element(table, add(times(thread(), 4), loop.counter), 4), 4,
         Operation::Load, Space::Shared)
      .loops = {loop.loop};
  EXPECT_EQ(cost().ways, 1);
  Branch branch;
  branch.loops = {loop.loop};
  branch.sides.resize(2);
  branch.sides[0].work = 20;
  kernel.branches.push_back(branch);
  EXPECT_EQ(cost().ways, 4) << "each iteration has blocks of its own";
  kernel.branches.clear();
  kernel.loops[0].unroll = Unroll::Disabled;
  EXPECT_EQ(cost().ways, 4);
}

TEST_F(VectorWidth, WordsAreCombinedAtTheirAlignmentAlone) {
  word(1);
  word(2);
  EXPECT_EQ(bytes(), 4u);
  word(3);
  word(0);
  EXPECT_EQ(bytes(), 16u) << "in any order";
}

// `s[(4 * i + k) & 1023]`: ptxas makes one STS.64 and two STS.32 of four.
TEST_F(VectorWidth, WordsWithoutAConstantOffsetMayStayApart) {
  for (uint64_t k = 0; k < 4; ++k)
    access(element(table,
                   make(Op::And, add(times(thread(), 4), number(k)),
                        number(1023)),
                   4),
           4, Operation::Store, Space::Shared);
  EXPECT_EQ(bytes(), 16u);
  EXPECT_EQ(surelyVectorBytes(kernel, {32, 1, 1}, 0), 4u);
  const Cost cost = costs(kernel, Shape{32, 1, 1})[0];
  EXPECT_EQ(cost.basis, Basis::Assumed);
  EXPECT_EQ(cost.low, 1);
  EXPECT_EQ(cost.high, 4);
}

// A rotation within each thread's words is no constant offset either.
TEST_F(VectorWidth, IterationsWithoutAConstantOffsetMayStayApart) {
  Counted loop = countedLoop(0, 4);
  access(element(table,
                 add(times(thread(), 4),
                     make(Op::Xor, loop.counter, number(0))),
                 4),
         4, Operation::Load, Space::Shared)
      .loops = {loop.loop};
  EXPECT_EQ(bytes(), 16u);
  EXPECT_EQ(surelyVectorBytes(kernel, {32, 1, 1}, 0), 4u);
}

// LDS.32 in the machine code of CUDA 13.0, whichever array the store is to.
TEST_F(VectorWidth, AStoreInBetweenKeepsLoadsApart) {
  word(0);
  word(1, Operation::Store);
  word(1);
  EXPECT_EQ(bytes(), 4u);
  kernel.accesses[1].address =
      element(object("other", Space::Shared, 4096), thread(), 4);
  EXPECT_EQ(bytes(), 4u);
  kernel.accesses[1].operation = Operation::Load;
  EXPECT_EQ(bytes(), 8u);
}

// A reversal swaps the ends: its 32 stores stay STS.32.
TEST_F(VectorWidth, AnyAccessInBetweenKeepsStoresApart) {
  word(0, Operation::Store);
  word(31, Operation::Store);
  word(1, Operation::Store);
  EXPECT_EQ(bytes(), 4u);
  kernel.accesses[1].operation = Operation::Load;
  EXPECT_EQ(bytes(), 4u);
  kernel.accesses[1].space = Space::Global;
  EXPECT_EQ(bytes(), 8u);
}

// `s[i].x += s[j].x; s[i].y += ...` of a float4 is LDS.128 and STS.128.
TEST_F(VectorWidth, AlignedWordsAreCombinedOverOtherArrays) {
  word(0);
  access(element(object("other", Space::Shared, 4096), thread(), 4), 4,
         Operation::Store, Space::Shared);
  word(1);
  EXPECT_EQ(bytes(), 4u);
  kernel.accesses[0].alignment = 16;
  EXPECT_EQ(bytes(), 8u);
  kernel.accesses[1].address = kernel.accesses[2].address;
  EXPECT_EQ(bytes(), 4u) << "it writes what is loaded";
}

// STS.128, in any order of its words.
TEST_F(VectorWidth, StoresToOneWordAreCombined) {
  for (uint64_t k : {0, 3, 1, 2})
    word(k, Operation::Store);
  EXPECT_EQ(bytes(), 16u);
}

TEST_F(VectorWidth, VolatileWordsAndAtomicsStayApart) {
  word(0);
  word(1).isVolatile = true;
  EXPECT_EQ(bytes(), 4u);
  kernel.accesses[1].isVolatile = false;
  EXPECT_EQ(bytes(), 8u);
  kernel.accesses[0].operation = kernel.accesses[1].operation =
      Operation::Atomic;
  EXPECT_EQ(bytes(), 4u);
}

// LDS.32 in the machine code of CUDA 13.0: ptxas combines constant offsets from
// one register.
TEST_F(VectorWidth, InPtxSeparateAddressesStayApart) {
  word(0);
  access(element(table, make(Op::Or, times(thread(), 4), number(1)), 4), 4,
         Operation::Load, Space::Shared);
  EXPECT_EQ(bytes(), 8u);
  kernel.isCompiled = true;
  EXPECT_EQ(bytes(), 4u);
}

} // namespace
