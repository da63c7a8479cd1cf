// Trees in shared memory, of kernels by hand: which loops are one, and of which
// form.
#include "cost/tree_reduction.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// A loop whose distance `s` is halved, or doubled, in each iteration, with a
/// barrier, and `s[t] += s[t + d]` under a condition.
struct Trees : testing::Test {
  ModelBuilder b;
  ValueId part = b.object("part", Space::Shared, 1024);

  /// The distance, from `first` on while it is in the block.
  ValueId distance(uint64_t first, bool doubles) {
    const LoopId id = b.kernel.loops.size();
    const ValueId counter = b.graph.carried(id, 64, false);
    const ValueId next = b.make(
        doubles ? Op::ShiftLeft : Op::ShiftRightUnsigned, counter, b.number(1));
    b.graph.setCarried(counter, b.number(first), next);
    Loop loop;
    loop.place = {"/k.cu", 10 + id, 3};
    loop.enters = b.graph.always();
    loop.continues = doubles ? b.is(Op::LessUnsigned, next, b.number(256))
                             : b.is(Op::LessUnsigned, b.number(0), next);
    b.kernel.loops.push_back(loop);
    return counter;
  }

  void step(ValueId guard, ValueId at, ValueId from) {
    const LoopId loop = b.kernel.loops.size() - 1;
    // The loop's own condition: its last iteration is known.
    auto add = [&](ValueId index, Operation operation) {
      Access &access =
          b.access(b.element(part, index, 4), 4, operation, Space::Shared);
      access.guard = guard;
      access.loops = {loop};
      access.object = "part";
    };
    add(at, Operation::Load);
    add(from, Operation::Load);
    add(at, Operation::Store);
    Barrier barrier;
    barrier.guard = b.graph.always();
    barrier.loops = {loop};
    b.kernel.barriers.push_back(barrier);
  }

  std::vector<TreeReduction> found(Shape shape = {256, 1, 1}) {
    KernelShape launched;
    launched.shape = shape;
    launched.source = ShapeSource::Launch;
    return treeReductions(b.kernel, launched);
  }
};

} // namespace

TEST_F(Trees, TheFirstThreadsAdd) {
  const ValueId s = distance(128, false);
  step(b.is(Op::LessUnsigned, b.thread(), s), b.thread(), b.add(b.thread(), s));
  auto trees = found();
  ASSERT_EQ(trees.size(), 1u);
  EXPECT_EQ(trees[0].steps, 8u);
  EXPECT_EQ(trees[0].firstThreads, 128u);
  EXPECT_EQ(trees[0].object, "part");
  EXPECT_FALSE(trees[0].isInterleaved);
  EXPECT_FALSE(trees[0].isRepeated);
}

TEST_F(Trees, EverySecondThreadAdds) {
  const ValueId s = distance(1, true);
  const ValueId twice = b.make(Op::ShiftLeft, s, b.number(1));
  // Behind the last step, the distance is that of the whole block.
  const ValueId inside = b.is(Op::LessUnsigned, s, b.number(256));
  step(b.graph.both(inside,
                    b.is(Op::Equal,
                         b.make(Op::RemainderUnsigned, b.thread(), twice),
                         b.number(0))),
       b.thread(), b.add(b.thread(), s));
  auto trees = found();
  ASSERT_EQ(trees.size(), 1u);
  EXPECT_TRUE(trees[0].isInterleaved);
}

// Shuffles do the rest.
TEST_F(Trees, ATreeThatEndsWithAWarpIsNone) {
  const ValueId s = distance(128, false);
  const ValueId isWide = b.is(Op::LessUnsigned, b.number(31), s);
  step(b.graph.both(isWide, b.is(Op::LessUnsigned, b.thread(), s)), b.thread(),
       b.add(b.thread(), s));
  EXPECT_TRUE(found().empty());
}

TEST_F(Trees, WithoutABarrierInItALoopIsNone) {
  const ValueId s = distance(128, false);
  step(b.is(Op::LessUnsigned, b.thread(), s), b.thread(), b.add(b.thread(), s));
  b.kernel.barriers.clear();
  EXPECT_TRUE(found().empty());
}

// The size of the first step is unknown, so nothing halves.
TEST_F(Trees, StepsThatNobodyKnowsAreNone) {
  const ValueId s = distance(128, false);
  step(b.is(Op::LessUnsigned, b.thread(), b.argument("n")), b.thread(),
       b.add(b.thread(), s));
  EXPECT_TRUE(found().empty());
}

TEST_F(Trees, ATransformKeepsWhatEachStepGives) {
  const ValueId s = distance(128, false);
  step(b.is(Op::LessUnsigned, b.thread(), s), b.thread(), b.add(b.thread(), s));
  Access &kept =
      b.access(b.element(b.object("out"), b.thread(), 4), 4, Operation::Store);
  kept.loops = {0};
  EXPECT_TRUE(found().empty());
}
