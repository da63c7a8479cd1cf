// Tests what instructions read and write, as nvdisasm 13.2 marks it with -plr.
#include "machine/register_uses.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

std::string spelled(const RegisterSet &set) {
  std::string text;
  const auto add = [&](RegisterFile file, StringRef name) {
    for (unsigned number : set.numbers(file))
      text += (text.empty() ? "" : " ") + (name + Twine(number)).str();
  };
  add(RegisterFile::General, "R");
  add(RegisterFile::Uniform, "UR");
  add(RegisterFile::Predicate, "P");
  add(RegisterFile::UniformPredicate, "UP");
  return text;
}

/// "R1 = R2 R3": what is written, and what is read.
std::string uses(StringRef code) {
  auto found = usesOf(machineText(code));
  return found ? spelled(found->written) + " = " + spelled(found->read)
               : "unknown";
}

TEST(RegisterUses, AddressesAndValuesOf64And128Bits) {
  EXPECT_EQ(uses("LDG.E.128 R4, desc[UR4][R2.64+0x10] ;"),
            "R4 R5 R6 R7 = R2 R3 UR4 UR5");
  EXPECT_EQ(uses("STG.E.64 desc[UR4][R2.64], R8 ;"), " = R2 R3 R8 R9 UR4 UR5");
  EXPECT_EQ(uses("LDS.64 R4, [R2.X8+UR4] ;"), "R4 R5 = R2 UR4");
  EXPECT_EQ(uses("LDC.64 R4, c[0x0][R3+0x210] ;"), "R4 R5 = R3");
  EXPECT_EQ(uses("ULDC.64 UR4, c[0x0][0x208] ;"), "UR4 UR5 = ");
  EXPECT_EQ(uses("STL.64 [R1+0x8], R16 ;"), " = R1 R16 R17");
}

// sm_75 and sm_100 do not say at the register that it has 64 bits.
TEST(RegisterUses, ExtendedAddresses) {
  EXPECT_EQ(uses("LDG.E.SYS R0, [R22] ;"), "R0 = R22 R23");
  EXPECT_EQ(uses("LDG.E.SYS R3, [R4.U32+UR4] ;"), "R3 = R4 UR4 UR5");
  EXPECT_EQ(uses("LDGSTS.E.BYPASS.128 [R17], desc[UR4][R2.64] ;"),
            " = R2 R3 R17 UR4 UR5");
  EXPECT_EQ(uses("LDS R0, [R22] ;"), "R0 = R22");
}

TEST(RegisterUses, Arithmetic) {
  EXPECT_EQ(uses("FFMA R9, R2, 2, R9 ;"), "R9 = R2 R9");
  EXPECT_EQ(uses("DFMA R4, R6, R8, -R4 ;"), "R4 R5 = R4 R5 R6 R7 R8 R9");
  EXPECT_EQ(uses("DSETP.GT.AND P0, PT, R2, |R4|, PT ;"), "P0 = R2 R3 R4 R5");
  EXPECT_EQ(uses("IMAD.WIDE.U32 R2, R7, 0x4, R4 ;"), "R2 R3 = R4 R5 R7");
  EXPECT_EQ(uses("IMAD.WIDE.U32 R4, P0, R2, R7, R4 ;"),
            "R4 R5 P0 = R2 R4 R5 R7");
  EXPECT_EQ(uses("IMAD.HI.U32 R24, P1, R27, R24, R34 ;"),
            "R24 P1 = R24 R27 R34 R35");
  EXPECT_EQ(uses("MUFU.RCP64H R3, R5 ;"), "R3 = R5");
  EXPECT_EQ(uses("SHF.L.U64.HI R21, R19, R8.reuse, R15 ;"), "R21 = R8 R15 R19");
  EXPECT_EQ(uses("IADD.64 R4, -R8, UR4 ;"), "R4 R5 = R8 R9 UR4 UR5");
  EXPECT_EQ(uses("ISETP.GE.S64.AND P0, PT, R4, 0x9, PT ;"), "P0 = R4 R5");
}

