// Where the variables of a stack frame are, by its bytes alone.
#include "machine/frame_layout.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

LocalPiece piece(unsigned offset, unsigned bytes, unsigned line) {
  LocalPiece one;
  one.offset = offset;
  one.bytes = bytes;
  if (line)
    one.places = {{"/k.cu", line, 1}};
  return one;
}

LocalMemory memory(std::string function, unsigned bytes, unsigned line,
                   std::vector<std::string> calls = {}) {
  LocalMemory one;
  one.function = std::move(function);
  one.bytes = bytes;
  one.alignment = 8;
  if (bytes)
    one.pieces = {piece(0, bytes, line)};
  one.calls = std::move(calls);
  return one;
}

LocalInstruction local(unsigned line, std::optional<int> offset,
                       bool isSpill = false, bool isStore = false) {
  LocalInstruction one;
  one.file = "k.cu";
  one.line = line;
  one.bytes = 4;
  one.frameOffset = offset;
  one.isMarkedSpill = isSpill;
  one.isStore = isStore;
  return one;
}

/// A kernel with a frame of `bytes` whose depot has `depot` of line 5.
CompiledKernel kernel(unsigned bytes, unsigned depot) {
  CompiledKernel one;
  one.usage.kernel = "k";
  one.usage.stackFrame = bytes;
  one.memory = {memory("k", depot, 5)};
  one.memory[0].isKernel = true;
  return one;
}

} // namespace

TEST(FrameLayoutOf, ADepotThatFillsTheFrameIsItsVariables) {
  CompiledKernel k = kernel(64, 64);
  k.locals = {local(5, std::nullopt)};
  const FrameLayout layout = layoutOf(k);
  EXPECT_EQ(layout.whyNot, "");
  ASSERT_EQ(layout.variables.size(), 1u);
  EXPECT_EQ(layout.variables[0].memory->function, "k");
  EXPECT_EQ(layout.variables[0].start, 0u);
  EXPECT_EQ(layout.spillStart, 64u);
  EXPECT_EQ(layout.others.size(), 1u);
}

// An array that a report calls a spill sends its reader to '-maxrregcount'.
TEST(FrameLayoutOf, SpillsLieAboveTheVariables) {
  CompiledKernel k = kernel(80, 64);
  k.usage.spillStores = k.usage.spillLoads = 16;
  k.locals = {local(5, std::nullopt), local(9, 64, true, true),
              local(9, 76, true)};
  const FrameLayout layout = layoutOf(k);
  EXPECT_EQ(layout.whyNot, "");
  EXPECT_EQ(layout.spillStart, 64u);
  EXPECT_EQ(layout.spills.size(), 2u);
  EXPECT_EQ(layout.variables.size(), 1u);
}

// ptxas before 12.8 marks no spill: the bytes of its report tell them.
TEST(FrameLayoutOf, WithoutMarksTheBytesOfTheReportTellTheSpills) {
  CompiledKernel k = kernel(72, 64);
  k.usage.spillStores = 8;
  k.usage.spillLoads = 4;
  k.locals = {local(5, 0), local(9, 64, false, true), local(9, 68, false, true),
              local(11, 64)};
  FrameLayout layout = layoutOf(k);
  EXPECT_EQ(layout.whyNot, "");
  EXPECT_EQ(layout.spillStart, 64u);
  EXPECT_EQ(layout.spills.size(), 3u);
  EXPECT_EQ(layout.others.size(), 1u);
  k.usage.spillLoads = 12; // no number of instructions moves as many
  layout = layoutOf(k);
  EXPECT_THAT(layout.whyNot, HasSubstr("does not tell the spills"));
  EXPECT_TRUE(layout.variables.empty());
}

TEST(FrameLayoutOf, AFrameWithoutADepotIsAllSpills) {
  CompiledKernel k = kernel(16, 0);
  k.usage.spillStores = 16;
  const FrameLayout layout = layoutOf(k);
  EXPECT_EQ(layout.whyNot, "");
  EXPECT_EQ(layout.spillStart, 0u);
  EXPECT_TRUE(layout.variables.empty());
}

// The function that is called has its variables above its caller's.
TEST(FrameLayoutOf, AnInlinedFunctionsVariablesComeAfterItsCallers) {
  CompiledKernel k = kernel(96, 64);
  k.memory[0].calls = {"f"};
  k.memory.push_back(memory("f", 32, 40));
  k.locals = {local(5, std::nullopt), local(40, std::nullopt)};
  const FrameLayout layout = layoutOf(k);
  EXPECT_EQ(layout.whyNot, "");
  ASSERT_EQ(layout.variables.size(), 2u);
  EXPECT_EQ(layout.variables[1].memory->function, "f");
  EXPECT_EQ(layout.variables[1].start, 64u);
}

// ptxas drops a depot that it turned into registers: the frame's size tells.
TEST(FrameLayoutOf, AFunctionThatIsNotInTheFrameIsLeftOut) {
  CompiledKernel k = kernel(32, 64);
  k.memory[0].calls = {"f"};
  k.memory.push_back(memory("f", 32, 40));
  k.locals = {local(40, std::nullopt)};
  const FrameLayout layout = layoutOf(k);
  EXPECT_EQ(layout.whyNot, "");
  ASSERT_EQ(layout.variables.size(), 1u);
  EXPECT_EQ(layout.variables[0].memory->function, "f");
  EXPECT_EQ(layout.variables[0].start, 0u);
}

// A guess would name the wrong array.
TEST(FrameLayoutOf, WhatTheSizeDoesNotTellStaysUnknown) {
  CompiledKernel two = kernel(32, 0);
  two.memory[0].calls = {"f", "g"};
  two.memory.push_back(memory("f", 32, 40));
  two.memory.push_back(memory("g", 32, 50));
  EXPECT_THAT(layoutOf(two).whyNot, HasSubstr("several sets"));
  EXPECT_THAT(layoutOf(kernel(40, 64)).whyNot, HasSubstr("no set"));
  CompiledKernel none = kernel(40, 64);
  none.memory.clear();
  EXPECT_THAT(layoutOf(none).whyNot, HasSubstr("no PTX"));
}

// A function that is called again has a frame for each call, apart from its
// kernel's.
TEST(FrameLayoutOf, RecursionHasAFrameOfItsOwn) {
  CompiledKernel k = kernel(0, 0);
  k.memory[0].calls = {"f", "h"};
  k.memory.push_back(memory("f", 16, 40, {"g"}));
  k.memory.push_back(memory("g", 0, 0, {"f"}));
  k.memory.push_back(memory("h", 16, 60));
  EXPECT_TRUE(isRecursive(k.memory[1], k.memory));
  EXPECT_TRUE(isRecursive(k.memory[2], k.memory));
  EXPECT_FALSE(isRecursive(k.memory[0], k.memory));
  EXPECT_FALSE(isRecursive(k.memory[3], k.memory));
  std::vector<std::string> names;
  for (const LocalMemory *each : calledWithFrames(k))
    names.push_back(each->function);
  EXPECT_THAT(names, testing::ElementsAre("f", "g"));
}
