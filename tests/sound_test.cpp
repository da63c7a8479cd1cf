// A record from a cache or another machine may hold anything: a kernel whose
// numbers lead nowhere is not used.
#include "model/sound.h"
#include "model_builder.h"
#include <gtest/gtest.h>
#include <limits>

using namespace warplint;

namespace {

class Sound : public testing::Test, public ModelBuilder {
protected:
  Sound() {
    const auto loop = countedLoop(0, 8);
    Access access;
    access.address = element(object("a"), loop.counter, 4);
    access.guard = graph.constant(1, 1);
    access.loops = {loop.loop};
    kernel.accesses.push_back(access);
  }
  Access &access() { return kernel.accesses.front(); }
};

} // namespace

TEST_F(Sound, AKernelAsItIsReadIsSound) { EXPECT_TRUE(isSound(kernel)); }

TEST_F(Sound, AccessesNameValuesLoopsAndArrays) {
  const Access good = access();
  access().address = graph.size();
  EXPECT_FALSE(isSound(kernel));
  access() = good;
  access().guard = ~ValueId(0);
  EXPECT_FALSE(isSound(kernel));
  access() = good;
  access().loops = {1};
  EXPECT_FALSE(isSound(kernel));
  access() = good;
  access().array = 0; // there is none
  EXPECT_FALSE(isSound(kernel));
  access() = good;
  access().space = Space(200);
  EXPECT_FALSE(isSound(kernel));
  access() = good;
  EXPECT_TRUE(isSound(kernel));
}

// A forged access of 2 GiB ended its reader: each of its sectors is counted.
TEST_F(Sound, AnAccessHasTheBytesThatHardwareMoves) {
  access().bytes = 128 * 1024;
  EXPECT_TRUE(isSound(kernel));
  access().bytes = 1u << 31;
  EXPECT_FALSE(isSound(kernel));
}

// Following parents would never end.
TEST_F(Sound, ALoopIsInAnEarlierOne) {
  kernel.loops.front().parent = 0;
  EXPECT_FALSE(isSound(kernel));
}

TEST_F(Sound, LoopsNameValues) {
  kernel.loops.front().bound = graph.size();
  EXPECT_FALSE(isSound(kernel));
}

TEST_F(Sound, WorkIsFinite) {
  Arithmetic work;
  work.guard = access().guard;
  kernel.arithmetic = {work};
  EXPECT_TRUE(isSound(kernel));
  kernel.arithmetic.front().instructions =
      std::numeric_limits<double>::infinity();
  EXPECT_FALSE(isSound(kernel));
}

TEST_F(Sound, ABaseNamesAnObject) {
  kernel.objects.clear();
  EXPECT_FALSE(isSound(kernel));
}

// A block has no fourth axis; a forged one ended its reader.
TEST_F(Sound, AnIndexIsOfOneOfThreeAxes) {
  for (Op op : {Op::ThreadIndex, Op::BlockIndex, Op::BlockSize, Op::GridSize}) {
    const Kernel good = kernel;
    graph.special(op, 2);
    EXPECT_TRUE(isSound(kernel));
    graph.special(op, 3);
    EXPECT_FALSE(isSound(kernel));
    kernel = good;
  }
}
