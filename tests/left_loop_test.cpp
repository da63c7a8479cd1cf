// Tests what the compiler left of a loop, of a source and a PTX kernel by hand.
#include "findings/left_loop.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// for k < n: load a[k] at line 20. The PTX has what a test gives it.
struct LeftOf : testing::Test {
  ModelBuilder source, ptx;
  ModelBuilder::Counted loop = source.countedLoop(
      source.number(0), source.argument("n"), source.number(1));
  ValueId ptxBase = ptx.object("a");

  LeftOf() {
    source.access(source.element(source.object("a"), loop.counter, 4), 4)
        .loops = {loop.loop};
  }

  /// A loop of the PTX at a line of its own, unless the test gives it one.
  LoopId ptxLoop(unsigned line = 90) {
    const auto made =
        ptx.countedLoop(ptx.number(0), ptx.argument("n"), ptx.number(1));
    ptx.kernel.loops[made.loop].place.line = line;
    return made.loop;
  }
  void ptxLoad(std::vector<LoopId> loops, unsigned line = 20,
               unsigned bytes = 4) {
    Access &access = ptx.access(ptx.element(ptxBase, ptx.varying(), 4), bytes);
    access.place = {"/k.cu", line, 1};
    access.loops = std::move(loops);
  }
  LeftLoop left() const {
    const CostedKernel ofSource{source.kernel, {}}, ofPtx{ptx.kernel, {}};
    return leftOf(loop.loop, {ofSource, CompiledKernel(), &ofPtx});
  }
};

} // namespace

TEST_F(LeftOf, ALoopWithOneCopyIsNotUnrolled) {
  ptxLoad({ptxLoop()});
  EXPECT_EQ(left().state, LoopState::Left);
  EXPECT_EQ(left().copies, 1);
  EXPECT_EQ(inWords(left()), "the PTX has the loop, and it is not unrolled");
}

// The compiler puts what is left over into a second loop, with one copy; that
// one does not say that the first is not unrolled.
TEST_F(LeftOf, TheLoopOfTheRestDoesNotHideTheUnrolledOne) {
  const LoopId unrolled = ptxLoop(), rest = ptxLoop(91);
  for (int copy = 0; copy < 4; ++copy)
    ptxLoad({unrolled});
  ptxLoad({rest});
  EXPECT_EQ(left().copies, 4);
  EXPECT_EQ(inWords(left()), "the PTX has the loop, with 4 copies of its body "
                             "in one iteration");
}

// Four floats in one instruction are four copies.
TEST_F(LeftOf, AVectorCountsByItsBytes) {
  ptxLoad({ptxLoop()}, 20, 16);
  EXPECT_EQ(left().copies, 4);
}

TEST_F(LeftOf, CopiesOutsideOfAnyLoopMeanThatItIsGone) {
  for (int copy = 0; copy < 8; ++copy)
    ptxLoad({});
  EXPECT_EQ(left().state, LoopState::Gone);
  EXPECT_EQ(inWords(left()), "the compiler left no such loop");
}

TEST_F(LeftOf, AKernelWhoseLoadsAreGoneHasNoSuchLoop) {
  ptxLoad({ptxLoop()}, 50); // another loop
  EXPECT_EQ(left().state, LoopState::Gone);
}

// The loop around is left, and its inner loop was unrolled into it: the copies
// in a loop do not say that the inner one is left.
TEST_F(LeftOf, ALoopThatWasUnrolledIntoTheOneAroundIsNotLeft) {
  const auto outer = source.countedLoop(source.number(0), source.argument("m"),
                                        source.number(1));
  // The outer loop comes first in a model; here its number does not matter.
  source.kernel.loops[loop.loop].parent = outer.loop;
  source.kernel.accesses[0].loops = {outer.loop, loop.loop};
  Access &store =
      source.access(source.element(source.object("out"), outer.counter, 4), 4,
                    Operation::Store);
  store.loops = {outer.loop};
  const LoopId left = ptxLoop();
  for (int copy = 0; copy < 8; ++copy)
    ptxLoad({left});
  Access &stored = ptx.access(ptx.element(ptx.object("out"), ptx.varying(), 4),
                              4, Operation::Store);
  stored.place = {"/k.cu", 21, 1};
  stored.loops = {left};
  EXPECT_NE(this->left().state, LoopState::Left);
}

// Without accesses the line of the loop is all there is.
// A logarithm is twenty instructions: warp-ctc's loop had "24.5 copies of its
// body", and has one.
TEST_F(LeftOf, InstructionsOfAFunctionAreNoCopies) {
  auto add = [](Kernel &kernel, Compute kind, LoopId in) {
    kernel.arithmetic.push_back({0, {in}});
    kernel.written.emplace_back().place = {"/k.cu", 21, 1};
    Computation operation;
    operation.kind = kind;
    operation.type = Number::F32;
    operation.under = kernel.arithmetic.size() - 1;
    operation.at = kernel.written.size() - 1;
    kernel.operations.push_back(operation);
  };
  const LoopId left = ptxLoop();
  source.kernel.accesses.clear();
  add(source.kernel, Compute::Add, loop.loop);
  for (unsigned i = 0; i < 4; ++i)
    add(ptx.kernel, Compute::Add, left);
  EXPECT_EQ(this->left().copies, 4);
  add(source.kernel, Compute::Logarithm, loop.loop);
  EXPECT_EQ(this->left().state, LoopState::Left);
  EXPECT_EQ(this->left().copies, 0);
  EXPECT_EQ(inWords(this->left()), "the PTX has the loop");
}

TEST_F(LeftOf, ALoopOfArithmeticIsFoundByItsLine) {
  source.kernel.accesses.clear();
  EXPECT_EQ(left().state, LoopState::Gone) << "the PTX has no loop at all";
  const LoopId other = ptxLoop();
  EXPECT_EQ(left().state, LoopState::Unknown);
  EXPECT_EQ(inWords(left()), "the PTX does not show what became of the loop");
  ptx.kernel.loops[other].place = source.kernel.loops[loop.loop].place;
  EXPECT_EQ(left().state, LoopState::Left);
  EXPECT_EQ(left().copies, 0);
}
