#include "cost/compile_time.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;
using Cause = NotKnown::Cause;

namespace {

class CompileTime : public testing::Test, protected ModelBuilder {
protected:
  std::string why(ValueId value) {
    auto cause = whyNotKnown(kernel, value);
    return cause ? words(kernel, *cause, {"/k.cu", 1, 1}) : "";
  }
};

TEST_F(CompileTime, ConstantsAndShortLoopsAreKnown) {
  EXPECT_EQ(why(number(3)), "");
  auto [loop, k] = countedLoop(0, fullyUnrolledBelow - 1);
  EXPECT_EQ(why(add(k, number(1))), "");
}

TEST_F(CompileTime, NamesTheValueKnownOnlyAtRunTime) {
  EXPECT_EQ(why(add(thread(1), number(1))), "depends on 'threadIdx.y'");
  EXPECT_EQ(why(argument("off")),
            "depends on 'off', an argument of the kernel");
  ValueId key =
      graph.loaded(element(object("key"), thread(), 4), "key[i]", 64, false);
  EXPECT_EQ(why(key), "depends on 'key[i]', loaded from memory");
  // A structure that is passed by value is an argument.
  ValueId p = object("p", Space::Parameter);
  EXPECT_EQ(why(graph.loaded(element(p, number(1), 4), "p.n", 64, false)),
            "depends on 'p.n', an argument of the kernel");
}

// '__nv_float2int_rd' is no word of anybody's source.
TEST_F(CompileTime, ARoundedFloatIsNamedAsWhatItIs) {
  for (const char *inside : {"__nv_float2int_rd", "__nv_floorf", "fptosi 32"})
    EXPECT_EQ(why(graph.opaque(inside, 32, false, {number(1)})),
              "depends on a computed float")
        << inside;
}

TEST_F(CompileTime, LoopsThatAreNotUnrolledKeepTheirCounters) {
  auto [kept, j] = countedLoop(0, 8);
  kernel.loops[kept].unroll = Unroll::Disabled;
  EXPECT_EQ(why(j), "is counted by the loop at line 10, which a pragma keeps "
                    "from being unrolled");
  kernel.loops[kept].unroll = Unroll::Count;
  kernel.loops[kept].unrollCount = 4;
  EXPECT_EQ(whyNotKnown(kernel, j)->cause, Cause::LoopKept);
  kernel.loops[kept].unrollCount = 8;
  EXPECT_EQ(why(j), "");
  auto [longer, k] = countedLoop(0, 320);
  EXPECT_EQ(why(k),
            "is counted by the loop at line 11, whose 320 iterations are "
            "many to unroll");
  kernel.loops[longer].unroll = Unroll::Full;
  EXPECT_EQ(why(k), "");
}

// 'sum[j & 3]' under '#pragma unroll 8' is four registers.
TEST_F(CompileTime, CopiesOfABodyKnowTheirPlaceInAPeriod) {
  auto [loop, j] = countedLoop(0, 1024);
  const ValueId masked = make(Op::And, add(j, number(1)), number(3)),
                rest = make(Op::RemainderSigned, j, number(4)),
                third = make(Op::RemainderSigned, j, number(3));
  EXPECT_NE(why(masked), "") << "nobody says that the loop is unrolled";
  kernel.loops[loop].unroll = Unroll::Count;
  kernel.loops[loop].unrollCount = 8;
  EXPECT_EQ(why(masked), "");
  EXPECT_EQ(why(rest), "");
  EXPECT_NE(why(third), "") << "each copy has all three";
  EXPECT_NE(why(make(Op::And, add(j, argument("n")), number(3))), "");
}

TEST_F(CompileTime, AnUnknownBoundIsNamed) {
  auto [open, i] = countedLoop(number(0), argument("n"), number(1));
  kernel.loops[open].boundText = "n";
  EXPECT_EQ(why(i), "is counted by the loop at line 10, whose bound 'n' is not "
                    "known at compile time");
}

// nvcc 13.0 unrolls such a loop as a whole: 'i < min(8, n)', and no frame.
TEST_F(CompileTime, AConstantThatLimitsALoopIsEnough) {
  auto lesser = [&](uint64_t limit) {
    return make(Op::MinSigned, number(limit), argument("n"));
  };
  EXPECT_EQ(why(countedLoop(number(0), lesser(8), number(1)).counter), "");
  const ValueId n = argument("n"), isLess = is(Op::LessSigned, n, number(8)),
                is8 = graph.make(Op::Select, 64, {isLess, n, number(8)}),
                isMore = graph.make(Op::Select, 64, {isLess, number(8), n});
  EXPECT_EQ(why(countedLoop(number(0), is8, number(1)).counter), "");
  EXPECT_NE(why(countedLoop(number(0), isMore, number(1)).counter), "");
  EXPECT_NE(why(countedLoop(number(0), lesser(1000), number(1)).counter), "");
  EXPECT_NE(why(countedLoop(argument("n"), lesser(8), number(1)).counter), "");
}

// 'for (i = 3; i >= 1; --i)' beside a 'return' is copies, and no frame; an
// insertion is a loop: where it ends is an index behind it.
TEST_F(CompileTime, ACounterMayFallToAConstant) {
  auto [loop, i] = countedLoop(number(3), number(0), number(-1));
  kernel.loops[loop].tripCount.reset();
  kernel.loops[loop].continues =
      graph.both(is(Op::LessSigned, number(1), i),
                 is(Op::LessSigned, varying(), number(0)));
  EXPECT_EQ(why(i), "");
  graph.make(Op::Final, 64, {i}, loop);
  EXPECT_NE(why(i), "");
}

// The constant bound is not what is unknown.
TEST_F(CompileTime, AnUnknownStartIsNamed) {
  auto [open, i] = countedLoop(varying("a shuffle"), number(8), number(1));
  kernel.loops[open].boundText = "8";
  EXPECT_EQ(why(i), "is counted by the loop at line 10, whose first value "
                    "depends on a shuffle");
  EXPECT_EQ(decidesLength(kernel, open), "the counter's first value");
}

// nvcc 13.0 keeps the array in registers: copies of the outer loop's body know
// where the inner one begins, and where it ends.
TEST_F(CompileTime, ATriangularLoopOfFewCopiesIsKnown) {
  auto [outer, k] = countedLoop(0, 14);
  auto [above, j] = countedLoop(add(k, number(1)), number(14), number(1));
  kernel.loops[above].parent = outer;
  EXPECT_EQ(why(j), "");
  auto [below, i] = countedLoop(number(0), k, number(1));
  kernel.loops[below].parent = outer;
  EXPECT_EQ(why(i), "");
  auto [open, n] = countedLoop(number(0), argument("n"), number(1));
  auto [behind, m] = countedLoop(add(n, number(1)), number(6), number(1));
  kernel.loops[behind].parent = open;
  EXPECT_NE(why(m), "");
}

// Unrolled 96 times, each copy has an inner loop that ends before 96.
TEST_F(CompileTime, AnEndThatALoopAroundGivesMayBeFarAway) {
  auto [outer, k] = countedLoop(0, 96);
  auto [inner, j] = countedLoop(
      number(0), make(Op::Subtract, number(96), k), number(1));
  kernel.loops[inner].parent = outer;
  EXPECT_EQ(why(j), "");
}

// Of 16 rows and more nvcc keeps the loop below the diagonal; what it cannot
// know in any case is the row that data choose.
TEST_F(CompileTime, ATriangularLoopIsTheLastReason) {
  auto [outer, k] = countedLoop(0, 16);
  auto [inner, j] = countedLoop(add(k, number(1)), number(16), number(1));
  kernel.loops[inner].parent = outer;
  EXPECT_EQ(why(j), "is counted by the loop at line 11, whose number of "
                    "iterations changes with a loop around it");
  EXPECT_EQ(why(add(j, varying("what 'A' holds"))), "depends on what 'A' holds");
  kernel.arrays.resize(1);
  for (ValueId index : {j, varying("the row")}) {
    Access &one = access(element(object("A", Space::Local), index, 4), 4,
                         Operation::Load, Space::Local);
    one.array = 0;
  }
  EXPECT_EQ(firstUnknownIndex(kernel, 0), &kernel.accesses[1]);
}

// nvcc 13.0 makes copies of sorts of up to 64 elements where pragmas ask for
// both loops.
TEST_F(CompileTime, ATriangularLoopThatIsAskedForIsKnown) {
  auto [outer, k] = countedLoop(0, 64);
  auto [inner, j] = countedLoop(add(k, number(1)), number(64), number(1));
  kernel.loops[inner].parent = outer;
  kernel.loops[inner].unroll = Unroll::Full;
  EXPECT_NE(why(j), "");
  kernel.loops[outer].unroll = Unroll::Full;
  EXPECT_EQ(why(j), "");
}

// The array of a ring limits no loop that counts its index.
TEST_F(CompileTime, TheIndexOfARingIsARest) {
  auto [open, i] = countedLoop(number(0), argument("n"), number(1));
  const unsigned bits = graph.node(i).bits;
  ValueId rest =
      graph.make(Op::RemainderSigned, bits, {i, graph.constant(15, bits)});
  EXPECT_TRUE(isRestOf(kernel, rest, open));
  EXPECT_FALSE(isRestOf(kernel, i, open));
  EXPECT_FALSE(isRestOf(kernel, graph.make(Op::Add, bits, {i, rest}), open));
  EXPECT_FALSE(isRestOf(kernel, thread(), open));
}

// Of a loop of 5,860 iterations no copies make the 19 indexes known.
TEST_F(CompileTime, ACounterThatStartsAgainIsARest) {
  auto [open, i] = countedLoop(number(0), argument("n"), number(1));
  auto carried = [&, loop = open](auto next) {
    ValueId at = graph.carried(loop, 32, false);
    graph.setCarried(at, graph.constant(0, 32), next(at));
    return isRestOf(kernel, at, loop);
  };
  auto plus = [&](ValueId at, int64_t by) {
    return graph.make(Op::Add, 32, {at, graph.constant(uint32_t(by), 32)});
  };
  auto isLast = [&](ValueId at) {
    return graph.make(Op::Equal, 1, {at, graph.constant(18, 32)});
  };
  auto select = [&](ValueId at, ValueId then, ValueId other) {
    return graph.make(Op::Select, 32, {isLast(at), then, other});
  };
  EXPECT_TRUE(carried([&](ValueId at) {
    return select(at, plus(at, -18), plus(at, 1));
  })) << "if (++at == 19) at -= 19";
  EXPECT_TRUE(carried([&](ValueId at) {
    return select(at, graph.constant(0, 32), plus(at, 1));
  })) << "at = at == 18 ? 0 : at + 1";
  EXPECT_TRUE(carried([&](ValueId at) {
    const ValueId last = isLast(at);
    return graph.make(Op::Join, 32,
                      {last, plus(at, -18), graph.negated(last), plus(at, 1)});
  }));
  EXPECT_FALSE(carried([&](ValueId at) { return plus(at, 1); }));
  EXPECT_FALSE(carried([&](ValueId at) {
    return select(at, at, plus(at, 1));
  })) << "if (at != 18) ++at";
}

// Each step doubles the paths from a load to its object.
TEST_F(CompileTime, DeeplySharedAddressesTerminate) {
  ValueId index = thread();
  for (unsigned i = 0; i < 64; ++i)
    index = graph.make(Op::Add, 64, {index, index});
  ValueId address = graph.make(Op::Add, 64, {object("a"), index}, 0, true);
  EXPECT_EQ(
      whyNotKnown(kernel, graph.loaded(address, "a[i]", 64, false))->cause,
      Cause::Memory);
}

} // namespace
