// One kernel's IR to the model: what checks are told of accesses, loops and
// what could not be followed.
#include "ir/needed_loads.h"
#include "ir/normalise.h"
#include "ir/read_ir.h"
#include "ir_text.h"
#include <gmock/gmock.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace warplint {

namespace {

const char *declarations = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()
)";

class ReadIr : public testing::Test {
protected:
  std::vector<Kernel> kernels(const std::string &text) {
    module_ = parseIr(text + declarations, context_);
    std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*module_);
    return readKernels(*module_, *target, names_);
  }

  Kernel kernel(const std::string &text) {
    std::vector<Kernel> all = kernels(text);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Kernel() : std::move(all.front());
  }

  /// A kernel of one block with three arguments.
  Kernel straight(const std::string &body, const std::string &more = "") {
    return kernel("define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {\n" +
                  body + "\n  ret void\n}\n" + more);
  }

  /// A kernel whose loop asks for another iteration at its end.
  Kernel loop(const std::string &body, const std::string &more = "",
              const std::string &metadata = "") {
    return kernel(R"(
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
)" + body + R"(
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %after)" +
                  metadata + R"(
after:
  ret void
}
)" + more);
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  Names names_;
};

} // namespace

TEST_F(ReadIr, onlyKernelsWithABodyAreKernels) {
  std::vector<Kernel> all = kernels(R"(
declare ptx_kernel void @elsewhere(ptr)
define void @helper(ptr %a) {
  store i32 1, ptr %a
  ret void
}
define ptx_kernel void @k(ptr %a) {
  ret void
}
)");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].mangled, "k");
}

// --- accesses ---------------------------------------------------------------

TEST_F(ReadIr, anAccessHasItsOperationItsBytesAndItsSpace) {
  Kernel read = straight(R"(
  %x = load <4 x float>, ptr %a
  store i16 1, ptr addrspace(3) @tile
  %y = load volatile i64, ptr addrspace(1) null
  %c = load i32, ptr addrspace(4) @table
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 4096, i1 false)
)",
                         R"(
@tile = internal addrspace(3) global i16 undef
@table = addrspace(4) constant i32 7
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
)");
  ASSERT_EQ(read.accesses.size(), 6u);
  auto is = [&](unsigned i, Operation operation, unsigned bytes, Space space) {
    const Access &access = read.accesses[i];
    EXPECT_EQ(access.operation, operation) << i;
    EXPECT_EQ(access.bytes, bytes) << i;
    EXPECT_EQ(access.space, space) << i;
    EXPECT_EQ(access.isVolatile, i == 2) << i;
  };
  is(0, Operation::Load, 16, Space::Global);
  is(1, Operation::Store, 2, Space::Shared);
  is(2, Operation::Load, 8, Space::Global);
  is(3, Operation::Load, 4, Space::Constant);
  is(4, Operation::Load, 0, Space::Global);
  is(5, Operation::Store, 0, Space::Global);
}

// A copy was made volatile so that no pass takes it apart; the source did not
// say `volatile`, and `check` must not treat it so.
TEST_F(ReadIr, aSplitCopyIsNotVolatile) {
  Kernel read =
      straight("%x = load volatile i32, ptr %a, !warplint.copy !0", "!0 = !{}");
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_FALSE(read.accesses[0].isVolatile);
}

TEST_F(ReadIr, theCompilersOwnTemporariesAreNoAccesses) {
  Kernel read = straight(R"(
  %spill = alloca i32
  store i32 %n, ptr %spill
  %x = load i8, ptr @text
  %y = load i32, ptr %a
)",
                         "@text = private constant i8 65");
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].object, "a");
}

// A warp that adds a constant, or asks for no old value, makes one request of
// 32: `contended-atomic` would otherwise report it.
TEST_F(ReadIr, ptxasCombinesIntegersOfFourBytesWhoseResultNobodyUses) {
  auto isCombined = [&](const std::string &atomic) {
    Kernel read = straight(atomic);
    EXPECT_EQ(read.accesses.size(), 1u) << atomic;
    return !read.accesses.empty() && read.accesses[0].isCombined;
  };
  EXPECT_TRUE(isCombined("%x = atomicrmw add ptr %a, i32 %n monotonic"));
  EXPECT_TRUE(isCombined("%x = atomicrmw umax ptr %a, i32 %n monotonic"));
  EXPECT_TRUE(isCombined("%x = atomicrmw xor ptr %a, i32 %n monotonic"));
  // The old value of a constant's sum is worked out from the lane's position.
  EXPECT_TRUE(isCombined("%x = atomicrmw add ptr %a, i32 1 monotonic\n"
                         "%y = add i32 %x, 1"));
  EXPECT_TRUE(isCombined("%x = atomicrmw add ptr %a, i64 1 monotonic"));

  EXPECT_FALSE(isCombined("%x = atomicrmw add ptr %a, i32 %n monotonic\n"
                          "%y = add i32 %x, 1"));
  EXPECT_FALSE(isCombined("%w = sext i32 %n to i64\n"
                          "%x = atomicrmw add ptr %a, i64 %w monotonic"));
  EXPECT_FALSE(isCombined("%x = atomicrmw fadd ptr %a, float 1.0 monotonic"));
  EXPECT_FALSE(isCombined("%x = atomicrmw xchg ptr %a, i32 %n monotonic"));
  EXPECT_FALSE(isCombined("%x = cmpxchg ptr %a, i32 0, i32 1 monotonic "
                          "monotonic"));
  EXPECT_FALSE(isCombined("%x = load i32, ptr %a"));
}

