// Of an index that is split by a division, the quotient or the remainder can be
// what neighbouring lanes differ in.
#include "cost/split_index.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class SplitIndex : public testing::Test, protected ModelBuilder {
protected:
  ValueId a = object("a"), n = argument("n"), m = argument("m");
  ValueId quotient(ValueId i) { return make(Op::DivideUnsigned, i, n); }
  ValueId remainder(ValueId i) { return make(Op::RemainderUnsigned, i, n); }
  bool isSplit(ValueId index, uint64_t size = 4) {
    return hasSplitIndex(graph, element(a, index, size));
  }
};

TEST_F(SplitIndex, OneOfTheTwoStepsThroughNeighbours) {
  EXPECT_TRUE(isSplit(
      add(make(Op::Multiply, remainder(thread()), m), quotient(thread()))));
  EXPECT_TRUE(isSplit(
      add(remainder(thread()), make(Op::Multiply, quotient(thread()), m))));
}

TEST_F(SplitIndex, ElementsOfASectorAreNoNeighbours) {
  EXPECT_TRUE(isSplit(quotient(thread()), 16));
  EXPECT_FALSE(isSplit(quotient(thread()), 32));
  EXPECT_FALSE(isSplit(make(Op::ShiftLeft, quotient(thread()), number(3))));
}

TEST_F(SplitIndex, AnIndexOfThreadsAlone) {
  EXPECT_FALSE(isSplit(thread()));
  EXPECT_FALSE(isSplit(quotient(m)));
}

// The diagonal of Kaldi's packed matrices, `(i + 1) * (i + 2) / 2`, was told to
// let lanes differ in a quotient that steps through neighbours: there is none.
TEST_F(SplitIndex, TheElementsOfATriangleAreNotSplit) {
  const ValueId i = thread();
  EXPECT_FALSE(
      isSplit(make(Op::DivideUnsigned, make(Op::Multiply, add(i, number(1)), i),
                   number(2))));
  EXPECT_TRUE(isSplit(add(make(Op::Multiply, remainder(i), m),
                          quotient(make(Op::Multiply, i, m)))))
      << "a multiple of the index";
}

// nvbench reads `in[i * stride % elements]`: the remainder steps as far as the
// product does.
TEST_F(SplitIndex, ARemainderStepsAsFarAsWhatItIsOf) {
  const ValueId i = thread();
  EXPECT_FALSE(isSplit(remainder(make(Op::Multiply, i, m))));
  EXPECT_FALSE(isSplit(remainder(make(Op::Multiply, i, number(8)))));
  EXPECT_TRUE(isSplit(remainder(make(Op::Multiply, i, number(2)))));
  EXPECT_TRUE(isSplit(remainder(
      add(make(Op::Multiply, graph.special(Op::BlockIndex, 0, 64), m), i))));
}

// The diagonals of a bundle adjustment's blocks, `block[k * 6 + k]` with
// `k = i % 6`, were told to let lanes differ in what steps through neighbours:
// the remainder steps by 7 elements.
TEST_F(SplitIndex, ADiagonalHasNoNeighbours) {
  const ValueId k = remainder(thread());
  EXPECT_FALSE(isSplit(add(make(Op::Multiply, k, number(6)), k), 8));
  EXPECT_FALSE(isSplit(add(make(Op::Multiply, k, m), k)));
  EXPECT_TRUE(isSplit(add(make(Op::Multiply, k, number(1)), k)))
      << "two elements are in one sector";
}

// The index of a congruential generator, `i = i * 9 + x`, has another scale in
// each iteration: asking for all of them took all memory.
TEST_F(SplitIndex, AGeneratorIsAskedOnce) {
  const ValueId i = graph.carried(0, 64, false);
  graph.setCarried(i, number(0),
                   add(make(Op::Multiply, i, number(9)), thread()));
  EXPECT_FALSE(isSplit(i));
  EXPECT_TRUE(isSplit(add(i, quotient(thread()))));
}

} // namespace
