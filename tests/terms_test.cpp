// How far addresses move, whatever data say where they begin.
#include "cost/terms.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct TermsOf : testing::Test {
  ModelBuilder b;
  std::optional<int64_t> step(ValueId index, LoopId loop, uint64_t size = 4) {
    return bytesOfStep(b.graph, b.element(b.object("in"), index, size), loop);
  }
};

} // namespace

// for e = row[i]; e < row[i + 1]; ++e
TEST_F(TermsOf, TheStepIsKnownWhereTheStartIsLoaded) {
  const ValueId start =
      b.graph.loaded(b.element(b.object("row"), b.thread(), 4), "row[i]", 64,
                     /*pointer=*/false);
  const auto loop = b.countedLoop(start, b.argument("end"), b.number(1));
  EXPECT_EQ(step(loop.counter, loop.loop), 4);
  EXPECT_EQ(step(b.add(loop.counter, b.thread()), loop.loop, 12), 12);
  EXPECT_EQ(step(b.thread(), loop.loop), 0);
}

TEST_F(TermsOf, WhatEachIterationLoadsHasNoStep) {
  const auto loop = b.countedLoop(b.number(0), b.argument("n"), b.number(-2));
  const ValueId column =
      b.graph.loaded(b.element(b.object("column"), loop.counter, 4), "column",
                     64, /*pointer=*/false);
  EXPECT_FALSE(step(column, loop.loop));
  EXPECT_EQ(step(loop.counter, loop.loop), -8);
}

// Nothing says that a shuffle gives the same in each iteration.
TEST_F(TermsOf, WhatIsNotFollowedHasNoStep) {
  const auto loop = b.countedLoop(b.number(0), b.argument("n"), b.number(1));
  EXPECT_FALSE(step(b.add(loop.counter, b.varying()), loop.loop));
  EXPECT_FALSE(step(b.varying(), loop.loop));
}

TEST_F(TermsOf, AnUnknownStepIsNone) {
  const auto loop =
      b.countedLoop(b.number(0), b.argument("n"), b.argument("step"));
  EXPECT_FALSE(step(loop.counter, loop.loop));
}