// Shared memory does these by itself; the fix for others is another.
TEST_F(ReadIr, integersOfFourBytesAreNativeAtomics) {
  auto isNative = [&](const std::string &atomic) {
    Kernel read = straight(atomic);
    EXPECT_EQ(read.accesses.size(), 1u) << atomic;
    return !read.accesses.empty() && read.accesses[0].isNativeAtomic;
  };
  EXPECT_TRUE(isNative("%x = atomicrmw add ptr %a, i32 %n monotonic"));
  EXPECT_TRUE(isNative("%x = atomicrmw xchg ptr %a, i32 %n monotonic"));
  EXPECT_TRUE(isNative("%x = cmpxchg ptr %a, i32 0, i32 1 monotonic "
                       "monotonic"));

  EXPECT_FALSE(isNative("%x = atomicrmw add ptr %a, i64 1 monotonic"));
  EXPECT_FALSE(isNative("%x = atomicrmw fadd ptr %a, float 1.0 monotonic"));
  EXPECT_FALSE(isNative("%x = cmpxchg ptr %a, i64 0, i64 1 monotonic "
                        "monotonic"));
  EXPECT_FALSE(isNative("%x = load i32, ptr %a"));
}

// Only sums are advised to be reduced within the warp first.
TEST_F(ReadIr, anAtomicSaysWhetherItAddsAndWhetherItsResultIsUsed) {
  Kernel read = straight(R"(
  %x = atomicrmw fadd ptr %a, float 1.0 monotonic
  %y = atomicrmw umax ptr %b, i32 %n monotonic
  %z = add i32 %y, 1
)");
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_TRUE(read.accesses[0].isSum);
  EXPECT_FALSE(read.accesses[0].resultUsed);
  EXPECT_FALSE(read.accesses[1].isSum);
  EXPECT_TRUE(read.accesses[1].resultUsed);
}

TEST_F(ReadIr, aStoreOfWhatItsLoopDoesNotMakeStoresTheSame) {
  Kernel read = loop("store i32 %n, ptr %a\nstore i32 %i, ptr %b");
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_TRUE(read.accesses[0].storesSame);
  EXPECT_FALSE(read.accesses[1].storesSame);
  // Without a loop a constant alone: an argument may be a flag to be kept.
  Kernel plain = straight("store i32 0, ptr %a\nstore i32 %n, ptr %b");
  ASSERT_EQ(plain.accesses.size(), 2u);
  EXPECT_TRUE(plain.accesses[0].storesSame);
  EXPECT_FALSE(plain.accesses[1].storesSame);
}

TEST_F(ReadIr, anAsynchronousCopyLoadsAndStores) {
  Kernel read = straight(
      "call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) "
      "@tile, ptr addrspace(1) null)",
      "@tile = internal addrspace(3) global [4 x float] undef\n"
      "declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), "
      "ptr addrspace(1))");
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_EQ(read.accesses[0].space, Space::Global);
  EXPECT_EQ(read.accesses[1].space, Space::Shared);
  for (const Access &access : read.accesses) {
    EXPECT_TRUE(access.isAsync);
    EXPECT_EQ(access.bytes, 16u);
  }
}

TEST_F(ReadIr, inlineAssemblyAddressesWhatItsOperandsSay) {
  Kernel read = straight("%x = call float asm sideeffect "
                         "\"ld.global.nc.f32 $0, [$1+16];\", \"=f,l\"(ptr %a)");
  ASSERT_EQ(read.accesses.size(), 1u);
  const Access &access = read.accesses[0];
  EXPECT_EQ(access.bytes, 4u);
  EXPECT_EQ(access.space, Space::Global);
  const ExpressionGraph &graph = read.graph;
  ASSERT_EQ(graph.node(access.address).op, Op::Add);
  EXPECT_EQ(graph.node(graph.operand(access.address, 0)).op, Op::Base);
  EXPECT_TRUE(graph.isConstant(graph.operand(access.address, 1), 16));
}

