#include "cost/neighbours.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class Neighbours : public testing::Test, protected ModelBuilder {
protected:
  /// Some of the fields, of 4 bytes or of `bytes`, of structures of `size`
  /// bytes.
  void fields(unsigned from, unsigned to, unsigned size,
              Operation operation = Operation::Load, unsigned bytes = 4) {
    ValueId a = object("a");
    for (unsigned i = from; i < to; ++i)
      access(graph.make(Op::Add, 64,
                        {element(a, thread(), size), number(bytes * i)}, 0,
                        true),
             bytes, operation);
  }
  Waste first() {
    ShapeCosts all{{{32, 1, 1}, ShapeSource::Launch, {}},
                   costs(kernel, Shape{32, 1, 1})};
    return waste(kernel, all, 0);
  }
};

TEST_F(Neighbours, OneFieldOfManyIsWaste) {
  fields(0, 1, 32);
  EXPECT_TRUE(first().real);
  EXPECT_EQ(first().sectors, 32u);
  EXPECT_EQ(first().idealSectors, 4u);
}

// Measured: 1.00x to 1.02x.
TEST_F(Neighbours, AllFieldsOfASmallStructureAreNoWaste) {
  fields(0, 4, 16);
  EXPECT_FALSE(first().real);
  EXPECT_EQ(first().group.size(), 4u);
  EXPECT_EQ(first().sectors, first().idealSectors);
}

// Measured: 1.5x to 3.6x, since L1 does not hold it all.
TEST_F(Neighbours, AllFieldsOfALargeStructureAreWaste) {
  fields(0, 16, 64);
  EXPECT_TRUE(first().real);
}

// Measured: 1.4x to 2.2x at 16 lines per request, 2.8x to 5.8x at 32, whatever
// part of the rows a step reads: L1 looks up one line in a cycle.
TEST_F(Neighbours, RowsOfWholeLinesAreWasteThoughNoByteIs) {
  fields(0, 8, 64);
  EXPECT_TRUE(first().real);
  EXPECT_EQ(first().sectors, first().idealSectors);
}

TEST_F(Neighbours, RowsThatShareLinesAreNoWaste) {
  fields(0, 8, 32);
  EXPECT_FALSE(first().real);
}

// Measured: 2.3x to 12x, since L1 does not hold stores together.
TEST_F(Neighbours, StoresAreNotMergedByL1) {
  fields(0, 8, 32, Operation::Store);
  EXPECT_TRUE(first().real);
}

// Measured: 5.6x, though 16 sectors are few: eight requests write to each.
TEST_F(Neighbours, StoresOfHalvesWriteEachSectorMoreOften) {
  fields(0, 8, 16, Operation::Store, 2);
  EXPECT_TRUE(first().real);
  EXPECT_EQ(first().sectors, first().idealSectors);
}

// Measured: 1.0x to 1.3x with a load before it.
TEST_F(Neighbours, FourStoresOfHalvesAreNoWaste) {
  fields(0, 4, 8, Operation::Store, 2);
  EXPECT_FALSE(first().real);
}

// Each element of an unrolled loop may have an end-of-data test of its own.
TEST_F(Neighbours, AGuardInBetweenDoesNotMatter) {
  fields(0, 4, 16);
  for (unsigned i = 1; i < 4; ++i)
    kernel.accesses[i].region = i;
  EXPECT_FALSE(first().real);
}

// L1 has been through much else by then.
TEST_F(Neighbours, MuchLaterAccessesAreNoNeighbours) {
  fields(0, 1, 16);
  ValueId b = object("b");
  for (unsigned i = 0; i < 40; ++i)
    access(element(b, thread(), 4), 4, Operation::Load);
  fields(1, 4, 16);
  for (unsigned i = 1; i < kernel.accesses.size(); ++i)
    kernel.accesses[i].region = i;
  EXPECT_TRUE(first().real);
  EXPECT_EQ(first().group.size(), 1u);
}

// A stencil uses the sectors that its offsets touch; a lone offset does not.
TEST_F(Neighbours, AStencilSharesSectors) {
  ValueId a = object("a");
  for (unsigned i = 0; i < 3; ++i)
    access(element(a, add(thread(), number(i)), 4), 4);
  access(element(a, add(thread(), number(4096)), 4), 4);
  KernelShape shape;
  shape.shape = {32, 1, 1};
  ShapeCosts all{shape, costs(kernel, shape)};
  EXPECT_TRUE(othersUseItsSectors(kernel, all, 1));
  EXPECT_FALSE(othersUseItsSectors(kernel, all, 3));
}

TEST_F(Neighbours, AnotherObjectIsNoNeighbour) {
  fields(0, 1, 16);
  fields(1, 4, 16);
  EXPECT_TRUE(first().real);
}

TEST_F(Neighbours, UnitStrideAndUnknownAreNoWaste) {
  fields(0, 1, 4);
  EXPECT_FALSE(first().real);
  kernel.accesses[0].address = element(object("b"), varying(), 4);
  EXPECT_FALSE(first().real);
}

} // namespace
