#include "machine/live_registers.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

// nvdisasm 13.2 for the kernel of tests/disassembly_test.cpp.
const char *const loopAndCall = R"(
	.section	.text._Z4walkPfi,"ax",@progbits
.text._Z4walkPfi:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   S2R R7, SR_TID.X ;
        /*0020*/                   ULDC UR6, c[0x0][0x218] ;
        /*0030*/                   ULDC.64 UR4, c[0x0][0x208] ;
        /*0040*/                   BSSY B0, `(.L_x_0) ;
        /*0050*/                   HFMA2.MMA R9, -RZ, RZ, 0, 0 ;
        /*0060*/                   ISETP.GE.U32.AND P0, PT, R7, UR6, PT ;
        /*0070*/               @P0 BRA `(.L_x_1) ;
        /*0080*/                   LDC R0, c[0x0][RZ] ;
        /*0090*/                   MOV R9, RZ ;
        /*00a0*/                   LDC.64 R4, c[0x0][0x210] ;
.L_x_2:
        /*00b0*/                   IMAD.WIDE.U32 R2, R7, 0x4, R4 ;
        /*00c0*/                   LDG.E R2, desc[UR4][R2.64] ;
        /*00d0*/                   IMAD.IADD R7, R0, 0x1, R7 ;
        /*00e0*/                   ISETP.GE.U32.AND P0, PT, R7, UR6, PT ;
        /*00f0*/                   FFMA R9, R2, 2, R9 ;
        /*0100*/              @!P0 BRA `(.L_x_2) ;
.L_x_1:
        /*0110*/                   BSYNC B0 ;
.L_x_0:
        /*0120*/                   FSETP.GT.AND P0, PT, R9, 3, PT ;
        /*0130*/                   BSSY B0, `(.L_x_3) ;
        /*0140*/              @!P0 BRA `(.L_x_4) ;
        /*0150*/                   MOV R2, 0x170 ;
        /*0160*/                   CALL.REL.NOINC `($_Z4walkPfi$_Z4halff) ;
.L_x_4:
        /*0170*/                   BSYNC B0 ;
.L_x_3:
        /*0180*/                   S2R R5, SR_CTAID.X ;
        /*0190*/                   LDC.64 R2, c[0x0][0x210] ;
        /*01a0*/                   IMAD.WIDE.U32 R2, R5, 0x4, R2 ;
        /*01b0*/                   STG.E desc[UR4][R2.64], R9 ;
        /*01c0*/                   EXIT ;
$_Z4walkPfi$_Z4halff:
        /*01d0*/                   IMAD.MOV.U32 R3, RZ, RZ, 0x0 ;
        /*01e0*/                   MOV R0, 0x40200000 ;
        /*01f0*/                   FFMA R9, R9, R0, 1 ;
        /*0200*/                   RET.REL.NODEC R2 `(_Z4walkPfi) ;
.L_x_5:
        /*0210*/                   BRA `(.L_x_5);
)";

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

// A register that a call may overwrite holds no value that is needed; R2 is
// where it returns to, R9 its argument.
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
        /*0000*/  MOV R0, 1 ;
        /*0010*/  @P0 MOV R0, 2;
        /*0020*/  MOV R1, R0 ;
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
        /*0000*/  S2R R2, SR_TID.X ;
        /*0010*/  @P0 BRA `(.L_x_1) ;
        /*0020*/  @!P1 LDC.64 R0, c[0][0];
        /*0030*/  @!P1 STG [R0.64], R2 ;
        /*0040*/  EXIT ;
.L_x_1:
        /*0050*/  @P1 MOV R0, R2 ;
        /*0060*/  @P1 STG [R0.64], R0 ;
        /*0070*/  EXIT ;
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
