#include "cost/lanes.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class LanesTest : public testing::Test, protected ModelBuilder {
protected:
  Cost global(ValueId index, unsigned bytes, Shape shape = {32, 1, 1},
              Operation operation = Operation::Load) {
    ValueId a = object("a");
    access(element(a, index, bytes), bytes, operation);
    return cost(shape);
  }
  Cost shared(ValueId index, unsigned bytes, Shape shape = {32, 1, 1}) {
    ValueId s = object("s", Space::Shared, 4096);
    access(element(s, index, bytes), bytes, Operation::Load, Space::Shared);
    return cost(shape);
  }
};

void expectExact(const Cost &cost, double sectors, double ideal) {
  EXPECT_EQ(cost.basis, Basis::Exact);
  EXPECT_DOUBLE_EQ(cost.sectors, sectors);
  EXPECT_DOUBLE_EQ(cost.idealSectors, ideal);
  EXPECT_DOUBLE_EQ(cost.low, sectors);
  EXPECT_DOUBLE_EQ(cost.high, sectors);
}

// Known costs of common patterns.
TEST_F(LanesTest, UnitStride) {
  expectExact(global(thread(), 4), 4, 4);
  expectExact(global(thread(), 8), 8, 8);
  expectExact(global(thread(), 16), 16, 16);
  expectExact(global(thread(), 1), 1, 1);
}

TEST_F(LanesTest, Strides) {
  for (auto [stride, sectors] :
       {std::pair{2, 8}, {3, 12}, {4, 16}, {8, 32}, {16, 32}, {1000, 32}}) {
    Cost cost = global(times(thread(), stride), 4);
    expectExact(cost, sectors, 4);
    EXPECT_DOUBLE_EQ(cost.excess(), sectors / 4.0);
  }
}

TEST_F(LanesTest, AnOffsetOfOneAddsASector) {
  expectExact(global(add(thread(), number(1)), 4), 5, 4);
  expectExact(global(add(thread(), number(-1)), 4), 5, 4);
}

TEST_F(LanesTest, BroadcastsTouchOneSector) {
  expectExact(global(number(7), 4), 1, 1);
  expectExact(global(argument("i"), 4), 1, 1);
}

TEST_F(LanesTest, PaddedStructures) { // one float of every 44 bytes
  ValueId a = object("a");
  access(element(a, thread(), 44), 4);
  EXPECT_DOUBLE_EQ(cost().sectors, 32);
  EXPECT_DOUBLE_EQ(cost().excess(), 8);
}

TEST_F(LanesTest, DescendingAddressesAreCoalesced) {
  expectExact(global(make(Op::Subtract, number(31), thread()), 4), 4, 4);
}

TEST_F(LanesTest, TheBlockShapeDecidesTheCostOfARow) {
  // a[threadIdx.x * 1024 + threadIdx.y]
  ValueId index = add(times(thread(0), 1024), thread(1));
  expectExact(global(index, 4, {32, 8, 1}), 32, 4);
  expectExact(global(index, 4, {8, 32, 1}), 8, 4);
  // and the other way round
  expectExact(global(add(times(thread(1), 1024), thread(0)), 4, {32, 8, 1}), 4,
              4);
  Cost rows = global(add(times(thread(1), 1024), thread(0)), 4, {8, 32, 1});
  expectExact(rows, 4, 4);
}

TEST_F(LanesTest, PartialWarpsAndGuardsRemoveLanes) {
  Cost half = global(thread(), 4, {16, 1, 1});
  EXPECT_DOUBLE_EQ(half.sectors, 2);
  EXPECT_DOUBLE_EQ(half.lanes, 16);
  ValueId a = object("b");
  Access &guarded = access(element(a, times(thread(), 8), 4), 4);
  guarded.guard = is(Op::LessUnsigned, thread(), number(4));
  expectExact(cost(), 4, 1);
  EXPECT_DOUBLE_EQ(cost().lanes, 4);
  // Warps that no lane of gets there make no requests.
  EXPECT_DOUBLE_EQ(cost({256, 1, 1}).sectors, 4);
}