// `p ? p : nullptr` was dereferenced, so it was p: with both ways the address
// would be unknown.
TEST_F(ReadIr, thatAnAddressMayBeNullIsLeftOut) {
  Kernel read = straight(R"(
  %fits = icmp slt i32 %n, 100
  %p = select i1 %fits, ptr %a, ptr null
  %q = getelementptr i32, ptr %p, i64 2
  %x = load i32, ptr %q
)");
  ASSERT_EQ(read.accesses.size(), 1u);
  const ExpressionGraph &graph = read.graph;
  const ValueId address = read.accesses[0].address;
  ASSERT_EQ(graph.node(address).op, Op::Add);
  EXPECT_EQ(graph.node(graph.operand(address, 0)).op, Op::Base);
}

TEST_F(ReadIr, whatTheOptimiserDoesWithoutIsNotNeededEachTime) {
  const char *load = "%x = load i32, ptr %a, !warplint.";
  EXPECT_EQ(
      loop(std::string(load) + "hoisted !0", "!0 = !{}").accesses.at(0).need,
      Need::Once);
  // Removed from a loop, with an address that stays: the value is carried.
  EXPECT_EQ(
      loop(std::string(load) + "removed !0", "!0 = !{}").accesses.at(0).need,
      Need::Once);
  EXPECT_EQ(straight(std::string(load) + "removed !0", "!0 = !{}")
                .accesses.at(0)
                .need,
            Need::Never);
  EXPECT_EQ(loop("%x = load i32, ptr %a").accesses.at(0).need, Need::EachTime);
}

// Two sides of a branch are never one request; what stands before and after
// it, without a barrier in between, may be.
TEST_F(ReadIr, accessesOfOneRegionAreExecutedTogether) {
  Kernel read = kernel(R"(
define ptx_kernel void @k(ptr %a, i1 %c) {
entry:
  store i32 1, ptr %a
  br i1 %c, label %in, label %after
in:
  store i32 2, ptr %a
  br label %after
after:
  store i32 3, ptr %a
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 4, ptr %a
  ret void
}
)");
  ASSERT_EQ(read.accesses.size(), 4u);
  EXPECT_EQ(read.accesses[0].region, read.accesses[2].region);
  EXPECT_NE(read.accesses[0].region, read.accesses[1].region);
  EXPECT_EQ(read.accesses[2].barrierInterval, 0u);
  EXPECT_EQ(read.accesses[3].barrierInterval, 1u);
}

// --- loops ------------------------------------------------------------------

