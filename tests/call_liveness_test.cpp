// The registers that hold values across a call: nvdisasm shows most of them as
// clobbered, so a kernel that divides would seem to need fewer than it does.
#include "machine/live_registers.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

// As nvdisasm 13.0 shows the slow path of a division: R3 is its argument, R0
// its result, R4 and R5 are the caller's, R16 is nobody's.
// clang-format off
const char *const slowPath = R"(
	.section	.text.k,"ax",@progbits
                                                        // |        GPR          |
                                                        // |    00000000001111111  |
                                                        // |  # 01234567890123456  |
        /*0000*/  LDC R1, c[0x0][0x28] ;                // |  1  ^                 |
        /*0010*/  LDC.64 R4, c[0x0][0x210] ;            // |  3  :  ^^             |
        /*0020*/  S2R R3, SR_TID.X ;                    // |  4  : ^::             |
        /*0030*/  MOV R6, 0x50 ;                        // |  2  :    ^            |
        /*0040*/  CALL.REL.NOINC `($__internal_0_$__cuda_slowpath) ; // |  8 ^::^^^^^         |
        /*0050*/  STG.E desc[UR4][R4.64], R0 ;          // |  4 v:  vv             |
        /*0060*/  EXIT ;                                // |  1  :                 |
$__internal_0_$__cuda_slowpath:                         // |                       |
        /*0070*/  FADD R7, R3, R3 ;                     // |  5  : v  :^        :  |
        /*0080*/  @P0 FADD R7, R7, 1 ;                  // |  4  :    :x        :  |
        /*0090*/  MOV R0, R7 ;                          // |  5 ^:    :v        :  |
        /*00a0*/  RET.REL.NODEC R6 `(k) ;               // |  4 ::    v         :  |
)";
// clang-format on

struct Called : testing::Test {
  void SetUp() override {
    auto functions = readDisassembly(slowPath);
    ASSERT_TRUE(bool(functions)) << llvm::toString(functions.takeError());
    function = std::move(functions->front());
    ASSERT_EQ(function.instructions.size(), 11u);
    ASSERT_EQ(function.callees.size(), 1u);
  }
  std::vector<unsigned> at(size_t instruction) const {
    return LiveRegisters(function).at(instruction, RegisterFile::General);
  }
  std::vector<size_t> definitions(size_t at, unsigned number) const {
    return LiveRegisters(function).definitions(at, RegisterFile::General,
                                               number);
  }
  MachineFunction function;
};

using Numbers = std::vector<unsigned>;
using Indexes = std::vector<size_t>;

} // namespace

TEST_F(Called, WhatTheCallerKeepsIsLiveBeforeTheCall) {
  EXPECT_EQ(at(3), (Numbers{1, 3, 4, 5, 6}));
}

TEST_F(Called, WhatTheCallerKeepsIsLiveInTheFunction) {
  EXPECT_EQ(at(8), (Numbers{1, 4, 5, 6, 7}));
}

// R16 is live in the function by the ABI alone, and no caller has a value
// there.
TEST_F(Called, WhatNobodyWroteIsNotLive) {
  for (size_t i = 7; i <= 10; ++i)
    EXPECT_EQ(llvm::is_contained(at(i), 16u), false) << i;
}

TEST_F(Called, AnArgumentComesFromTheCaller) {
  EXPECT_EQ(definitions(7, 3), (Indexes{2}));
}

TEST_F(Called, WhatTheCallerKeepsWasWrittenByIt) {
  EXPECT_EQ(definitions(9, 4), (Indexes{1}));
  EXPECT_EQ(definitions(5, 4), (Indexes{1}));
}

TEST_F(Called, AResultIsTheCalls) {
  EXPECT_EQ(definitions(5, 0), (Indexes{4}));
}

TEST_F(Called, CodeWithoutCallsIsAsNvdisasmSays) {
  auto functions = readDisassembly(R"(
	.section	.text.k,"ax",@progbits
                                 // | GPR  |
                                 // | # 01 |
        /*0000*/  MOV R0, 1 ;    // | 1 ^  |
        /*0010*/  MOV R1, R0 ;   // | 2 v^ |
)");
  ASSERT_TRUE(bool(functions));
  EXPECT_TRUE(callLiveness(functions->front(), {{1}, {}}).isEmpty());
}
