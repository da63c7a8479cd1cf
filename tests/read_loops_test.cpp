// Loops of a kernel in IR: their bounds, pragmas, barriers and trip counts, by
// which every access in them is weighed.
#include "ir_kernel.h"

using testing::ElementsAre;

namespace warplint {

class ReadLoops : public IrKernel {};

// A value may not stay in a register across a barrier, and what repeats around
// one is an algorithm in steps.
TEST_F(ReadLoops, ALoopHasTheBarriersInIt) {
  const char *barrier =
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
  EXPECT_TRUE(loop(barrier).loops.at(0).hasBarrier);
  EXPECT_FALSE(loop(barrier).loops.at(0).hasFence);
  EXPECT_TRUE(loop("call void asm sideeffect \"bar.sync 0;\", \"\"()")
                  .loops.at(0)
                  .hasBarrier);
  EXPECT_TRUE(
      loop("call void @ptx.bar.sync(i32 0)", "declare void @ptx.bar.sync(i32)")
          .loops.at(0)
          .hasBarrier);
  EXPECT_FALSE(loop("store i32 %i, ptr %a").loops.at(0).hasBarrier);
}

// Others see what is written before a fence: such a write is no repetition.
TEST_F(ReadLoops, ALoopHasTheFencesInIt) {
  EXPECT_TRUE(loop("call void @llvm.nvvm.membar.gl()").loops.at(0).hasFence);
  EXPECT_FALSE(loop("call void @llvm.nvvm.membar.gl()").loops.at(0).hasBarrier);
  EXPECT_TRUE(loop("call void asm sideeffect \"fence.acq_rel.gpu;\", \"\"()")
                  .loops.at(0)
                  .hasFence);
  // An ordered access is one as well.
  EXPECT_TRUE(loop("%x = call i32 asm sideeffect \"ld.acquire.gpu.u32 $0, "
                   "[$1];\", \"=r,l\"(ptr %a)")
                  .loops.at(0)
                  .hasFence);
  EXPECT_FALSE(loop("store i32 %i, ptr %a").loops.at(0).hasFence);
}

TEST_F(ReadLoops, ABarrierBesideALoopIsNotInIt) {
  Kernel read = kernel(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  call void @llvm.nvvm.membar.gl()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %a
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
)");
  ASSERT_EQ(read.loops.size(), 1u);
  EXPECT_FALSE(read.loops[0].hasBarrier);
  EXPECT_FALSE(read.loops[0].hasFence);
}

TEST_F(ReadLoops, AnOuterLoopHasTheBarrierOfItsInnerLoop) {
  Kernel read = kernel(R"(
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %nexti, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %nextj, %inner ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %nextj = add i32 %j, 1
  %morej = icmp slt i32 %nextj, %n
  br i1 %morej, label %inner, label %latch
latch:
  store i32 %i, ptr %a
  %nexti = add i32 %i, 1
  %morei = icmp slt i32 %nexti, %n
  br i1 %morei, label %outer, label %after
after:
  ret void
}
)");
  ASSERT_EQ(read.loops.size(), 2u);
  EXPECT_EQ(read.loops[1].parent, 0u);
  EXPECT_TRUE(read.loops[0].hasBarrier);
  EXPECT_TRUE(read.loops[1].hasBarrier);
  EXPECT_THAT(read.accesses.at(0).loops, ElementsAre(0u));
}

TEST_F(ReadLoops, ALoopHasTheBoundThatItComparesWith) {
  Loop read = loop("store i32 %i, ptr %a").loops.at(0);
  EXPECT_FALSE(read.tripCount);
  EXPECT_TRUE(read.hasBound);
}

