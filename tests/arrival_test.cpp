// Which threads of a block come to a barrier, of kernels by hand.
#include "cost/arrival.h"
#include "model_builder.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

struct Arrival : testing::Test {
  ModelBuilder b;

  std::optional<PartialArrival> of(ValueId guard,
                                   std::vector<LoopId> loops = {},
                                   ShapeSource source = ShapeSource::Launch) {
    Barrier barrier;
    barrier.guard = guard;
    barrier.loops = std::move(loops);
    KernelShape shape;
    shape.shape = {256, 1, 1};
    shape.source = source;
    shape.launches = launches;
    return partialArrival(b.kernel, shape, barrier);
  }
  /// An argument in a place of its own, so that a launch can give it.
  ValueId size() { return b.graph.parameter(0, "n", 64); }
  ValueId global() {
    return b.add(b.make(Op::Multiply, b.graph.special(Op::BlockIndex, 0, 64),
                        b.graph.special(Op::BlockSize, 0, 64)),
                 b.thread());
  }
  std::vector<Launched> launches;
};

} // namespace

TEST_F(Arrival, TheIndexOfAThreadDecides) {
  auto seen = of(b.is(Op::LessSigned, b.thread(), b.number(64)));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->by, ArrivalBy::Index);
  EXPECT_EQ(seen->arriving, 64u);
  EXPECT_EQ(seen->threads, 256u);
  EXPECT_FALSE(of(b.is(Op::LessSigned, b.thread(), b.number(256))));
}

TEST_F(Arrival, WhatIsTheSameForTheBlockDecidesNothing) {
  EXPECT_FALSE(of(b.graph.always()));
  EXPECT_FALSE(of(b.flag("twice")));
  EXPECT_FALSE(
      of(b.is(Op::LessSigned, b.graph.special(Op::BlockIndex, 0, 64), size())));
}

// No barrier waits for threads that have returned, nor one in a loop.
TEST_F(Arrival, ThreadsThatReturnBeforeALoopAreFound) {
  const ValueId some = b.is(Op::LessSigned, b.thread(), b.number(250));
  Loop loop;
  loop.place = {"/k.cu", 10, 3};
  loop.enters = some;
  loop.continues = b.flag("more");
  b.kernel.loops.push_back(loop);
  const ValueId out = b.object("out", Space::Global, 0);
  Access &behind = b.access(b.element(out, b.thread(), 4), 4, Operation::Store,
                            Space::Global);
  behind.place = {"/k.cu", 20, 3};
  behind.guard = some;
  auto seen = of(some, {0});
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->othersReturn);
  behind.guard = b.graph.always();
  seen = of(some, {0});
  ASSERT_TRUE(seen);
  EXPECT_FALSE(seen->othersReturn);
  behind.place.line = 5; // before the loop
  seen = of(some, {0});
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->othersReturn);
}

// `if (i >= n) return; tile[t] = in[i]; __syncthreads();`: a hole in the tile,
// which one thread's `scale = in[0]` does not leave, nor a store before.
TEST_F(Arrival, ThreadsThatReturnMayLeaveAHoleInATile) {
  const ValueId some = b.is(Op::LessSigned, b.thread(), b.number(32));
  auto leavesHole = [&](ValueId index, ValueId guard) {
    b.kernel.accesses.clear();
    b.access(b.element(b.object("tile", Space::Shared, 1024), index, 4), 4,
             Operation::Store, Space::Shared)
        .guard = guard;
    return of(some).value().leavesHole;
  };
  EXPECT_TRUE(leavesHole(b.thread(), some));
  EXPECT_FALSE(leavesHole(b.number(0), some));
  EXPECT_FALSE(leavesHole(b.thread(), b.graph.always()));
  EXPECT_FALSE(leavesHole(b.thread(), b.graph.negated(some)));
}

// The pair is undefined behaviour that works: a lower level than certain.
TEST_F(Arrival, WarpsThatWaitElsewhereAreFound) {
  KernelShape shape;
  shape.shape = {256, 1, 1};
  shape.source = ShapeSource::Launch;
  auto restOf = [&](ValueId here, ValueId there) {
    b.kernel.barriers.assign(2, Barrier());
    b.kernel.barriers[0].guard = here;
    b.kernel.barriers[1].guard = there;
    const Barrier *rest =
        barrierOfOtherWarps(b.kernel, shape, b.kernel.barriers[0]);
    return rest && rest == &b.kernel.barriers[1];
  };
  const ValueId some = b.is(Op::LessSigned, b.thread(), b.number(64));
  EXPECT_TRUE(restOf(some, b.graph.negated(some)));
  EXPECT_FALSE(restOf(some, b.graph.always()));
  const ValueId half = b.is(Op::LessSigned, b.thread(), b.number(16));
  EXPECT_FALSE(restOf(half, b.graph.negated(half)));
}

// Nobody knows the block: 64 threads may be all of them.
TEST_F(Arrival, AnAssumedBlockMustShowItInAllUsualShapes) {
  const ValueId some = b.is(Op::LessSigned, b.thread(), b.number(64));
  EXPECT_FALSE(of(some, {}, ShapeSource::Assumed));
  const ValueId one = b.is(Op::Equal, b.thread(), b.number(0));
  EXPECT_TRUE(of(one, {}, ShapeSource::Assumed));
}

TEST_F(Arrival, ASizeThatNobodyGivesMayEndInABlock) {
  auto seen = of(b.is(Op::LessSigned, global(), size()));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->by, ArrivalBy::Sizes);
  EXPECT_EQ(seen->name, "n");
  EXPECT_EQ(seen->value, 384u);
  EXPECT_EQ(seen->arriving, 128u);
}

