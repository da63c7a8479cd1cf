// Loads that only the lack of '__restrict__' keeps in their loops.
#include "cost/withheld.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// for k < n: out[k] = weights[0], of two pointer arguments.
struct Aliased : ModelBuilder {
  ValueId weights = object("weights"), out = object("out");
  Counted loop = countedLoop(number(0), argument("n"), number(1));
  enum { load, store };

  Aliased() {
    access(element(weights, number(0), 4), 4).loops = {loop.loop};
    access(element(out, loop.counter, 4), 4, Operation::Store).loops = {
        loop.loop};
  }
  Access &of(unsigned i) { return kernel.accesses[i]; }
  std::vector<Withheld> found() const { return withheldLoads(costed(kernel)); }
};

} // namespace

TEST(WithheldLoads, AWriteThroughAnotherArgumentKeepsALoadInItsLoop) {
  Aliased b;
  const auto found = b.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].load, unsigned(Aliased::load));
  EXPECT_EQ(found[0].pointer, b.weights);
  EXPECT_EQ(found[0].loop, b.loop.loop);
  EXPECT_EQ(found[0].write, unsigned(Aliased::store));
  EXPECT_TRUE(found[0].isInvariant);
}

// Either promise is enough for the compiler.
TEST(WithheldLoads, ARestrictOnEitherPointerIsEnough) {
  Aliased input;
  input.of(Aliased::load).isRestrict = true;
  EXPECT_TRUE(input.found().empty());
  Aliased output;
  output.of(Aliased::store).isRestrict = true;
  EXPECT_TRUE(output.found().empty());
  Aliased readOnly;
  readOnly.of(Aliased::load).isReadOnly = true; // __ldg
  EXPECT_TRUE(readOnly.found().empty());
}

// A report here would ask the user to promise what is not true.
TEST(WithheldLoads, AnArgumentThatTheKernelWritesIsLeftOut) {
  Aliased b;
  b.access(b.element(b.weights, b.thread(), 4), 4, Operation::Store);
  EXPECT_TRUE(b.found().empty());
  Aliased chosen; // one of the two pointers, by a flag
  chosen.access(chosen.graph.make(
                    Op::Select, 64,
                    {chosen.flag("swap"), chosen.weights, chosen.out}, 0, true),
                4, Operation::Store);
  EXPECT_TRUE(chosen.found().empty());
  Aliased any; // a pointer that nobody follows
  any.access(any.graph.unknown(Op::Varying, "a table", 64, true), 4,
             Operation::Store);
  EXPECT_TRUE(any.found().empty());
}

TEST(WithheldLoads, WithoutAWriteInTheLoopNothingWithholds) {
  Aliased behind;
  behind.of(Aliased::store).loops.clear();
  EXPECT_TRUE(behind.found().empty());
  Aliased shared;
  shared.of(Aliased::store).address =
      shared.element(shared.object("tile", Space::Shared), shared.thread(), 4);
  shared.of(Aliased::store).space = Space::Shared;
  EXPECT_TRUE(shared.found().empty());
  Aliased fixed; // one element: the write leaves the loop first
  fixed.of(Aliased::store).address =
      fixed.element(fixed.out, fixed.thread(), 4);
  EXPECT_TRUE(fixed.found().empty());
}

// Other threads may write before the barrier, so what a loop with one loads
// stays in it; a load that moves on stays anyway.
TEST(WithheldLoads, ABarrierStandsForTheWritesOfOtherThreads) {
  Aliased b;
  b.of(Aliased::store).loops.clear();
  b.kernel.loops[b.loop.loop].hasBarrier = true;
  const auto found = b.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].write);
  b.of(Aliased::load).address = b.element(b.weights, b.loop.counter, 4);
  EXPECT_TRUE(b.found().empty());
}

