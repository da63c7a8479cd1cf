// Sums, products and moves of PTX, by what they give.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxArithmetic : public PtxSums {};

TEST_P(PtxArithmetic, IsExact) { expectExact(); }

INSTANTIATE_TEST_SUITE_P(
    , PtxArithmetic,
    testing::Values(
        PtxSum{"mul.wide.s32 %rd1, -3, 4;", -12},
        PtxSum{"mul.wide.u32 %rd1, 0xFFFFFFFF, 4;", 0x3FFFFFFFC},
        PtxSum{"mul.hi.s32 %r1, 0x55555556, -9;", -4},
        PtxSum{"mul.hi.u32 %r1, 0x80000000, 6;", 3},
        PtxSum{"mad.lo.s32 %r1, 7, -5, 3;", -32},
        PtxSum{"mad.wide.s32 %rd1, -7, 5, 3;", -32},
        PtxSum{"mul24.lo.s32 %r1, 0x01FFFFFF, 3;", -3},
        PtxSum{"mul24.hi.u32 %r1, 0x00FFFFFF, 0x00FFFFFF;",
               int32_t(0xFFFFFE00)},
        PtxSum{"sad.s32 %r1, -3, 4, 10;", 17}, PtxSum{"cnot.b32 %r1, 0;", 1},
        PtxSum{"mov.b64 %rd1, {1, 2};", 0x200000001},
        PtxSum{"mov.b64 {%r2, %r1}, 0x500000004;", 5},
        PtxSum{"mov.u32 %r2, WARP_SZ; add.s32 %r1, %r2, (2+3*4)<<1;", 60},
        PtxSum{"sub.cc.u32 %r2, 1, 2; subc.u32 %r1, 5, 1;", 3},
        PtxSum{"add.cc.u32 %r2, -1, 1; addc.u32 %r1, 5, 1;", 7}));

} // namespace

class PtxTypes : public PtxReader {};

// Found by a fuzzer: LLVM's comparison of a float with null is invalid.
TEST_F(PtxTypes, AnInstructionThatPtxLacksIsUnknown) {
  for (const std::string text :
       {"cnot.f32 %f1, %f2;", "not.f32 %f1, %f2;", "and.f32 %f1, %f2, %f3;",
        "sad.f32 %f1, %f2, %f3, %f4;", "shl.f32 %f1, %f2, %r1;",
        "popc.f32 %f1, %f2;", "rem.f32 %f1, %f2, %f3;",
        "copysign.s32 %f1, %r2, %r3;", "sqrt.rn.s32 %f1, %r2;",
        "fma.rn.s32 %f1, %r2, %r3, %r4;"}) {
    SCOPED_TRACE(text);
    llvm::Function &f = kernel("ld.param.u64 %rd1, [p0];\n" + text +
                               "\nst.global.f32 [%rd1], %f1;\nret;");
    const auto stores = all<llvm::StoreInst>(f);
    ASSERT_EQ(stores.size(), 1u);
    EXPECT_NE(spell(stores[0]->getValueOperand()).find("ptx."),
              std::string::npos)
        << spell(stores[0]->getValueOperand());
  }
}
