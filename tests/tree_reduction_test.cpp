// Trees in shared memory, of kernels by hand: which loops are one, and of which
// form.
#include "cost/tree_reduction.h"
#include "model_builder.h"
#include "read_text.h"
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

namespace {

/// Trees of a kernel as a user writes it, in blocks of 256 threads.
std::vector<TreeReduction> treesOf(const std::string &steps) {
  SourceModel model =
      readText("template <int d> __device__ void one(int *s) {\n"
               "  if (threadIdx.x < d)\n"
               "    s[threadIdx.x] += s[threadIdx.x + d];\n"
               "  __syncthreads();\n"
               "}\n"
               "__global__ void k(int *out, int n) {\n"
               "  __shared__ int s[512];\n"
               "  const int t = threadIdx.x;\n"
               "  s[t] = out[t];\n"
               "  __syncthreads();\n" +
               steps +
               "  if (t == 0)\n"
               "    out[blockIdx.x] = s[0];\n"
               "}\n"
               "void run(int *out) { k<<<8, 256>>>(out, 3); }");
  const Kernel &kernel = model.kernels.at(0);
  return treeReductions(kernel, kernel.shapes.at(0));
}

} // namespace

// A function that adds two elements has names of its own for them.
TEST(TreesByHand, TheArrayKeepsItsName) {
  SourceModel model =
      readText("struct Pair { float x, y; };\n"
               "__device__ void add(Pair &a, const Pair &b) { a.x += b.x; a.y "
               "+= b.y; }\n"
               "__global__ void k(Pair *out) {\n"
               "  __shared__ Pair part[256];\n"
               "  part[threadIdx.x] = out[threadIdx.x];\n"
               "  __syncthreads();\n"
               "  for (int s = 128; s > 0; s /= 2) {\n"
               "    if (threadIdx.x < s)\n"
               "      add(part[threadIdx.x], part[threadIdx.x + s]);\n"
               "    __syncthreads();\n"
               "  }\n"
               "  if (threadIdx.x == 0)\n"
               "    out[blockIdx.x] = part[0];\n"
               "}\n"
               "void run(Pair *out) { k<<<8, 256>>>(out); }");
  const Kernel &kernel = model.kernels.at(0);
  const auto trees = treeReductions(kernel, kernel.shapes.at(0));
  ASSERT_EQ(trees.size(), 1u);
  EXPECT_EQ(trees[0].object, "part");
}

TEST(TreesByHand, EachCallIsAStep) {
  auto trees = treesOf("one<128>(s), one<64>(s), one<32>(s), one<16>(s);\n"
                       "one<8>(s), one<4>(s), one<2>(s), one<1>(s);\n");
  ASSERT_EQ(trees.size(), 1u);
  EXPECT_EQ(trees[0].steps, 8u);
  EXPECT_FALSE(trees[0].loop);
  EXPECT_FALSE(trees[0].isRepeated);
  EXPECT_EQ(trees[0].barriers.size(), 7u);
}

TEST(TreesByHand, StepsInALoopAreRepeated) {
  auto trees = treesOf("for (int i = 0; i < n; ++i) {\n"
                       "one<8>(s), one<4>(s), one<2>(s), one<1>(s); }\n");
  ASSERT_EQ(trees.size(), 1u);
  EXPECT_TRUE(trees[0].isRepeated);
}

// Shuffles follow; or another array is next.
TEST(TreesByHand, StepsThatDoNotEndWithOneThreadAreNone) {
  EXPECT_TRUE(
      treesOf("one<256>(s), one<128>(s), one<64>(s), one<32>(s);\n").empty());
}

TEST(TreesByHand, WithoutABarrierBetweenThemTheyAreNone) {
  EXPECT_TRUE(treesOf("if (t < 8) s[t] += s[t + 8];\n"
                      "if (t < 4) s[t] += s[t + 4];\n"
                      "if (t < 2) s[t] += s[t + 2];\n"
                      "if (t < 1) s[t] += s[t + 1];\n")
                  .empty());
}

TEST(TreesByHand, ThreadsThatDoNotHalveMakeNoTree) {
  EXPECT_TRUE(
      treesOf("one<8>(s), one<7>(s), one<6>(s), one<5>(s), one<1>(s);\n")
          .empty());
}

// The way up of a scan: its partial sums are the result. Shuffles to one value
// of each warp would lose them.
TEST(TreesByHand, PartialSumsThatAreReadBehindItMakeItNoReduction) {
  const std::string up = "for (int d = 1; d <= 128; d *= 2) {\n"
                         "  int i = (t + 1) * 2 * d - 1;\n"
                         "  if (i < 256) s[i] += s[i - d];\n"
                         "  __syncthreads();\n"
                         "}\n";
  EXPECT_EQ(treesOf(up).size(), 1u);
  EXPECT_TRUE(treesOf(up + "out[t] = s[t];\n").empty());
  // Other values are stored before.
  EXPECT_EQ(treesOf(up + "int sum = s[255];\n"
                         "__syncthreads();\n"
                         "s[t] = out[t] - sum;\n"
                         "__syncthreads();\n"
                         "out[t] = s[t ^ 1];\n")
                .size(),
            1u);
}

TEST(TreesByHand, PartialSumsOfStepsByHandAreNeededToo) {
  const std::string steps = "one<8>(s), one<4>(s), one<2>(s), one<1>(s);\n";
  EXPECT_EQ(treesOf(steps).size(), 1u);
  EXPECT_TRUE(treesOf(steps + "out[t] = s[t];\n").empty());
}