// The last warp of the data has some lanes only.
TEST_F(LanesTest, TheEndOfTheDataLowersTheBound) {
  access(element(object("a"), thread(), 4), 4).guard =
      is(Op::LessUnsigned, thread(), argument("n"));
  EXPECT_EQ(cost().basis, Basis::Exact);
  EXPECT_DOUBLE_EQ(cost().sectors, 4);
  EXPECT_DOUBLE_EQ(cost().low, 1);
  EXPECT_DOUBLE_EQ(cost().lowWhole, 4);
  EXPECT_DOUBLE_EQ(cost().high, 4);
}

// a[12 * blockIdx.x - 2 + threadIdx.x], as a stencil with a halo reads it.
TEST_F(LanesTest, BlocksAtOtherOffsetsCountAsWell) {
  auto at = [&](int64_t blocks, int64_t offset) {
    ValueId block = graph.special(Op::BlockIndex, 0, 64);
    access(element(object("a"),
                   add(add(times(block, blocks), number(offset)), thread()), 4),
           4);
    return cost();
  };
  // At byte 24 of a sector or at byte 8: five sectors each.
  expectExact(at(12, -2), 5, 4);
  expectExact(at(216, -20), 5, 4);
  expectExact(at(8, 0), 4, 4);
  const Cost halves = at(12, 0);
  EXPECT_EQ(halves.basis, Basis::Bounded) << "of any number of blocks";
  EXPECT_DOUBLE_EQ(halves.sectors, 4.5);
  EXPECT_DOUBLE_EQ(halves.low, 4);
  EXPECT_DOUBLE_EQ(halves.high, 5);
  const KernelShape launched{
      {32, 1, 1}, ShapeSource::Launch, {}, {{{101, 1, 1}, {}}}};
  const Cost whole = costs(kernel, launched).back();
  EXPECT_EQ(whole.basis, Basis::Exact) << "the average of the launched grid";
  EXPECT_DOUBLE_EQ(whole.sectors, 4 + 50.0 / 101);
}

// A mode that no launch gives chooses the stride: 32 of its default alone would
// be called exact (4 measured of another).
TEST_F(LanesTest, EachOptionThatTheKernelComparesWithCounts) {
  const ValueId mode = argument("mode", 32);
  const ValueId isFirst = is(Op::Equal, mode, number(0, 32)),
                isSecond = is(Op::Equal, mode, number(1, 32));
  const ValueId stride =
      graph.make(Op::Select, 64,
                 {isFirst, number(1),
                  graph.make(Op::Select, 64, {isSecond, number(8),
                                              number(32)})});
  const Cost cost = global(make(Op::Multiply, thread(), stride), 4);
  EXPECT_EQ(cost.basis, Basis::Assumed);
  EXPECT_DOUBLE_EQ(cost.sectors, 32);
  EXPECT_DOUBLE_EQ(cost.low, 4);
}

TEST_F(LanesTest, AStraddlingRequestOfFewLanesHasBoundsThatHold) {
  // Four lanes at offset 12 * blockIdx.x, in one row of blocks.
  ValueId block = graph.special(Op::BlockIndex, 0, 64);
  Access &made =
      access(element(object("a"), add(times(block, 3), thread()), 4), 4);
  made.guard =
      graph.both(is(Op::Equal, graph.special(Op::BlockIndex, 1, 64), number(0)),
                 is(Op::LessUnsigned, thread(), number(4)));
  EXPECT_DOUBLE_EQ(cost().low, 1);
  EXPECT_DOUBLE_EQ(cost().high, 2);
}

TEST_F(LanesTest, AnUnknownStrideMayBeOne) {
  Cost cost = global(make(Op::Multiply, thread(), argument("stride")), 4);
  EXPECT_DOUBLE_EQ(cost.low, 4);
  EXPECT_DOUBLE_EQ(cost.sectors, 32);
}

TEST_F(LanesTest, AtomicsAreCountedLikeLoads) {
  Cost spread = global(thread(), 4, {32, 1, 1}, Operation::Atomic);
  expectExact(spread, 4, 4);
  expectExact(global(number(0), 4, {32, 1, 1}, Operation::Atomic), 1, 1);
}

