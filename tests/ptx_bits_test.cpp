// Shifts, bit fields and logic of PTX, by what they give.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxBits : public PtxSums {};

TEST_P(PtxBits, IsExact) { expectExact(); }

INSTANTIATE_TEST_SUITE_P(
    , PtxBits,
    testing::Values(
        PtxSum{"shl.b32 %r1, 1, 32;", 0}, PtxSum{"shr.s32 %r1, -8, 99;", -1},
        PtxSum{"shr.u32 %r1, -8, 1;", 0x7FFFFFFC},
        PtxSum{"mov.u32 %r2, 33; shr.u32 %r1, -8, %r2;", 0},
        PtxSum{"bfe.u32 %r1, 0xABCD, 4, 8;", 0xBC},
        PtxSum{"bfe.s32 %r1, 0xABCD, 4, 8;", int32_t(0xFFFFFFBC)},
        PtxSum{"bfe.s32 %r1, 0x80000000, 28, 16;", -8},
        PtxSum{"bfe.u64 %rd1, 0xABCD, 4, 0;", 0},
        PtxSum{"bfi.b32 %r1, 0xF, 0x12345678, 8, 4;", 0x12345F78},
        PtxSum{"bmsk.clamp.b32 %r1, 4, 3;", 0x70},
        PtxSum{"szext.wrap.s32 %r1, 0xF8, 4;", -8},
        PtxSum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0x96;", 0x96},
        PtxSum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0xE8;", 0xE8},
        PtxSum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0xCA;", 0xCA},
        PtxSum{"lop3.b32 %r1, 0xF0, 0xCC, 0xAA, 0x1D;", int32_t(0xFFFFFF1D)},
        PtxSum{"popc.b64 %r1, -1;", 64}, PtxSum{"clz.b32 %r1, 1;", 31},
        PtxSum{"brev.b32 %r1, 1;", INT32_MIN},
        PtxSum{"bfind.u32 %r1, 0x30;", 5}, PtxSum{"bfind.s32 %r1, -1;", -1},
        PtxSum{"bfind.shiftamt.u32 %r1, 0x30;", 26},
        PtxSum{"shf.l.wrap.b32 %r1, 0x80000000, 1, 33;", 3},
        PtxSum{"shf.r.clamp.b32 %r1, 0, 5, 40;", 5},
        PtxSum{"dp4a.s32.u32 %r1, 0x01FF0203, 0x01010101, 10;", 15}));

} // namespace
