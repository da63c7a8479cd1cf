#include "machine/live_registers.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

// nvdisasm 13.2 for the kernel of tests/disassembly_test.cpp.
// clang-format off
const char *const loopAndCall = R"(
	.section	.text._Z4walkPfi,"ax",@progbits
                                                                                  // +----------------+--------+------------+
                                                                                  // |      GPR       | PRED   |   UGPR     |
                                                                                  // |                |        |            |
                                                                                  // |    0000000000  |        |            |
                                                                                  // |  # 0123456789  |  # 0   | # 0123456  |
                                                                                  // +----------------+--------+------------+
.text._Z4walkPfi:                                                                 // |                |        |            |
        /*0000*/                   LDC R1, c[0x0][0x28] ;                         // |  2 :^          |        |            |
        /*0010*/                   S2R R7, SR_TID.X ;                             // |  3 ::     ^    |        |            |
        /*0020*/                   ULDC UR6, c[0x0][0x218] ;                      // |  3 ::     :    |        | 1       ^  |
        /*0030*/                   ULDC.64 UR4, c[0x0][0x208] ;                   // |  3 ::     :    |        | 3     ^^:  |
        /*0040*/                   BSSY B0, `(.L_x_0) ;                           // |  3 ::     :    |        | 3     :::  |
        /*0050*/                   HFMA2.MMA R9, -RZ, RZ, 0, 0 ;                  // |  4 ::     : ^  |        | 3     :::  |
        /*0060*/                   ISETP.GE.U32.AND P0, PT, R7, UR6, PT ;         // |  4 ::     v :  |  1 ^   | 3     ::v  |
        /*0070*/               @P0 BRA `(.L_x_1) ;                                // |  4 ::     : :  |  1 v   | 3     :::  |
        /*0080*/                   LDC R0, c[0x0][RZ] ;                           // |  3 ^:     :    |        | 3     :::  |
        /*0090*/                   MOV R9, RZ ;                                   // |  4 ::     : ^  |        | 3     :::  |
        /*00a0*/                   LDC.64 R4, c[0x0][0x210] ;                     // |  6 ::  ^^ : :  |        | 3     :::  |
.L_x_2:                                                                           // |  8 :::::: : :  |        | 3     :::  |
        /*00b0*/                   IMAD.WIDE.U32 R2, R7, 0x4, R4 ;                // |  8 ::^^vv v :  |        | 3     :::  |
        /*00c0*/                   LDG.E R2, desc[UR4][R2.64] ;                   // |  8 ::xv:: : :  |        | 3     vv:  |
        /*00d0*/                   IMAD.IADD R7, R0, 0x1, R7 ;                    // |  7 v:: :: x :  |        | 3     :::  |
        /*00e0*/                   ISETP.GE.U32.AND P0, PT, R7, UR6, PT ;         // |  7 ::: :: v :  |  1 ^   | 3     ::v  |
        /*00f0*/                   FFMA R9, R2, 2, R9 ;                           // |  7 ::v :: : x  |  1 :   | 3     :::  |
        /*0100*/              @!P0 BRA `(.L_x_2) ;                                // |  6 ::  :: : :  |  1 v   | 3     :::  |
.L_x_1:                                                                           // |  3 ::       :  |        | 2     ::   |
        /*0110*/                   BSYNC B0 ;                                     // |  3 ::       :  |        | 2     ::   |
.L_x_0:                                                                           // |  3 ::       :  |  1 :   | 2     ::   |
        /*0120*/                   FSETP.GT.AND P0, PT, R9, 3, PT ;               // |  3 ::       v  |  1 ^   | 2     ::   |
        /*0130*/                   BSSY B0, `(.L_x_3) ;                           // |  3 ::       :  |  1 :   | 2     ::   |
        /*0140*/              @!P0 BRA `(.L_x_4) ;                                // |  3 ::       :  |  1 v   | 2     ::   |
        /*0150*/                   MOV R2, 0x170 ;                                // |  3 ::^         |        |            |
        /*0160*/                   CALL.REL.NOINC `($_Z4walkPfi$_Z4halff) ;       // |  9 xv ^^^^^^^  |  1 ^   | 3     ^^^  |
.L_x_4:                                                                           // |  2  :       :  |        | 2     ::   |
        /*0170*/                   BSYNC B0 ;                                     // |  2  :       :  |        | 2     ::   |
.L_x_3:                                                                           // |  3  :   :   :  |        | 2     ::   |
        /*0180*/                   S2R R5, SR_CTAID.X ;                           // |  3  :   ^   :  |        | 2     ::   |
        /*0190*/                   LDC.64 R2, c[0x0][0x210] ;                     // |  5  :^^ :   :  |        | 2     ::   |
        /*01a0*/                   IMAD.WIDE.U32 R2, R5, 0x4, R2 ;                // |  5  :xx v   :  |        | 2     ::   |
        /*01b0*/                   STG.E desc[UR4][R2.64], R9 ;                   // |  4  :vv     v  |        | 2     vv   |
        /*01c0*/                   EXIT ;                                         // |  1  :          |        |            |