// The compiler unrolls the three taps; the loop that repeats them is the outer
// one.
TEST(WithheldLoads, ALoopThatIsUnrolledBelongsToTheOneAround) {
  Aliased b;
  const auto taps = b.countedLoop(0, 3);
  b.kernel.loops[taps.loop].parent = b.loop.loop;
  b.of(Aliased::load).address = b.element(b.weights, taps.counter, 4);
  b.of(Aliased::load).loops = {b.loop.loop, taps.loop};
  const auto found = b.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].loop, b.loop.loop);
  EXPECT_TRUE(found[0].isInvariant);
}

// '__restrict__' cannot be written on what a lambda captures.
TEST(WithheldLoads, ALibrarysDispatchHasNoArguments) {
  Aliased b;
  b.kernel.isDispatched = true;
  EXPECT_TRUE(b.found().empty());
}

/// for k < n: out[threadIdx.x] = weights[0].
struct Kept : Aliased {
  Kept() { of(store).address = element(out, thread(), 4); }
  std::vector<unsigned> kept() const {
    return loadsKeptBy(costed(kernel), {store}, loop.loop);
  }
};

// HeCBench's vote: the loop that the store leaves has nothing left to load, and
// is 35 times as fast (H200).
TEST(LoadsKeptBy, AStoreTakesTheLoadThatItMayChangeOutOfTheLoop) {
  EXPECT_EQ(Kept().kept(), std::vector<unsigned>{Kept::load});
}

TEST(LoadsKeptBy, TheLoadOfWhatIsUpdatedGoesWithTheStore) {
  Kept b;
  b.access(b.of(Kept::store).address, 4).loops = {b.loop.loop};
  EXPECT_EQ(b.kept(), (std::vector<unsigned>{Kept::load, 2}));
  b.kernel.loops[0].hasBarrier = true;
  EXPECT_EQ(b.kept(), std::vector<unsigned>{2});
}

// A share that counted them would promise what moving the store does not give.
TEST(LoadsKeptBy, WhatElseKeepsALoadStaysInTheLoop) {
  Kept other;
  other
      .access(other.element(other.object("log"), other.loop.counter, 4), 4,
              Operation::Store)
      .loops = {other.loop.loop};
  EXPECT_TRUE(other.kept().empty()) << "another store";
  Kept atomic;
  atomic
      .access(atomic.element(atomic.object("sum"), atomic.number(0), 4), 4,
              Operation::Atomic)
      .loops = {atomic.loop.loop};
  EXPECT_TRUE(atomic.kept().empty()) << "an atomic";
  Kept barrier;
  barrier.kernel.loops[0].hasBarrier = true;
  EXPECT_TRUE(barrier.kept().empty()) << "a barrier";
  Kept fence;
  fence.kernel.loops[0].hasFence = true;
  EXPECT_TRUE(fence.kept().empty()) << "a fence";
  Kept isVolatile;
  isVolatile.of(Kept::load).isVolatile = true;
  EXPECT_TRUE(isVolatile.kept().empty()) << "volatile";
  Kept call;
  call.kernel.notFollowed.push_back("recursion in 'f'");
  EXPECT_TRUE(call.kept().empty()) << "a call";
  Kept moving;
  moving.of(Kept::load).address =
      moving.element(moving.weights, moving.loop.counter, 4);
  EXPECT_TRUE(moving.kept().empty()) << "another address";
}

// Nothing says that a load under a condition may be made where it is not asked
// for.
TEST(LoadsKeptBy, ALoadThatDataOfTheIterationSelectStays) {
  Kept b;
  const ValueId flag = b.graph.loaded(
      b.element(b.object("flags"), b.loop.counter, 4), "", 64, false);
  b.of(Kept::load).guard = b.is(Op::Equal, flag, b.number(0));
  EXPECT_TRUE(b.kept().empty());
}

// The compiler has moved it already: the store does not matter to it.
TEST(LoadsKeptBy, APromiseIsEnoughWithoutTheStore) {
  Kept input;
  input.of(Kept::load).isRestrict = true;
  EXPECT_TRUE(input.kept().empty());
  Kept readOnly;
  readOnly.of(Kept::load).isReadOnly = true;
  EXPECT_TRUE(readOnly.kept().empty());
  Kept output;
  output.of(Kept::store).isRestrict = true;
  EXPECT_TRUE(output.kept().empty());
}

