// How many elements a loop with larger steps leaves.
#include "cost/left_over.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// `for (i = 4 * thread; i + 3 < n; i += step)`, and then `for (; i < n; ++i)`.
class LeftOver : public testing::Test, protected ModelBuilder {
protected:
  std::optional<int64_t> left(ValueId bound, ValueId end) {
    const auto [first, counter] = countedLoop(thread(), n, argument("step"));
    const ValueId next = graph.operand(counter, 1);
    kernel.loops[first].continues =
        is(Op::LessSigned, add(next, number(3)), bound);
    const auto [second, rest] = countedLoop(final(next, first), end, number(1));
    return leftByLoop(kernel, second, rest, end);
  }
  ValueId n = argument("n");
  /// The iterations of other loops.
  static double oneEach(LoopId) { return 1; }
};

} // namespace

// Each of four elements at once, 128 iterations; and 512 for the three that
// may be left, the dearest of its kernel.
TEST_F(LeftOver, IsLessThanTheStepsTake) { EXPECT_EQ(left(n, n), 3); }

TEST_F(LeftOver, CountsFromTheBoundOfTheLoopBefore) {
  EXPECT_EQ(left(add(n, number(uint64_t(-8))), n), 11);
}

TEST_F(LeftOver, IsUnknownForAnotherBound) {
  EXPECT_EQ(left(n, argument("m")), std::nullopt);
}

// `i + 3 < n && !found`.
TEST_F(LeftOver, IsUnknownIfTheLoopBeforeMayEndEarlier) {
  const auto [first, counter] = countedLoop(thread(), n, number(4));
  const ValueId next = graph.operand(counter, 1);
  kernel.loops[first].continues = graph.make(
      Op::And, 1,
      {is(Op::LessSigned, add(next, number(3)), n),
       is(Op::LessSigned, graph.loaded(next, "found", 64, false), n)});
  const auto [second, rest] = countedLoop(final(next, first), n, number(1));
  EXPECT_EQ(leftByLoop(kernel, second, rest, n), std::nullopt);
}

TEST_F(LeftOver, IsUnknownWhereNoLoopEndedBefore) {
  const auto [loop, counter] = countedLoop(thread(), n, number(1));
  EXPECT_EQ(leftByLoop(kernel, loop, counter, n), std::nullopt);
}

// A copy of four elements at once, whose rest was taken to be as long.
TEST_F(LeftOver, IsWhatADivisionLeaves) {
  const ValueId rest = graph.make(Op::RemainderSigned, 32, {n, number(4)});
  const ValueId whole = graph.make(Op::Subtract, 32, {n, rest});
  const auto [loop, counter] = countedLoop(whole, n, number(1));
  EXPECT_EQ(mostBetween(kernel, {256, 1, 1}, counter, n, oneEach), 3);
  const ValueId quotient = graph.make(Op::DivideSigned, 32, {n, number(4)});
  const auto [again, same] = countedLoop(
      graph.make(Op::Multiply, 32, {quotient, number(4)}), n, number(1));
  EXPECT_EQ(mostBetween(kernel, {256, 1, 1}, same, n, oneEach), 3);
  const auto [from0, other] = countedLoop(number(0), n, number(1));
  EXPECT_EQ(mostBetween(kernel, {256, 1, 1}, other, n, oneEach), std::nullopt);
}

// `i < (n & 7)`, and `for (i = n & 7; i > 0; --i)`.
TEST_F(LeftOver, IsWhatFewBitsHold) {
  const ValueId bits = graph.make(Op::And, 32, {n, number(7)});
  const auto [up, counter] = countedLoop(number(2), bits, number(1));
  EXPECT_EQ(mostBetween(kernel, {256, 1, 1}, counter, bits, oneEach), 5);
  const auto [down, other] = countedLoop(bits, number(0), number(uint64_t(-1)));
  EXPECT_EQ(mostBetween(kernel, {256, 1, 1}, other, number(0), oneEach), 7);
  const auto [unsure, halved] = countedLoop(bits, number(0), n);
  EXPECT_EQ(mostBetween(kernel, {256, 1, 1}, halved, number(0), oneEach),
            std::nullopt)
      << "nothing says which way it goes";
}