// LLVM counts the last test as well: one iteration too many would change
// every figure of a short loop.
TEST_F(ReadLoops, TheLastTestOfALoopIsNoIteration) {
  Kernel testsFirst = kernel(R"(
define ptx_kernel void @k(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %in = icmp slt i32 %i, 10
  br i1 %in, label %body, label %after
body:
  store i32 %i, ptr %a
  %next = add nsw i32 %i, 1
  br label %loop
after:
  ret void
}
)");
  EXPECT_EQ(testsFirst.loops.at(0).tripCount, 10u);
  Kernel testsLast = kernel(R"(
define ptx_kernel void @k(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %a
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, 10
  br i1 %again, label %loop, label %after
after:
  ret void
}
)");
  EXPECT_EQ(testsLast.loops.at(0).tripCount, 10u);
}

TEST_F(ReadLoops, ALoopHasItsUnrollPragma) {
  auto pragma = [&](const std::string &name) {
    return loop("", "!0 = distinct !{!0, !1}\n!1 = !{" + name + "}\n",
                ", !llvm.loop !0")
        .loops.at(0);
  };
  EXPECT_EQ(pragma("!\"llvm.loop.unroll.disable\"").unroll, Unroll::Disabled);
  EXPECT_EQ(pragma("!\"llvm.loop.unroll.full\"").unroll, Unroll::Full);
  EXPECT_EQ(pragma("!\"llvm.loop.unroll.enable\"").unroll, Unroll::Full);
  Loop four = pragma("!\"llvm.loop.unroll.count\", i32 4");
  EXPECT_EQ(four.unroll, Unroll::Count);
  EXPECT_EQ(four.unrollCount, 4u);
  EXPECT_EQ(loop("").loops.at(0).unroll, Unroll::Unsaid);
}

// The fix for a captured bound is `const` or a template argument, by this fact.
TEST_F(ReadLoops, ABoundIsNamedAsTheAstCapturedIt) {
  auto bound = [&](std::optional<CapturedVariable> captured) {
    names_.loopBounds[{"/src/user.cu", 3, 9}] = {"n", captured};
    return loop("", debugInfo + R"(
!6 = distinct !{!6, !7, !7}
!7 = !DILocation(line: 3, column: 9, scope: !5)
)",
                ", !llvm.loop !6")
        .loops.at(0);
  };
  const Place declared = {"/src/user.cu", 1, 7};
  Loop may = bound(CapturedVariable{declared, true});
  EXPECT_EQ(may.boundText, "n");
  ASSERT_TRUE(may.boundCaptured);
  EXPECT_EQ(may.boundCaptured->declared, declared);
  EXPECT_TRUE(may.boundCaptured->mayBeConst);
  Loop mayNot = bound(CapturedVariable{declared, false});
  ASSERT_TRUE(mayNot.boundCaptured);
  EXPECT_FALSE(mayNot.boundCaptured->mayBeConst);
  EXPECT_FALSE(bound(std::nullopt).boundCaptured);
}

/// A loop with a second loop-carried value, `%sum`, and `body` that computes
/// its next one, `%more`.
static std::string summing(const std::string &body) {
  return R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
)" + body +
         R"(
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after
after:
  store i32 %sum, ptr %b
  ret void
}
)";
}

// The load is waited for, whatever is added.
TEST_F(ReadLoops, CountsOfLoadedValuesAreAccumulators) {
  EXPECT_EQ(kernel(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %merged ]
  %count = phi i32 [ 0, %entry ], [ %more, %merged ]
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load i32, ptr %p
  %is = icmp sgt i32 %x, %n
  br i1 %is, label %counted, label %merged
counted:
  %one = add i32 %count, 1
  br label %merged
merged:
  %more = phi i32 [ %count, %loop ], [ %one, %counted ]
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after
after:
  store i32 %count, ptr %b
  ret void
}
)")
                .loops.at(0)
                .accumulators,
            1u);
}

