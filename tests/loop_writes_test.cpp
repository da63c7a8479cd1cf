#include "cost/loop_writes.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// Builds kernels of 256 threads in which the store in question comes last.
struct Writes : ModelBuilder {
  ValueId out = object("out"), in = object("in");

  std::optional<RepeatedWrite> repeated() const {
    CostedKernel costed{kernel, {}, {}};
    for (const KernelShape &shape : kernel.shapes)
      costed.shapes.push_back({shape, costs(kernel, shape)});
    return repeatedWrite(costed, kernel.accesses.size() - 1);
  }

  Access &store(ValueId address, std::vector<LoopId> loops) {
    Access &access = this->access(address, 4, Operation::Store);
    access.loops = std::move(loops);
    return access;
  }
  void load(ValueId address, std::vector<LoopId> loops) {
    access(address, 4).loops = std::move(loops);
  }
  /// A value that the loop loads from `address`.
  ValueId loaded(ValueId address) {
    return graph.loaded(address, "in[k]", 64, false);
  }
};

} // namespace

TEST(LoopWrites, FindTheLoopThatWritesOneElementAgainAndAgain) {
  Writes kernel;
  auto loop = kernel.countedLoop(0, 100);
  kernel.store(kernel.element(kernel.out, kernel.thread(), 4), {loop.loop});
  auto found = kernel.repeated();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->innermost, loop.loop);
  EXPECT_EQ(found->outermost, loop.loop);
  EXPECT_TRUE(found->elements.empty());
}

TEST(LoopWrites, LeaveOutALoopThatMovesOn) {
  Writes kernel;
  auto loop = kernel.countedLoop(0, 100);
  kernel.store(kernel.element(kernel.out, loop.counter, 4), {loop.loop});
  EXPECT_FALSE(kernel.repeated());
}

TEST(LoopWrites, LookThroughAShortLoopOverElements) {
  for (uint64_t elements : {3, 1000}) {
    Writes kernel;
    auto outer = kernel.countedLoop(0, 100);
    auto inner = kernel.countedLoop(0, elements);
    kernel.kernel.loops[inner.loop].parent = outer.loop;
    kernel.store(kernel.element(kernel.out, inner.counter, 4),
                 {outer.loop, inner.loop});
    auto found = kernel.repeated();
    ASSERT_EQ(found.has_value(), elements == 3) << elements;
    if (found) {
      EXPECT_EQ(found->outermost, outer.loop);
      EXPECT_EQ(found->elements, std::vector{inner.loop});
    }
  }
}

// Code behind a fence shows that other threads wait for the value.
TEST(LoopWrites, LeaveOutALoopWithAFence) {
  Writes kernel;
  auto loop = kernel.countedLoop(0, 100);
  kernel.kernel.loops[loop.loop].hasFence = true;
  kernel.store(kernel.element(kernel.out, kernel.thread(), 4), {loop.loop});
  EXPECT_FALSE(kernel.repeated());
}

// A barrier alone says nothing; with a load of the neighbour's element, threads
// exchange values.
TEST(LoopWrites, LeaveOutValuesThatThreadsExchangeAtABarrier) {
  for (bool exchanges : {false, true}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    kernel.kernel.loops[loop.loop].hasBarrier = true;
    ValueId index = kernel.thread();
    if (exchanges)
      kernel.load(
          kernel.element(kernel.out, kernel.add(index, kernel.number(1)), 4),
          {loop.loop});
    kernel.store(kernel.element(kernel.out, index, 4), {loop.loop});
    EXPECT_EQ(kernel.repeated().has_value(), !exchanges);
  }
}

// Each iteration stores and loads the other elements of a temporary array.
// A barrier of all blocks: 'atomicAdd(&count, 1); while (count < wanted);'. One
// atomic after the loop would let no block go on.
TEST(LoopWrites, LeaveOutAnAtomicWhoseCountTheLoopLoads) {
  for (bool isLoaded : {false, true}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    if (isLoaded)
      kernel.load(kernel.out, {loop.loop});
    kernel.store(kernel.out, {loop.loop}).operation = Operation::Atomic;
    EXPECT_EQ(kernel.repeated().has_value(), !isLoaded);
  }
}

TEST(LoopWrites, LeaveOutATemporaryArray) {
  Writes kernel;
  auto loop = kernel.countedLoop(0, 100);
  auto at = [&](uint64_t index) {
    return kernel.element(
        kernel.out,
        kernel.add(kernel.times(kernel.thread(), 16), kernel.number(index)), 4);
  };
  kernel.store(at(1), {loop.loop});
  kernel.load(at(2), {loop.loop});
  kernel.store(at(0), {loop.loop});
  EXPECT_FALSE(kernel.repeated());
}