// It leaves the inner loop alone, whose iterations the outer one repeats.
TEST(LoadsKeptBy, ALoadThatMovesWithAnInnerLoopStays) {
  Kept b;
  const auto inner = b.countedLoop(b.number(0), b.argument("m"), b.number(1));
  b.kernel.loops[inner.loop].parent = b.loop.loop;
  for (unsigned i : {Kept::load, Kept::store})
    b.of(i).loops = {b.loop.loop, inner.loop};
  EXPECT_EQ(b.kept().size(), 1u);
  b.of(Kept::load).address = b.element(b.weights, inner.counter, 4);
  EXPECT_TRUE(b.kept().empty());
}

/// for k < n: out[k] = fields.in[...], of a pointer in a structure.
struct Member : Aliased {
  ValueId in = graph.loaded(object("fields", Space::Parameter), "fields.in", 64,
                            /*isPointer=*/true);
  Withheld *withheld(ValueId index) {
    access(element(in, index, 4), 4).loops = {loop.loop};
    all = found();
    for (Withheld &each : all)
      if (each.pointer == in)
        return &each;
    return nullptr;
  }
  std::vector<Withheld> all;
};

TEST(WithheldLoads, LoadsThroughAMemberCouldBeMadeAhead) {
  Member b;
  const Withheld *one = b.withheld(b.loop.counter);
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->isMember);
  EXPECT_FALSE(one->isInvariant);
}

// A local copy of the value does as well as one of the pointer.
TEST(WithheldLoads, WhatAMemberLeadsToAndStaysTheSameIsLeftOut) {
  Member b;
  EXPECT_FALSE(b.withheld(b.number(0)));
}

TEST(WithheldLoads, AMemberThroughWhichTheKernelWritesIsLeftOut) {
  Member b;
  b.access(b.element(b.in, b.thread(), 4), 4, Operation::Store);
  EXPECT_FALSE(b.withheld(b.loop.counter));
}

/// for i = threadIdx.x, of 32 bits; i < n; i += 256: out[i] = in[i].
struct Strided : ModelBuilder {
  ValueId in = object("in"), out = object("out");

  std::vector<Withheld> found(bool mayWrap, bool storesFirst = false) {
    const ValueId step = number(256, 32),
                  first = graph.special(Op::ThreadIndex, 0, 32),
                  n = argument("n", 32);
    const LoopId id = kernel.loops.size();
    const ValueId i = graph.carried(id, 32, false),
                  next = graph.make(Op::Add, 32, {i, step});
    graph.setCarried(i, first, next);
    Loop loop;
    loop.place = {"/k.cu", 10, 3};
    loop.enters = is(Op::LessSigned, first, n);
    loop.continues = is(Op::LessSigned, next, n);
    loop.mayWrap = mayWrap;
    kernel.loops.push_back(loop);
    const ValueId index = graph.make(Op::SignExtend, 64, {i}, 32);
    kernel.accesses.clear();
    if (storesFirst)
      access(element(out, index, 4), 4, Operation::Store).loops = {id};
    access(element(in, index, 4), 4).loops = {id};
    access(element(out, index, 4), 4, Operation::Store).loops = {id};
    return withheldLoads(costed(kernel));
  }
};

// 'i += blockDim.x' is unsigned: the loop is not unrolled, so no promise lets a
// load be made before its own iteration.
TEST(WithheldLoads, ALoopWhoseCounterMayWrapAroundHasNoLoadsAhead) {
  EXPECT_EQ(Strided().found(/*mayWrap=*/false).size(), 1u);
  EXPECT_TRUE(Strided().found(/*mayWrap=*/true).empty());
  EXPECT_EQ(Strided().found(/*mayWrap=*/true, /*storesFirst=*/true).size(), 1u);
}