// A figure that depends on an unknown size has a range.
TEST_F(LanesTest, UnknownStridesAreAssumedWithARange) {
  Cost cost =
      global(graph.make(Op::Multiply, 64, {thread(), argument("stride")}), 4);
  EXPECT_EQ(cost.basis, Basis::Assumed);
  EXPECT_DOUBLE_EQ(cost.sectors, 32);
  EXPECT_LT(cost.low, 32);
  EXPECT_DOUBLE_EQ(cost.high, 32);
}

// Where a row begins in a sector decides on one sector; that lanes are
// neighbours is known. It is no guess as that of a stride is.
TEST_F(LanesTest, AnUnknownOffsetIsBoundedAndTakenToBeAligned) {
  Cost cost = global(add(thread(), argument("offset")), 4);
  EXPECT_EQ(cost.basis, Basis::Bounded);
  EXPECT_TRUE(cost.isOpen());
  EXPECT_DOUBLE_EQ(cost.sectors, 4);
  EXPECT_DOUBLE_EQ(cost.high, 5);
}

// Three large sizes are more than 32 bits hold; their product is none the less
// no zero.
TEST_F(LanesTest, ProductsOfProbeSizesAreNeverZero) {
  auto size = [&](const char *name) {
    return graph.unknown(Op::Parameter, name, 32, false);
  };
  auto times32 = [&](ValueId a, ValueId b) {
    return graph.make(Op::Multiply, 32, {a, b});
  };
  ValueId i = graph.special(Op::ThreadIndex, 0, 32);
  ValueId volume = times32(times32(size("h"), size("w")), size("c"));
  ValueId rest = graph.make(Op::RemainderSigned, 32, {i, volume});
  Cost cost = global(graph.make(Op::SignExtend, 64, {rest}, 32), 4);
  EXPECT_NE(cost.basis, Basis::Unknown) << cost.why;
  EXPECT_DOUBLE_EQ(cost.sectors, 4);
}

TEST_F(LanesTest, CostsAreAveragedOverIterations) {
  auto [loop, k] = countedLoop(0, 2); // stride 1, then 2
  ValueId index = graph.make(Op::Multiply, 64, {thread(), add(k, number(1))});
  access(element(object("a"), index, 4), 4).loops = {loop};
  expectExact(cost(), 6, 4);
}

// Lane 'i' of an alignment takes part from step 'i' on: of all steps, most have
// all lanes.
TEST_F(LanesTest, LanesThatJoinALoopOneByOneAreCountedOnceAllHave) {
  const Counted steps = countedLoop(number(0), argument("n"), number(1));
  const ValueId column = make(Op::Subtract, steps.counter, thread());
  Access &load = access(element(object("t"), column, 4), 4);
  load.loops = {steps.loop};
  load.guard = is(Op::LessEqualSigned, number(0), column);
  const Cost seen = cost();
  EXPECT_EQ(seen.lanes, 32);
  EXPECT_GE(seen.sectors, 4);
  EXPECT_EQ(seen.low, 1) << "the first step has one lane";
}

// The result of a loop of a thousand iterations may be unaligned.
TEST_F(LanesTest, ResultsOfLongLoopsAreNotExact) {
  auto [loop, k] = countedLoop(0, 1000);
  Cost cost = global(add(thread(), final(times(k, 3), loop)), 4);
  EXPECT_EQ(cost.basis, Basis::Bounded);
  EXPECT_DOUBLE_EQ(cost.high, 5);
}

TEST_F(LanesTest, BankConflictsByWidth) {
  for (unsigned bytes : {4u, 8u, 16u})
    EXPECT_DOUBLE_EQ(shared(thread(), bytes).ways, 1) << bytes;
  EXPECT_DOUBLE_EQ(shared(times(thread(), 2), 4).ways, 2);
  EXPECT_DOUBLE_EQ(shared(times(thread(), 2), 8).ways, 2);
  EXPECT_DOUBLE_EQ(shared(times(thread(), 2), 16).ways, 2);
  EXPECT_DOUBLE_EQ(shared(times(thread(), 3), 4).ways, 1);
  EXPECT_DOUBLE_EQ(shared(number(3), 4).ways, 1); // a broadcast
  EXPECT_DOUBLE_EQ(
      shared(make(Op::DivideUnsigned, thread(), number(4)), 1).ways, 1);
}

