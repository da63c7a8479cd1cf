#include "ir/inline_asm.h"
#include <gtest/gtest.h>

using namespace warplint;

static std::vector<std::string> lost;
static std::vector<AsmAccess> read(llvm::StringRef text) {
  lost.clear();
  return readInlineAsm(text, lost);
}

TEST(InlineAsm, LoadsAndStoresOfAnyWidthAreRead) {
  auto load =
      read("ld.global.nc.L1::no_allocate.v4.f32 {$0, $1, $2, $3}, [$4];");
  ASSERT_EQ(load.size(), 1u);
  EXPECT_EQ(load[0].operation, Operation::Load);
  EXPECT_EQ(load[0].space, Space::Global);
  EXPECT_EQ(load[0].bytes, 16u);
  EXPECT_EQ(load[0].operand, 4u);
  auto store = read("st.volatile.shared::cta.b8 [ $0 + 16 ], $1;");
  ASSERT_EQ(store.size(), 1u);
  EXPECT_EQ(store[0].operation, Operation::Store);
  EXPECT_EQ(store[0].space, Space::Shared);
  EXPECT_EQ(store[0].bytes, 1u);
  EXPECT_TRUE(store[0].isVolatile);
  EXPECT_EQ(read("ld.u64 $0, [$1];").at(0).space, Space::Unknown);
}

// "Read again in every iteration" of a flag that another block sets.
TEST(InlineAsm, WhatOthersMaySeeIsVolatile) {
  for (const char *text :
       {"ld.relaxed.gpu.u32 $0, [$1];", "ld.acquire.sys.b32 $0, [$1];",
        "st.release.gpu.u32 [$0], $1;", "ld.mmio.relaxed.sys.u32 $0, [$1];"})
    EXPECT_TRUE(read(text).at(0).isVolatile) << text;
  EXPECT_FALSE(read("ld.global.nc.u32 $0, [$1];").at(0).isVolatile);
}

TEST(InlineAsm, AnOffsetBelongsToTheAddress) {
  EXPECT_EQ(read("st.global.cs.f32 [$0+16], $1;").at(0).offset, 16);
  EXPECT_EQ(read("ld.global.f32 $0, [$1 + -4];").at(0).offset, -4);
  EXPECT_EQ(read("ld.shared.f32 $0, [$1];").at(0).offset, 0);
  auto copy = read("cp.async.cg.shared.global [$0+0x20], [$1+64], 16;");
  ASSERT_EQ(copy.size(), 2u);
  EXPECT_EQ(copy[0].offset, 64);
  EXPECT_EQ(copy[1].offset, 32);
  // The value of the second operand is unknown here.
  EXPECT_TRUE(read("ld.global.f32 $0, [$1+$2];").empty());
  EXPECT_FALSE(lost.empty());
}

TEST(InlineAsm, AtomicsOfPackedHalvesAreRead) {
  auto half = read("red.global.add.noftz.f16x2 [$0], $1;");
  ASSERT_EQ(half.size(), 1u);
  EXPECT_EQ(half[0].operation, Operation::Atomic);
  EXPECT_EQ(half[0].bytes, 4u);
  EXPECT_EQ(read("atom.add.noftz.bf16 $0, [$1], $2;").at(0).bytes, 2u);
  EXPECT_EQ(read("red.global.add.v2.bf16x2 [$0], {$1, $2};").at(0).bytes, 8u);
}

TEST(InlineAsm, AsynchronousCopiesReadAndWrite) {
  auto copy = read("cp.async.ca.shared.global [$0], [$1], 8;\n");
  ASSERT_EQ(copy.size(), 2u);
  EXPECT_EQ(copy[0].operation, Operation::Load);
  EXPECT_EQ(copy[0].space, Space::Global);
  EXPECT_EQ(copy[0].operand, 1u);
  EXPECT_EQ(copy[0].bytes, 8u);
  EXPECT_TRUE(copy[0].isAsync);
  EXPECT_EQ(copy[1].operation, Operation::Store);
  EXPECT_EQ(copy[1].space, Space::Shared);
  EXPECT_EQ(copy[1].operand, 0u);
}

// As CUTLASS writes it, with the size in an operand of its own: 4, 8 or 16.
TEST(InlineAsm, ASizeInAnOperandIsUnknown) {
  auto copy = read("cp.async.ca.shared.global [$0], [$1], $2, $3;");
  ASSERT_EQ(copy.size(), 2u);
  EXPECT_EQ(copy[0].bytes, 0u);
  EXPECT_EQ(copy[0].bytesOperand, 2u);
  EXPECT_EQ(read("cp.async.cg.shared.global [$0], [$1], $2;").at(0).bytes, 16u);
}

