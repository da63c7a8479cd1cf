// Code found by a place in the source, where the compiler has inlined it, too.
#include "findings/locate.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

template <class Code> Code inlinedInto() {
  Code code;
  code.place = {"/lib/sum.cuh", 40, 9};
  code.callSites = {{"/src/k.cu", 12, 3}, {"/src/k.cu", 30, 1}};
  return code;
}

// A finding in a helper is judged at its call, too: without it the verdict
// would be "no such access".
template <class Code> void expectEveryFrame() {
  const Code code = inlinedInto<Code>();
  EXPECT_TRUE(comesFrom(code, {"/lib/sum.cuh", 40, 1}));
  EXPECT_TRUE(comesFrom(code, {"/src/k.cu", 12, 50}));
  EXPECT_TRUE(comesFrom(code, {"k.cu", 30, 1}));
  EXPECT_FALSE(comesFrom(code, {"/src/k.cu", 40, 9}));
  EXPECT_FALSE(comesFrom(code, {"/src/k.cu", 13, 3}));
}

TEST(Locate, AnAccessStandsAtEachCallThatInlinedIt) {
  expectEveryFrame<Access>();
}

TEST(Locate, AssemblyStandsOnAllItsLines) {
  Access source, compiled;
  source.place = {"/src/k.cu", 12, 3};
  source.lastLine = 15;
  auto isAt = [&](unsigned line) {
    compiled.place = {"k.cu", line, 9};
    return comesFrom(compiled, source);
  };
  EXPECT_FALSE(isAt(11));
  EXPECT_TRUE(isAt(12));
  EXPECT_TRUE(isAt(15));
  EXPECT_FALSE(isAt(16));
  source.lastLine = 0;
  EXPECT_TRUE(isAt(12));
  EXPECT_FALSE(isAt(13));
}

TEST(Locate, SoDoBranchesBarriersAndWrittenOperations) {
  expectEveryFrame<Branch>();
  expectEveryFrame<Barrier>();
  expectEveryFrame<Written>();
}

} // namespace
