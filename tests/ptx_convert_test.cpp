// Comparisons and conversions of PTX, by what they give.
#include "ptx_reader.h"

using namespace warplint;

namespace {

class PtxConvert : public PtxSums {};

TEST_P(PtxConvert, IsExact) { expectExact(); }

INSTANTIATE_TEST_SUITE_P(
    , PtxConvert,
    testing::Values(
        PtxSum{"slct.u32.s32 %r1, 1, 2, -5;", 2},
        PtxSum{"set.lt.u32.s32 %r1, -1, 0;", -1},
        PtxSum{"setp.lt.u32 %p1|%p2, -1, 0; selp.u32 %r1, 1, 2, %p2;", 1},
        PtxSum{"setp.lt.s32 %p3, 0, 1; setp.eq.and.s32 %p1, 5, 5, !%p3; "
               "selp.u32 %r1, 1, 2, %p1;",
               2},
        PtxSum{"cvt.s32.s8 %r1, 0x1FE;", -2},
        PtxSum{"cvt.u32.u8 %r1, 0x1FE;", 254},
        PtxSum{"cvt.sat.s8.s32 %r1, 300;", 127},
        PtxSum{"cvt.sat.u8.s32 %r1, -300;", 0},
        PtxSum{"cvt.s64.s32 %rd1, -1;", -1},
        PtxSum{"cvt.u64.u32 %rd1, -1;", 0xFFFFFFFF},
        PtxSum{"cvt.rzi.s32.f32 %r1, 0fC0200000;", -2}));

} // namespace