// 'n' of each block is a whole number of blocks.
TEST_F(Arrival, ASizeThatIsRoundedUpEndsNoBlock) {
  const ValueId whole = b.make(
      Op::Multiply,
      b.make(Op::DivideSigned, b.add(size(), b.number(255)), b.number(256)),
      b.number(256));
  EXPECT_FALSE(of(b.is(Op::LessSigned, global(), whole)));
}

TEST_F(Arrival, TheSizesOfALaunchDecide) {
  const ValueId inside = b.is(Op::LessSigned, global(), size());
  launches = {{{4, 1, 1}, {1024}}};
  EXPECT_FALSE(of(inside));
  launches = {{{4, 1, 1}, {1000}}};
  auto seen = of(inside);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->by, ArrivalBy::Index);
  EXPECT_EQ(seen->arriving, 232u);
}

// The size of a block that no launch shows may be the size that it compares
// with.
TEST_F(Arrival, ASizeOfAnAssumedBlockIsNotTried) {
  const ValueId inside = b.is(Op::LessSigned, b.thread(), size());
  EXPECT_TRUE(of(inside));
  EXPECT_FALSE(of(inside, {}, ShapeSource::Assumed));
}

TEST_F(Arrival, LoadedDataDecideIfEachThreadLoadsItsOwn) {
  const ValueId base = b.object("flag");
  auto loaded = [&](ValueId index) {
    return b.is(
        Op::LessSigned, b.number(0),
        b.graph.loaded(b.element(base, index, 8), "flag[i]", 64, false));
  };
  auto seen = of(loaded(b.thread()));
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->by, ArrivalBy::Data);
  EXPECT_EQ(seen->name, "flag[i]");
  EXPECT_FALSE(of(loaded(b.graph.special(Op::BlockIndex, 0, 64))));
  EXPECT_FALSE(of(loaded(b.make(Op::DivideSigned, b.thread(), b.number(256)))));
}

// A row of a sparse matrix is as long as its data say, for all threads of its
// block; those that have no element in the last round miss the barrier.
TEST_F(Arrival, ALoadedLengthThatThreadsShareEndsTheirLoop) {
  const ValueId base = b.object("ptr"),
                row = b.graph.special(Op::BlockIndex, 0, 64);
  auto loaded = [&](uint64_t after, const char *text) {
    return b.graph.loaded(b.element(base, b.add(row, b.number(after)), 8), text,
                          64, false);
  };
  auto endingAt = [&](ValueId first, ValueId bound) {
    const ModelBuilder::Counted loop =
        b.countedLoop(first, bound, b.number(256));
    return of(b.is(Op::LessSigned, loop.counter, bound), {loop.loop});
  };
  const ValueId end = loaded(1, "ptr[row + 1]"), begin = loaded(0, "ptr[row]");
  auto seen = endingAt(b.add(begin, b.thread()), end);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->by, ArrivalBy::Length);
  EXPECT_TRUE(seen->inIteration);
  EXPECT_THAT(seen->name, testing::StartsWith("ptr[row"));
  EXPECT_FALSE(endingAt(begin, end)) << "all threads count alike";
  const ValueId rounded =
      b.make(Op::Multiply, b.make(Op::DivideSigned, end, b.number(256)),
             b.number(256));
  EXPECT_FALSE(endingAt(b.add(begin, b.thread()), rounded));
}

// 'for (j = begin + y; j - y < end; j += 256)': each thread goes as far as the
// others, from where it began.
TEST_F(Arrival, ALengthFromEachBeginningIsOneForAll) {
  const ValueId base = b.object("ptr");
  const ValueId end =
      b.graph.loaded(b.element(base, b.number(1), 8), "ptr[1]", 64, false);
  const ModelBuilder::Counted loop = [&] {
    const ValueId counter = b.graph.carried(0, 64, false), y = b.thread(1);
    const ValueId next = b.add(counter, b.number(256));
    b.graph.setCarried(counter, y, next);
    Loop read;
    read.enters = b.is(Op::LessSigned, b.number(0), end);
    read.continues = b.is(Op::LessSigned, b.make(Op::Subtract, next, y), end);
    b.kernel.loops.push_back(read);
    return ModelBuilder::Counted{0, counter};
  }();
  const ValueId passed = b.make(Op::Subtract, loop.counter, b.thread(1));
  EXPECT_FALSE(of(b.is(Op::LessSigned, passed, end), {loop.loop}));
}

TEST_F(Arrival, AVoteIsTheSameForItsWarp) {
  const ValueId base = b.object("flag");
  const ValueId own =
      b.is(Op::LessSigned, b.number(0),
           b.graph.loaded(b.element(base, b.thread(), 8), "flag", 64, false));
  const ValueId votes = b.graph.make(Op::Ballot, 32, {own});
  EXPECT_FALSE(of(b.is(Op::NotEqual, votes, b.number(0, 32))));
}

TEST_F(Arrival, IterationsDifferIfTheCounterBeginsWithTheThread) {
  const ModelBuilder::Counted loop =
      b.countedLoop(b.thread(), b.number(300), b.number(256));
  const ValueId inLoop = b.is(Op::LessSigned, loop.counter, b.number(300));
  auto seen = of(inLoop, {loop.loop});
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->inIteration);
  EXPECT_EQ(seen->arriving, 44u);
}