// A sum of what is loaded waits for each load; a counter does not, and the
// steps of a list cannot be taken apart.
TEST_F(ReadLoops, SumsOfLoadedValuesAreAccumulators) {
  auto accumulators = [&](const std::string &body) {
    return kernel(summing(body)).loops.at(0).accumulators;
  };
  EXPECT_EQ(accumulators(R"(
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load i32, ptr %p
  %square = mul i32 %x, %x
  %more = add i32 %sum, %square)"),
            1u);
  EXPECT_EQ(accumulators("  %more = add i32 %sum, %i"), 0u);
  EXPECT_EQ(accumulators(R"(
  %p = getelementptr i32, ptr %a, i32 %sum
  %more = load i32, ptr %p)"),
            0u);
  EXPECT_EQ(accumulators(R"(
  %p = getelementptr i32, ptr %a, i32 %i
  %more = load i32, ptr %p)"),
            0u);
  // The iteration before decides where to load: a list, whose values add up.
  const std::string list = summing(R"(
  %at = phi i32 [ 0, %entry ], [ %following, %loop ]
  %p = getelementptr i32, ptr %a, i32 %at
  %x = load i32, ptr %p
  %q = getelementptr i32, ptr %b, i32 %at
  %following = load i32, ptr %q
  %more = add i32 %sum, %x)");
  EXPECT_EQ(kernel(list).loops.at(0).accumulators, 0u);
  // The step comes from memory, but from one place.
  const std::string stepped = summing(R"(
  %at = phi i32 [ 0, %entry ], [ %following, %loop ]
  %p = getelementptr i32, ptr %a, i32 %at
  %x = load i32, ptr %p
  %step = load i32, ptr %b
  %following = add i32 %at, %step
  %more = add i32 %sum, %x)");
  EXPECT_NE(kernel(stepped).loops.at(0).accumulators, 0u);
}