TEST(RegisterUses, Conversions) {
  EXPECT_EQ(uses("F2F.F64.F32 R2, R4 ;"), "R2 R3 = R4");
  EXPECT_EQ(uses("F2F.F32.F64 R2, R4 ;"), "R2 = R4 R5");
  EXPECT_EQ(uses("F2I.S64.TRUNC R2, R4 ;"), "R2 R3 = R4");
  EXPECT_EQ(uses("F2I.F64.TRUNC R2, R4 ;"), "R2 = R4 R5");
  EXPECT_EQ(uses("F2I.U64.F64.TRUNC R2, R4 ;"), "R2 R3 = R4 R5");
  EXPECT_EQ(uses("I2F.F64 R2, R4 ;"), "R2 R3 = R4");
  EXPECT_EQ(uses("I2F.S64 R2, R4 ;"), "R2 = R4 R5");
  EXPECT_EQ(uses("FRND.F64.FLOOR R2, R4 ;"), "R2 R3 = R4 R5");
  EXPECT_EQ(uses("CS2R R2, SRZ ;"), "R2 R3 = ");
  EXPECT_EQ(uses("CS2R.32 R2, SR_CLOCKLO ;"), "R2 = ");
}

TEST(RegisterUses, Predicates) {
  EXPECT_EQ(uses("@!P0 IADD3 R2, P1, P2, R4, R5, RZ ;"), "R2 P1 P2 = R4 R5 P0");
  EXPECT_EQ(uses("IADD3.X R3, R4, R5, RZ, P0, !P1 ;"), "R3 = R4 R5 P0 P1");
  EXPECT_EQ(uses("LOP3.LUT P0, R1, R4, 0x1, RZ, 0xc0, !PT ;"), "R1 P0 = R4");
  EXPECT_EQ(uses("PLOP3.LUT P0, P3, P1, P2, PT, 0x80, 0x8 ;"), "P0 P3 = P1 P2");
  EXPECT_EQ(uses("SEL R0, R1, R2, !P0 ;"), "R0 = R1 R2 P0");
  EXPECT_EQ(uses("SHFL.UP P2, R22, R27, R24, R23 ;"), "R22 P2 = R23 R24 R27");
  EXPECT_EQ(uses("VOTE.ANY R2, P1, P0 ;"), "R2 P1 = P0");
  EXPECT_EQ(uses("VOTE.ALL P0, P1 ;"), "P0 = P1");
  EXPECT_EQ(uses("BRA.U UP0, `(.L_x_3) ;"), " = UP0");
}

// nvdisasm marks none of these predicates.
TEST(RegisterUses, PredicatesOfAMask) {
  EXPECT_EQ(uses("P2R R13, PR, RZ, 0x6 ;"), "R13 = P1 P2");
  EXPECT_EQ(uses("R2P PR, R0, 0x3 ;"), "P0 P1 = R0");
}

TEST(RegisterUses, Atomics) {
  EXPECT_EQ(
      uses("ATOMG.E.ADD.F64.RN.STRONG.GPU PT, R2, desc[UR4][R6.64], R8 ;"),
      "R2 R3 = R6 R7 R8 R9 UR4 UR5");
  EXPECT_EQ(uses("ATOMS.CAS.64 R2, [R4], R6, R8 ;"), "R2 R3 = R4 R6 R7 R8 R9");
  EXPECT_EQ(uses("RED.E.ADD.STRONG.GPU [UR4+0x20], R8 ;"), " = R8 UR4 UR5");
  EXPECT_EQ(uses("REDUX.SUM UR6, R2 ;"), "UR6 = R2");
}

TEST(RegisterUses, ControlFlow) {
  EXPECT_EQ(uses("RET.REL.NODEC R2 `(R5_R6) ;"), " = R2 R3");
  EXPECT_EQ(uses("BRX R2 -0xbd0 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)"),
            " = R2 R3");
  EXPECT_EQ(uses("CALL.ABS.NOINC R2 ;"), " = R2 R3");
  EXPECT_EQ(uses("BSSY B0, `(.L_x_4) ;"), " = ");
}

// A guess would say that registers are free that are not.
TEST(RegisterUses, WhatIsNotKnownSaysNothing) {
  EXPECT_EQ(uses("FOO.BAR R2, R3 ;"), "unknown");
}

TEST(RegisterUses, SetsOfAllFiles) {
  RegisterSet set;
  set.add(RegisterFile::General, 254);
  set.add(RegisterFile::Predicate, 6);
  set.add(RegisterFile::Predicate, 99);
  EXPECT_TRUE(set.has(RegisterFile::General, 254));
  EXPECT_FALSE(set.has(RegisterFile::Uniform, 254));
  EXPECT_EQ(set.count(RegisterFile::Predicate), 1u);
  RegisterSet other = set;
  other.remove(RegisterFile::General, 254);
  EXPECT_EQ(spelled(set.without(other)), "R254");
  EXPECT_EQ(spelled(set & other), "P6");
  EXPECT_TRUE(set.without(set).isEmpty());
}

} // namespace