TEST(InlineAsm, PredicatesAndBracesMayPrecedeInstructions) {
  auto load = read("{\n .reg .pred p;\n setp.ne.b32 p, $2, 0;\n"
                   " @p ld.global.b128 $0, [$1];\n}\n");
  ASSERT_EQ(load.size(), 1u);
  EXPECT_EQ(load[0].bytes, 16u);
  EXPECT_EQ(load[0].operand, 1u);
}

TEST(InlineAsm, UnreadableInstructionsAreNamed) {
  EXPECT_TRUE(read("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                   ".mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];")
                  .empty());
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_NE(lost[0].find("tensor"), std::string::npos);
  EXPECT_TRUE(read("ld.global.f32 $0, [%rd1];").empty());
  EXPECT_EQ(lost.size(), 1u);
  EXPECT_TRUE(read("prefetch.global.L2 [$0];").empty());
  EXPECT_TRUE(lost.empty());
  EXPECT_TRUE(read("bar.sync 0;").empty());
  EXPECT_TRUE(lost.empty());
  EXPECT_TRUE(read("@p").empty());
  EXPECT_TRUE(read("ld.global.f32 $0, [").empty());
}

// As desul writes its atomics: counted twice, they would cost twice.
TEST(InlineAsm, AccessesUnderAPredicateAndItsNegationCountOnce) {
  auto both = read("{\n\t.reg .pred p;\n\tisspacep.global p, $0;\n\t"
                   "@p red.add.global.relaxed.gpu.f32 [$0],$1;\n\t"
                   "@!p red.add.relaxed.gpu.f32 [$0],$1;\n\t}\n\t");
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].operation, Operation::Atomic);
  EXPECT_EQ(both[0].space, Space::Unknown);
  EXPECT_EQ(
      read("@p st.global.f32 [$0], $1;\n@!p st.global.f32 [$0+4], $1;").size(),
      2u);
  EXPECT_EQ(
      read("@p ld.global.f32 $1, [$0];\n@!q ld.global.f32 $1, [$0];").size(),
      2u);
}

// Eight lanes give the rows of each matrix of 8 x 8 halves.
TEST(InlineAsm, MatricesAreRowsOf16BytesOfTheFirstLanes) {
  auto load = read("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                   "{$0, $1, $2, $3}, [$4];");
  ASSERT_EQ(load.size(), 1u);
  EXPECT_EQ(load[0].operation, Operation::Load);
  EXPECT_EQ(load[0].space, Space::Shared);
  EXPECT_EQ(load[0].bytes, 16u);
  EXPECT_EQ(load[0].operand, 4u);
  EXPECT_EQ(load[0].lanes, 32u);
  auto store = read("stmatrix.sync.aligned.m8n8.x2.shared.b16 [$0], {$1, $2};");
  ASSERT_EQ(store.size(), 1u);
  EXPECT_EQ(store[0].operation, Operation::Store);
  EXPECT_EQ(store[0].lanes, 16u);
  EXPECT_EQ(
      read("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];").at(0).lanes,
      8u);
  // Packed formats have other rows.
  EXPECT_TRUE(read("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 "
                   "{$0}, [$1];")
                  .empty());
  EXPECT_EQ(lost.size(), 1u);
}

TEST(InlineAsm, BulkCopiesReadAndWriteTheirSize) {
  auto in = read("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                 "bytes [$0], [$1], $2, [$3];");
  ASSERT_EQ(in.size(), 2u);
  EXPECT_EQ(in[0].space, Space::Global);
  EXPECT_EQ(in[0].operand, 1u);
  EXPECT_EQ(in[0].bytesOperand, 2u);
  EXPECT_TRUE(in[0].isAsync);
  EXPECT_EQ(in[1].operation, Operation::Store);
  EXPECT_EQ(in[1].space, Space::Shared);
  auto out =
      read("cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], 512;");
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].space, Space::Shared);
  EXPECT_EQ(out[0].bytes, 512u);
  EXPECT_EQ(out[1].space, Space::Global);
  EXPECT_EQ(out[1].operand, 0u);
  EXPECT_TRUE(read("cp.async.bulk.prefetch.L2.global [$0], 64;").empty());
  EXPECT_TRUE(lost.empty());
}

TEST(InlineAsm, MulticastMemoryIsGlobal) {
  auto sum = read("multimem.ld_reduce.relaxed.sys.global.add.acc::f32.v4.f16x2 "
                  "{$0, $1, $2, $3}, [$4];");
  ASSERT_EQ(sum.size(), 1u);
  EXPECT_EQ(sum[0].operation, Operation::Load);
  EXPECT_EQ(sum[0].space, Space::Global);
  EXPECT_EQ(sum[0].bytes, 16u);
  EXPECT_EQ(sum[0].operand, 4u);
  EXPECT_EQ(
      read("multimem.st.global.v4.f32 [$0], {$1, $2, $3, $4};").at(0).operation,
      Operation::Store);
  EXPECT_EQ(read("multimem.red.relaxed.sys.add.u32 [$0], $1;").at(0).operation,
            Operation::Atomic);
}