// A state that each iteration goes on with cannot be shared among threads; a
// sum and a counter can.
TEST_F(ReadLoops, AStateIsAChain) {
  auto hasChain = [&](const std::string &body) {
    return kernel(summing(body)).loops.at(0).hasChain;
  };
  EXPECT_TRUE(hasChain(R"(
  %mixed = mul i32 %sum, 1664525
  %high = lshr i32 %sum, 7
  %more = xor i32 %mixed, %high)"));
  EXPECT_FALSE(hasChain(R"(
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load i32, ptr %p
  %more = add i32 %sum, %x)"));
  EXPECT_FALSE(hasChain("  %more = add i32 %sum, 3"));
  // 'j += blockDim.y': the step is computed in each iteration, and the same.
  EXPECT_FALSE(hasChain(R"(
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %more = add i32 %sum, %width
  %p = getelementptr i32, ptr %a, i32 %sum
  store i32 0, ptr %p)"));
  EXPECT_FALSE(hasChain(R"(
  %square = mul i32 %i, %i
  %more = add i32 %sum, %square)"));
}

// Marian's Float2Bit sets a bit for each element, which lanes do together by a
// ballot: the mask of an iteration is known without the one before.
TEST_F(ReadLoops, AMaskThatIsShiftedIsACounter) {
  auto hasChain = [&](const std::string &first, const std::string &next) {
    return kernel("define ptx_kernel void @k(ptr %a, i32 %n) {\n"
                  "entry:\n  br label %loop\n"
                  "loop:\n"
                  "  %i = phi i32 [ 0, %entry ], [ %more, %loop ]\n"
                  "  %bits = phi i32 [ 0, %entry ], [ %all, %loop ]\n"
                  "  %mask = phi i32 [ " +
                  first +
                  ", %entry ], [ %moved, %loop ]\n"
                  "  %p = getelementptr i32, ptr %a, i32 %i\n"
                  "  %x = load i32, ptr %p\n"
                  "  %is = icmp sge i32 %x, 0\n"
                  "  %set = or i32 %bits, %mask\n"
                  "  %all = select i1 %is, i32 %set, i32 %bits\n"
                  "  %moved = " +
                  next +
                  "\n  %more = add i32 %i, 1\n"
                  "  %again = icmp slt i32 %more, 32\n"
                  "  br i1 %again, label %loop, label %after\n"
                  "after:\n  store i32 %all, ptr %a\n  ret void\n}\n")
        .loops.at(0)
        .hasChain;
  };
  EXPECT_FALSE(hasChain("1", "shl i32 %mask, 1"));
  EXPECT_TRUE(hasChain("%n", "shl i32 %mask, 1")) << "the digits of a number";
  EXPECT_TRUE(hasChain("1", "shl i32 %mask, %x"));
}

// Threads have parts of a sum, a maximum, a product; what divides or scales the
// value so far has none, though its loads can be early.
TEST_F(ReadLoops, OneAssociativeOperationMakesNoChain) {
  auto read = [&](const std::string &body) {
    return kernel(summing(R"(
  %p = getelementptr i32, ptr %a, i32 %i
  %x = load i32, ptr %p
)" + body))
        .loops.at(0);
  };
  for (const char *body :
       {"%more = add i32 %sum, %x", "%more = mul i32 %x, %sum",
        "%more = sub i32 %sum, %x", "%more = xor i32 %sum, %x",
        "%big = icmp sgt i32 %x, %sum\n"
        "%more = select i1 %big, i32 %x, i32 %sum",
        "%is = icmp eq i32 %x, 3\n%one = add i32 %sum, 1\n"
        "%more = select i1 %is, i32 %one, i32 %sum"}) {
    EXPECT_EQ(read(body).accumulators, 1u) << body;
    EXPECT_FALSE(read(body).hasChain) << body;
  }
  for (const char *body :
       {"%more = udiv i32 %sum, %x", "%more = sub i32 %x, %sum",
        "%scaled = mul i32 %sum, 31\n%more = add i32 %scaled, %x",
        "%twice = add i32 %sum, %sum\n%more = add i32 %twice, %x",
        "%big = icmp sgt i32 %sum, 9\n%grown = add i32 %sum, %x\n"
        "%more = select i1 %big, i32 0, i32 %grown"}) {
    EXPECT_EQ(read(body).accumulators, 1u) << body;
    EXPECT_TRUE(read(body).hasChain) << body;
  }
  // The number of the iteration says where 'x += step' is.
  EXPECT_FALSE(kernel(summing("%at = getelementptr i8, ptr %a, i32 %sum\n"
                              "store i8 1, ptr %at\n"
                              "%more = mul i32 %sum, %n"))
                   .loops.at(0)
                   .hasChain);
}

// nvcc computes the number of iterations before the first only if the counter
// cannot wrap around. These are the forms of 112 loops in its machine code.
TEST_F(ReadLoops, ACounterMayWrapAroundByAnUnsignedStep) {
  auto mayWrap = [&](const std::string &type, const std::string &step,
                     const std::string &compare = "slt",
                     const std::string &body = "") {
    return kernel("define ptx_kernel void @k(ptr %a, " + type + " %n, " + type +
                  " %step) {\n"
                  "entry:\n  br label %loop\n"
                  "loop:\n"
                  "  %i = phi " +
                  type + " [ 0, %entry ], [ %next, %loop ]\n" + body +
                  "\n  %next = add " + step +
                  "\n"
                  "  %again = icmp " +
                  compare + " " + type +
                  " %next, %n\n"
                  "  br i1 %again, label %loop, label %after\n"
                  "after:\n  ret void\n}\n")
        .loops.at(0)
        .mayWrap;
  };
  const std::string store = "  store i32 1, ptr %a";
  EXPECT_TRUE(mayWrap("i32", "i32 %i, %step"));
  EXPECT_TRUE(mayWrap("i64", "i64 %i, %step", "ult"));
  EXPECT_TRUE(mayWrap("i32", "nsw i32 %i, %step", "ult"));
  EXPECT_FALSE(mayWrap("i32", "nsw i32 %i, %step"));
  EXPECT_TRUE(mayWrap("i32", "i32 %i, 32", "slt", store));
  EXPECT_FALSE(mayWrap("i32", "i32 %i, 32"));
  EXPECT_FALSE(mayWrap("i32", "nsw i32 %i, 32", "slt", store));
  EXPECT_FALSE(mayWrap("i64", "i64 %i, 32", "ult", store));
}

} // namespace warplint