TEST_F(LanesTest, ColumnsOfATile) {
  EXPECT_DOUBLE_EQ(shared(times(thread(), 32), 4).ways, 32);
  EXPECT_DOUBLE_EQ(shared(times(thread(), 33), 4).ways, 1);
  // tile[threadIdx.x][threadIdx.x ^ 3], an exclusive-or swizzle
  ValueId column = make(Op::Xor, thread(), number(3));
  EXPECT_DOUBLE_EQ(shared(add(times(thread(), 32), column), 4).ways, 1);
  EXPECT_DOUBLE_EQ(
      shared(add(times(thread(0), 16), thread(1)), 4, {16, 16, 1}).ways, 8);
}

TEST_F(LanesTest, TheSpaceOfAnAccessComesFromItsAddress) {
  access(element(object("s", Space::Shared, 4096), times(thread(), 32), 4), 4,
         Operation::Load, Space::Unknown);
  EXPECT_EQ(cost().space, Space::Shared);
  EXPECT_DOUBLE_EQ(cost().ways, 32);
  EXPECT_EQ(cost().object, "s");
}

TEST_F(LanesTest, NeighboursAreCountedOnce) {
  ValueId a = object("a");
  for (unsigned i = 0; i < 4; ++i)
    access(element(a, add(times(thread(), 4), number(i)), 4), 4);
  std::vector<Cost> all = costs(kernel, Shape{32, 1, 1});
  Footprint together = footprint(kernel, all, {0, 1, 2, 3});
  EXPECT_EQ(together.sectors, 16u);
  EXPECT_EQ(together.idealSectors, 16u);
  EXPECT_EQ(footprint(kernel, all, {0}).idealSectors, 4u);
}

// Two arrays behind loaded pointers stay apart, whichever warp gets to them.
TEST_F(LanesTest, LoadedPointersKeepTheirRangesInAllWarps) {
  ValueId p = object("p", Space::Parameter);
  ValueId x = graph.loaded(element(p, number(0), 8), "p.x", 64, true);
  ValueId y = graph.loaded(element(p, number(1), 8), "p.y", 64, true);
  ValueId first = is(Op::LessUnsigned, thread(), number(32));
  access(element(x, thread(), 4), 4).guard = first;
  access(element(y, thread(), 4), 4).guard = graph.negated(first);
  std::vector<Cost> all = costs(kernel, Shape{64, 1, 1});
  ASSERT_TRUE(all[0].active && all[1].active);
  EXPECT_NE(rangeOf(all[0].addresses[0]), rangeOf(all[1].addresses[0]));
  EXPECT_EQ(all[1].object, "p.y");
}

// Measured: each further address takes 11 cycles, neighbours or not.
TEST_F(LanesTest, ConstantMemoryTakesAWavefrontPerAddress) {
  ValueId c = object("c", Space::Constant), p = object("p", Space::Parameter);
  auto wavefronts = [&](ValueId address, unsigned bytes, Space space) {
    access(address, bytes, Operation::Load, space);
    return cost().wavefronts;
  };
  ValueId quarter = make(Op::DivideUnsigned, thread(), number(4));
  EXPECT_EQ(wavefronts(element(c, number(3), 4), 4, Space::Constant), 1);
  EXPECT_EQ(wavefronts(element(c, thread(), 4), 4, Space::Constant), 32);
  EXPECT_EQ(wavefronts(element(c, thread(), 16), 16, Space::Constant), 32);
  EXPECT_EQ(wavefronts(element(c, quarter, 4), 4, Space::Constant), 8);
  EXPECT_EQ(wavefronts(element(p, quarter, 4), 4, Space::Unknown), 8);
  // A range of another unit would be taken for sectors.
  EXPECT_EQ(cost().high, 8);
}

} // namespace