// A value may not stay in a register across a barrier, and what repeats around
// one is an algorithm in steps.
TEST_F(ReadIr, aLoopKnowsTheBarriersInIt) {
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
TEST_F(ReadIr, aLoopKnowsTheFencesInIt) {
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

TEST_F(ReadIr, aBarrierBesideALoopIsNotInIt) {
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

TEST_F(ReadIr, anOuterLoopHasTheBarrierOfItsInnerLoop) {
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

TEST_F(ReadIr, aLoopSaysWhatItComparesWith) {
  Loop read = loop("store i32 %i, ptr %a").loops.at(0);
  EXPECT_FALSE(read.tripCount);
  EXPECT_TRUE(read.hasBound);
}

// LLVM counts the last question as well: one iteration too many would change
// every figure of a short loop.
TEST_F(ReadIr, theLastQuestionOfALoopIsNoIteration) {
  Kernel asksFirst = kernel(R"(
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
  EXPECT_EQ(asksFirst.loops.at(0).tripCount, 10u);
  Kernel asksLast = kernel(R"(
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
  EXPECT_EQ(asksLast.loops.at(0).tripCount, 10u);
}

TEST_F(ReadIr, aLoopHasThePragmaThatStandsAboveIt) {
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

// --- what is not followed ---------------------------------------------------

TEST_F(ReadIr, aCallWithoutABodyStandsForItsAccesses) {
  Kernel read = straight("call void @_Z4scanPi(ptr %a)\n"
                         "%x = call float @__nv_sinf(float 1.0)",
                         "declare void @_Z4scanPi(ptr)\n"
                         "declare float @__nv_sinf(float)");
  EXPECT_THAT(read.notFollowed, ElementsAre("'scan', which has no body here"));
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.graph.node(read.accesses[0].address).op, Op::Varying);
}

TEST_F(ReadIr, recursionIsSaidOnceWithItsAccesses) {
  Kernel read = straight("call void @deep(ptr %a, i32 %n)",
                         R"(
define void @deep(ptr %p, i32 %n) {
  store i32 %n, ptr %p
  call void @deep(ptr %p, i32 %n)
  ret void
})");
  EXPECT_THAT(read.notFollowed, ElementsAre("recursion in 'deep'"));
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].operation, Operation::Store);
  EXPECT_EQ(read.accesses[0].space, Space::Unknown);
}

// Textures and fragments have layouts of their own: they are listed, and no
// reason why the kernel was read in part.
TEST_F(ReadIr, texturesAndFragmentsAreListedWithoutFigures) {
  Kernel read =
      straight("%t = call { i32, i32, i32, i32 } "
               "@llvm.nvvm.tex.unified.1d.v4s32.s32(i64 0, i32 %n)\n"
               "call void @ptx.ldmatrix.sync(ptr addrspace(3) @tile)",
               "@tile = internal addrspace(3) global [64 x float] undef\n"
               "declare { i32, i32, i32, i32 } "
               "@llvm.nvvm.tex.unified.1d.v4s32.s32(i64, i32)\n"
               "declare void @ptx.ldmatrix.sync(ptr addrspace(3))");
  EXPECT_THAT(read.notFollowed, IsEmpty());
  ASSERT_EQ(read.accesses.size(), 2u);
  EXPECT_EQ(read.accesses[0].space, Space::Texture);
  EXPECT_EQ(read.accesses[1].space, Space::Shared);
}

// --- places and names -------------------------------------------------------

namespace {

/// A store in `at` of lib.h, line 7, called from line 3 of user.cu.
const char *inlined = R"(
define ptx_kernel void @k(ptr %a) !dbg !5 {
  %own = alloca [3 x float]
    #dbg_declare(ptr %own, !10, !DIExpression(), !7)
  store i32 1, ptr %a, !dbg !6
  call void @warplint.passed(ptr %own), !dbg !14
  ret void
}
declare void @warplint.passed(ptr)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "user.cu", directory: "/src")
!2 = !DIFile(filename: "../lib/./lib.h", directory: "/src")
!4 = distinct !DISubprogram(name: "at", file: !2, line: 6, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "k", file: !1, line: 2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 7, column: 5, scope: !4, inlinedAt: !7)
!7 = distinct !DILocation(line: 3, column: 9, scope: !5)
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = !DILocalVariable(name: "weights", scope: !5, file: !1, line: 2, type: !11)
!11 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 96, elements: !13)
!12 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!13 = !{!15}
!14 = !DILocation(line: 6, column: 1, scope: !4, inlinedAt: !7)
!15 = !DISubrange(count: 3)
)";

} // namespace

TEST_F(ReadIr, aPlaceIsWhereTheInstructionStandsAndWhoCalled) {
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].place, (Place{"/lib/lib.h", 7, 5}));
  EXPECT_THAT(read.accesses[0].callSites,
              ElementsAre(Place{"/src/user.cu", 3, 9}));
  EXPECT_FALSE(read.accesses[0].inLibrary);
}

// A finding in a library's header would be one that the user cannot act on.
TEST_F(ReadIr, whatALibraryDoesIsShownWhereTheUserCalledIt) {
  names_.systemFiles.insert("/lib/lib.h");
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].place, (Place{"/src/user.cu", 3, 9}));
  EXPECT_THAT(read.accesses[0].callSites, IsEmpty());
  EXPECT_TRUE(read.accesses[0].inLibrary);
  EXPECT_FALSE(read.accesses[0].noUserCode);
}

TEST_F(ReadIr, anAccessHasTheNameThatTheAstHasAtItsPlace) {
  names_.stores.add({"/lib/lib.h", 7, 5}, {.text = "p[i]", .object = "p"});
  EXPECT_EQ(kernel(inlined).accesses.at(0).text, "p[i]");
}

// `local-array` says which array it is and to which function it went.
TEST_F(ReadIr, anArrayOfTheThreadsOwnHasItsTypeAndWhoGotIt) {
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.arrays.size(), 1u);
  EXPECT_EQ(read.arrays[0].name, "weights");
  EXPECT_EQ(read.arrays[0].type, "float[3]");
  EXPECT_EQ(read.arrays[0].bytes, 12u);
  EXPECT_EQ(read.arrays[0].place.line, 2u);
  EXPECT_EQ(read.arrays[0].passedTo, "at");
  EXPECT_EQ(read.arrays[0].passedAt, (Place{"/src/user.cu", 3, 9}));
}

// The fix for a captured bound is `const` or a template argument, by this fact.
TEST_F(ReadIr, theBoundOfALoopIsWhatTheAstCapturedThere) {
  auto bound = [&](std::optional<CapturedVariable> captured) {
    names_.loopBounds[{"/src/user.cu", 3, 9}] = {"n", captured};
    return loop("", R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "user.cu", directory: "/src")
!5 = distinct !DISubprogram(name: "k", file: !1, line: 2, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !{!6, !7, !7}
!7 = !DILocation(line: 3, column: 9, scope: !5)
!9 = !{i32 2, !"Debug Info Version", i32 3}
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

} // namespace warplint
