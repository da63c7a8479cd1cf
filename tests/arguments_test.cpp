#include "cost/arguments.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(Arguments, OnlyAPointerArgumentIsOne) {
  ModelBuilder b;
  const ValueId argument = b.object("in"),
                variable = b.object("table", Space::Global, 4096),
                tile = b.object("tile", Space::Shared);
  EXPECT_EQ(argumentOf(b.kernel,
                       b.access(b.element(argument, b.argument("i"), 4), 4)),
            0u);
  EXPECT_FALSE(
      argumentOf(b.kernel, b.access(b.element(variable, b.thread(), 4), 4)));
  EXPECT_FALSE(argumentOf(b.kernel, b.access(b.element(tile, b.thread(), 4), 4,
                                             Operation::Load, Space::Shared)));
  const ValueId member = b.graph.loaded(argument, "rows[0]", 64, true);
  EXPECT_FALSE(
      argumentOf(b.kernel, b.access(b.element(member, b.thread(), 4), 4)));
}

// Accesses through one member of an argument go through one pointer.
TEST(Arguments, AMemberOfAnArgumentIsAPassedPointer) {
  ModelBuilder b;
  const ValueId view = b.object("view", Space::Parameter);
  const ValueId data = b.graph.loaded(view, "view.data", 64, true);
  EXPECT_EQ(
      passedPointerOf(b.kernel, b.access(b.element(data, b.thread(), 4), 4)),
      data);
  const ValueId rows = b.object("rows");
  const ValueId row = b.graph.loaded(rows, "rows[0]", 64, true);
  EXPECT_FALSE(
      passedPointerOf(b.kernel, b.access(b.element(row, b.thread(), 4), 4)))
      << "a pointer in global memory";
}