$_Z4walkPfi$_Z4halff:                                                             // |                |        |            |
        /*01d0*/                   IMAD.MOV.U32 R3, RZ, RZ, 0x0 ;                 // |  4  ::^     :  |        |            |
        /*01e0*/                   MOV R0, 0x40200000 ;                           // |  5 ^:::     :  |        |            |
        /*01f0*/                   FFMA R9, R9, R0, 1 ;                           // |  5 v:::     x  |        |            |
        /*0200*/                   RET.REL.NODEC R2 `(_Z4walkPfi) ;               // |  3  :vv        |        |            |
.L_x_5:                                                                           // +................+........+............+
        /*0210*/                   BRA `(.L_x_5);                                 // |  1  :          |        |            |
)";
// clang-format on

struct Walk {
  MachineFunction function = [] {
    auto functions = readDisassembly(loopAndCall);
    return functions ? functions->front() : MachineFunction();
  }();
  LiveRegisters registers{function};

  std::vector<size_t> definitions(size_t at, unsigned number) {
    return registers.definitions(at, RegisterFile::General, number);
  }
};

using Indexes = std::vector<size_t>;

TEST(LiveRegisters, FindsThePeak) {
  Walk walk;
  ASSERT_EQ(walk.registers.peak(), 11u) << "in the loop, not at the call";
  EXPECT_EQ(walk.registers.count(11, RegisterFile::General), 8u);
  EXPECT_EQ(walk.registers.at(11, RegisterFile::General),
            (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 7, 9}));
}

// What a call may overwrite holds no value that is needed; R2 is where it
// returns to, R9 its argument.
TEST(LiveRegisters, DoesNotCountWhatACallClobbers) {
  Walk walk;
  EXPECT_EQ(walk.registers.count(22, RegisterFile::General), 3u);
  EXPECT_EQ(walk.registers.at(22, RegisterFile::General),
            (std::vector<unsigned>{1, 2, 9}));
}

// A sum in a register comes from before the loop and from its last iteration.
TEST(LiveRegisters, FollowsAValueAroundALoop) {
  Walk walk;
  EXPECT_EQ(walk.definitions(11, 9), (Indexes{9, 15}));
  EXPECT_EQ(walk.definitions(11, 7), (Indexes{1, 13}));
  EXPECT_EQ(walk.definitions(13, 2), (Indexes{12}));
  EXPECT_EQ(walk.definitions(11, 4), (Indexes{10}));
}

TEST(LiveRegisters, FollowsAValuePastReconvergence) {
  Walk walk;
  EXPECT_EQ(walk.definitions(18, 9), (Indexes{5, 15}));
  // The call's result, or the sum where lanes skip the call.
  EXPECT_EQ(walk.definitions(26, 9), (Indexes{5, 15, 22}));
}

TEST(LiveRegisters, FollowsAnArgumentIntoACall) {
  Walk walk;
  EXPECT_EQ(walk.definitions(30, 2), (Indexes{21}));
}

TEST(LiveRegisters, KnowsLoops) {
  Walk walk;
  for (size_t i = 0; i < walk.function.instructions.size(); ++i)
    EXPECT_EQ(walk.registers.isInLoop(i), i >= 11 && i <= 16) << i;
}

// A lane that skips the instruction keeps the value from before.
TEST(LiveRegisters, LooksBehindAPredicatedInstruction) {
  auto functions = readDisassembly(R"(
	.section	.text.k,"ax",@progbits
                                 // | GPR  |
                                 // | # 01 |
        /*0000*/  MOV R0, 1 ;    // | 1 ^  |
        /*0010*/  @P0 MOV R0, 2; // | 1 ^  |
        /*0020*/  MOV R1, R0 ;   // | 2 v^ |
)");
  ASSERT_TRUE(bool(functions));
  EXPECT_EQ(LiveRegisters(functions->front())
                .definitions(2, RegisterFile::General, 0),
            (Indexes{0, 1}));
}

// nvdisasm 13.0, shortened: R0 and R1 are live before anything is in them,
// since lanes that skip the load keep what was there.
TEST(LiveRegisters, FindsWhatAGuardedInstructionWillWrite) {
  auto functions = readDisassembly(R"(
	.section	.text.k,"ax",@progbits
                                          // |  GPR    |
                                          // |  # 0123 |
        /*0000*/  S2R R2, SR_TID.X ;      // |  3 ::^  |
        /*0010*/  @P0 BRA `(.L_x_1) ;     // |  3 :::  |
        /*0020*/  @!P1 LDC.64 R0, c[0][0];// |  3 ^^:  |
        /*0030*/  @!P1 STG [R0.64], R2 ;  // |  3 vvv  |
        /*0040*/  EXIT ;                  // |  0      |
.L_x_1:
        /*0050*/  @P1 MOV R0, R2 ;        // |  3 ^:v  |
        /*0060*/  @P1 STG [R0.64], R0 ;   // |  2 vv   |
        /*0070*/  EXIT ;                  // |  0      |
)");
  ASSERT_TRUE(bool(functions));
  const LiveRegisters live(functions->front());
  auto next = [&](size_t at, unsigned number) {
    return live.nextDefinitions(at, RegisterFile::General, number);
  };
  EXPECT_EQ(live.definitions(1, RegisterFile::General, 0), Indexes{});
  EXPECT_EQ(next(1, 0), (Indexes{2, 5}));
  EXPECT_EQ(next(1, 1), (Indexes{2}));
  EXPECT_EQ(next(5, 1), Indexes{}) << "written on another path alone";
  EXPECT_EQ(next(2, 2), Indexes{});
}

} // namespace