// `if (in[k] > room) *overflow = 1` writes hardly ever.
TEST(LoopWrites, LeaveOutASignalThatLoadedDataGuard) {
  for (bool guarded : {false, true}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    ValueId value = kernel.loaded(kernel.element(kernel.in, loop.counter, 8));
    Access &write = kernel.store(kernel.out, {loop.loop});
    write.storesSame = true;
    if (guarded)
      write.guard = kernel.is(Op::LessSigned, kernel.argument("room"), value);
    EXPECT_EQ(kernel.repeated().has_value(), !guarded);
  }
}

// `out[*cursor] = v; ++*cursor`: the address looks the same in each iteration,
// but the loop writes the cursor.
TEST(LoopWrites, LeaveOutAnAddressThatTheLoopItselfMoves) {
  for (bool moves : {false, true}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    ValueId cursor = kernel.object("cursor", Space::Shared);
    if (moves)
      kernel.access(cursor, 8, Operation::Store, Space::Shared).loops = {
          loop.loop};
    kernel.store(kernel.element(kernel.out, kernel.loaded(cursor), 4),
                 {loop.loop});
    EXPECT_EQ(kernel.repeated().has_value(), !moves);
  }
}

TEST(LoopWrites, LeaveOutAStoreOfOneIteration) {
  for (Op comparison : {Op::Equal, Op::NotEqual}) {
    Writes kernel;
    auto loop = kernel.countedLoop(kernel.argument("begin"),
                                   kernel.argument("n"), kernel.number(1));
    kernel.store(kernel.element(kernel.out, kernel.thread(), 4), {loop.loop})
        .guard = kernel.is(comparison, loop.counter, kernel.argument("last"));
    EXPECT_EQ(kernel.repeated().has_value(), comparison == Op::NotEqual);
  }
}

TEST(LoopWrites, LeaveOutWhatOtherLanesReadAfterABarrier) {
  for (bool others : {false, true}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    kernel.kernel.loops[loop.loop].hasBarrier = true;
    ValueId element = kernel.element(kernel.out, kernel.thread(), 4);
    kernel.load(element, {loop.loop});
    if (others)
      kernel.kernel.accesses.back().guard =
          kernel.is(Op::Equal, kernel.thread(), kernel.number(0));
    kernel.store(element, {loop.loop});
    EXPECT_EQ(kernel.repeated().has_value(), !others);
  }
}

TEST(LoopWrites, LeaveOutTheLoopOfALibrary) {
  Writes kernel;
  auto loop = kernel.countedLoop(0, 100);
  kernel.kernel.loops[loop.loop].inLibrary = true;
  kernel.store(kernel.element(kernel.out, kernel.number(3), 4), {loop.loop});
  EXPECT_FALSE(kernel.repeated());
}

// Lanes share the element: one that stores nothing in the loop would overwrite
// what another one stored.
TEST(LoopWrites, LeaveOutASharedElementThatLoadedDataSelect) {
  for (bool shared : {false, true}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    ValueId from = kernel.element(kernel.in, loop.counter, 4);
    kernel.load(from, {loop.loop});
    ValueId index = shared ? kernel.make(Op::DivideUnsigned, kernel.thread(),
                                         kernel.number(2))
                           : kernel.thread();
    kernel.store(kernel.element(kernel.out, index, 4), {loop.loop}).guard =
        kernel.is(Op::LessSigned, kernel.loaded(from), kernel.number(7));
    EXPECT_EQ(kernel.repeated().has_value(), !shared);
  }
}

// for e in the row: if (column[e] == row) diagonal[row] = value[e]
TEST(LoopWrites, LeaveOutWhatASearchFinds) {
  for (bool isConstant : {false, true}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    const ValueId entry = kernel.element(kernel.in, loop.counter, 8);
    kernel.load(entry, {loop.loop});
    kernel.store(kernel.element(kernel.out, kernel.thread(), 4), {loop.loop})
        .guard = kernel.is(Op::Equal, kernel.loaded(entry),
                           isConstant ? kernel.number(1) : kernel.thread());
    EXPECT_EQ(kernel.repeated().has_value(), isConstant)
        << "a flag may be set in most iterations";
  }
}

// FLAME GPU 2's first thread with an error copies its message: each kernel was
// said to write it in every iteration.
TEST(LoopWrites, LeaveOutWhatTheWinnerOfAnAtomicStores) {
  for (bool isInLoop : {true, false}) {
    Writes kernel;
    auto loop = kernel.countedLoop(0, 100);
    Access &atomic =
        kernel.access(kernel.object("count"), 4, Operation::Atomic);
    atomic.resultUsed = true;
    if (isInLoop)
      atomic.loops = {loop.loop};
    // As of a flag that is '!count'.
    const ValueId isFirst = kernel.graph.negated(
        kernel.is(Op::NotEqual, kernel.varying("the result of an atomic"),
                  kernel.number(0)));
    kernel.store(kernel.element(kernel.out, kernel.thread(), 4), {loop.loop})
        .guard = isFirst;
    EXPECT_EQ(kernel.repeated().has_value(), !isInLoop);
  }
}
