// Facts of single accesses in IR: what the hardware does with an atomic, which
// memory a pointer leads to.
#include "ir_kernel.h"

namespace warplint {

class AccessFacts : public IrKernel {};

// A warp that adds a constant, or asks for no old value, makes one request of
// 32: `contended-atomic` would otherwise report it.
TEST_F(AccessFacts, PtxasCombinesIntegersOfFourBytesWithUnusedResults) {
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
TEST_F(AccessFacts, IntegersOfFourBytesAreNativeAtomics) {
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
TEST_F(AccessFacts, AnAtomicIsASumOrNotAndItsResultUsedOrNot) {
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

// One lane would be told to update for its warp, where no update stands for
// several.
TEST_F(AccessFacts, NoUpdateStandsForSeveralSwapsOrWrappingCounters) {
  auto standsAlone = [&](std::string atomic) {
    Kernel read = straight(atomic + "\n");
    EXPECT_EQ(read.accesses.size(), 1u) << atomic;
    return !read.accesses.empty() && read.accesses[0].standsAlone;
  };
  EXPECT_TRUE(standsAlone("%x = cmpxchg ptr %a, i32 0, i32 1 monotonic "
                          "monotonic"));
  EXPECT_TRUE(standsAlone("%x = atomicrmw uinc_wrap ptr %a, i32 17 monotonic"));
  EXPECT_TRUE(standsAlone("%x = atomicrmw udec_wrap ptr %a, i32 %n monotonic"));

  EXPECT_FALSE(standsAlone("%x = atomicrmw uinc_wrap ptr %a, i32 -1 "
                           "monotonic"));
  EXPECT_FALSE(standsAlone("%x = atomicrmw add ptr %a, i32 1 monotonic"));
  EXPECT_FALSE(standsAlone("%x = atomicrmw xchg ptr %a, i32 1 monotonic"));
}

// `p ? p : nullptr` was dereferenced, so it was p: with both ways the address
// would be unknown.
TEST_F(AccessFacts, ADereferencedAddressIsNotNull) {
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

TEST_F(AccessFacts, AnAddressThatMayBeNullOnOnePathIsNotNull) {
  Kernel read = kernel(R"(
define ptx_kernel void @k(ptr %a, i1 %c) {
entry:
  br i1 %c, label %some, label %after
some:
  br label %after
after:
  %p = phi ptr [ null, %entry ], [ %a, %some ]
  %x = load i32, ptr %p
  ret void
}
)");
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.graph.node(read.accesses[0].address).op, Op::Base);
}

// A wrong space gives figures of another memory: banks instead of sectors.
TEST_F(AccessFacts, ThePointersAddressSpaceOrItsObjectTellsTheMemory) {
  Kernel read = kernel(R"(
@tile = internal addrspace(3) global [4 x i32] undef
@table = addrspace(4) constant [4 x i32] zeroinitializer
@counter = addrspace(1) global i32 0
define ptx_kernel void @k(ptr %a, ptr byval([4 x i32]) %rows, i64 %i) {
  %generic = addrspacecast ptr addrspace(3) @tile to ptr
  %b = getelementptr i32, ptr %rows, i64 %i
  %x0 = load i32, ptr %a
  %x1 = load i32, ptr %generic
  %x2 = load i32, ptr addrspace(4) @table
  %x3 = load i32, ptr addrspace(1) @counter
  %x4 = load i32, ptr %b
  %x5 = load i32, ptr addrspace(5) null
  %p = inttoptr i64 %i to ptr
  %x6 = load i32, ptr %p
  ret void
}
)");
  std::vector<Space> spaces;
  for (const Access &access : read.accesses)
    spaces.push_back(access.space);
  EXPECT_THAT(spaces, testing::ElementsAre(Space::Global, Space::Shared,
                                           Space::Constant, Space::Global,
                                           Space::Parameter, Space::Local,
                                           Space::Unknown));
}

// An atomic there is not one of L2's: a histogram that a cluster shares was
// predicted to take as long as one in global memory.
TEST_F(AccessFacts, WhatAClusterMapsIsSharedMemory) {
  auto spaceAt = [&](const std::string &address) {
    Kernel read = straight(address + "\n%x = atomicrmw add ptr %p, i32 1 "
                                     "monotonic",
                           "declare ptr @llvm.nvvm.mapa(ptr, i32)\n"
                           "declare i64 @ptx.mapa.u64(i64, i32)\n"
                           "declare i64 @ptx.other(i64, i32)\n");
    EXPECT_EQ(read.accesses.size(), 1u) << address;
    return read.accesses.empty() ? Space::Unknown : read.accesses[0].space;
  };
  EXPECT_EQ(spaceAt("%m = call ptr @llvm.nvvm.mapa(ptr %a, i32 %n)\n"
                    "%p = getelementptr i32, ptr %m, i32 %n"),
            Space::Shared);
  // As PTX has it: an index is added to a number.
  const auto added = [](const std::string &callee) {
    return "%w = ptrtoint ptr %a to i64\n"
           "%m = call i64 @ptx." +
           callee +
           "(i64 %w, i32 %n)\n"
           "%e = sext i32 %n to i64\n"
           "%s = add i64 %m, %e\n"
           "%p = inttoptr i64 %s to ptr";
  };
  EXPECT_EQ(spaceAt(added("mapa.u64")), Space::Shared);
  EXPECT_EQ(spaceAt(added("other")), Space::Unknown);
}

} // namespace warplint
