// Structures among a kernel's arguments: a value read at the wrong byte is a
// wrong size.
#include "model/argument_bytes.h"
#include <gtest/gtest.h>

namespace warplint {

TEST(ArgumentBytesOf, StructuresStandBehindAllArguments) {
  const ArgumentBytes bytes({0, 10, 0, 4});
  EXPECT_EQ(bytes.numberOf(1, 0), 16u);
  EXPECT_EQ(bytes.numberOf(1, 9), 25u);
  EXPECT_EQ(bytes.numberOf(3, 0), 28u)
      << "each begins with an entry of its own";
}

TEST(ArgumentBytesOf, APartIsCutFromItsEntries) {
  Launched launch;
  launch.arguments = {5, 0x44332211, 0x88776655, std::nullopt};
  EXPECT_EQ(argumentBits(launch, 4, 32), 0x44332211u);
  EXPECT_EQ(argumentBits(launch, 5, 8), 0x22u);
  EXPECT_EQ(argumentBits(launch, 6, 16), 0x4433u);
  EXPECT_EQ(argumentBits(launch, 4, 64), 0x8877665544332211u);
}

TEST(ArgumentBytesOf, WhatALaunchLeavesOpenIsUnknown) {
  Launched launch;
  launch.arguments = {5, std::nullopt, 7};
  EXPECT_EQ(argumentBits(launch, 4, 32), std::nullopt);
  EXPECT_EQ(argumentBits(launch, 8, 64), std::nullopt) << "half of it is open";
  EXPECT_EQ(argumentBits(launch, 400, 32), std::nullopt);
  EXPECT_EQ(argumentBits(launch, 9, 64), std::nullopt) << "three entries";
}

// A condition supposes one entry: it must be the whole number.
TEST(ArgumentBytesOf, AnEntryDecidesAWholeNumberAlone) {
  ExpressionGraph graph;
  const ValueId base = graph.base(0);
  auto loaded = [&](uint64_t byte, unsigned bits) {
    return graph.make(Op::Loaded, bits, {base, graph.constant(byte, 32)},
                      graph.node(graph.loaded(base, "n", bits, false)).number);
  };
  EXPECT_EQ(argumentEntry(graph, loaded(8, 32)), 2u);
  EXPECT_EQ(argumentEntry(graph, loaded(10, 16)), std::nullopt);
  EXPECT_EQ(argumentEntry(graph, loaded(8, 64)), std::nullopt);
  EXPECT_EQ(argumentEntry(graph, graph.parameter(3, "n", 32)), 3u);
  EXPECT_EQ(argumentEntry(graph, graph.loaded(base, "n", 32, false)),
            std::nullopt);
  EXPECT_EQ(argumentByte(graph, loaded(10, 16)), 10u);
}

} // namespace warplint
