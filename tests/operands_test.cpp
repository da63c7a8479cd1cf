#include "machine/operands.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

MachineInstruction instruction(StringRef opcode, StringRef operands) {
  MachineInstruction one;
  one.opcode = opcode;
  one.operands = operands;
  return one;
}

// Operands as nvdisasm 13.2 prints them for sm_80 to sm_120.
TEST(Operands, FindsWhatAnInstructionWrites) {
  EXPECT_EQ(destination(instruction("FFMA", "R2, R3.reuse, 2, R2")), 2u);
  EXPECT_EQ(destination(instruction("LDG.E.64", "R14, desc[UR4][R18.64]")),
            14u);
  EXPECT_EQ(
      destination(instruction("LOP3.LUT", "P0, R6, R2, 0x3, RZ, 0xc0, !PT")),
      6u);
  EXPECT_EQ(destination(instruction("IADD3", "R4, P1, R4, 0x80, RZ")), 4u);
  EXPECT_EQ(destination(instruction("ISETP.GE.AND", "P0, PT, RZ, UR6, PT")),
            std::nullopt);
  EXPECT_EQ(destination(instruction("STG.E", "desc[UR4][R2.64], R9")),
            std::nullopt);
  EXPECT_EQ(destination(instruction("EXIT", "")), std::nullopt);
}

TEST(Operands, TellsRegistersFromOthers) {
  EXPECT_EQ(registerIn("-R7"), 7u);
  EXPECT_EQ(registerIn("R12.64"), 12u);
  EXPECT_EQ(registerIn("|R3|"), 3u);
  EXPECT_EQ(registerIn("RZ"), std::nullopt);
  EXPECT_EQ(registerIn("UR4"), std::nullopt);
  EXPECT_EQ(registerIn("0x4"), std::nullopt);
}

TEST(Operands, FollowsCopiesAlone) {
  EXPECT_EQ(copied(instruction("MOV", "R57, R49")), 49u);
  EXPECT_EQ(copied(instruction("IMAD.MOV.U32", "R4, RZ, RZ, R6")), 6u);
  EXPECT_EQ(copied(instruction("IMAD.MOV.U32", "R4, RZ, RZ, 0x4")),
            std::nullopt);
  EXPECT_EQ(copied(instruction("IMAD.MOV", "R4, RZ, RZ, -R9")), 9u);
  EXPECT_EQ(copied(instruction("IMAD", "R4, R6, 0x4, R2")), std::nullopt);
}

TEST(Operands, ReadsOffsets) {
  EXPECT_EQ(constantOffset("R4, c[0x0][0x210]"), 0x210u);
  EXPECT_EQ(constantOffset("R4, c[0x3][0x210]"), std::nullopt);
  EXPECT_EQ(frameOffset("[R1+0x2c], R5"), 0x2c);
  EXPECT_EQ(frameOffset("R5, [R1]"), 0);
  EXPECT_EQ(frameOffset("R5, [R1+-0x8]"), -8);
  EXPECT_EQ(frameOffset("R5, [R12+0x8]"), std::nullopt);
  EXPECT_EQ(wordsMoved(instruction("STL.128", "[R1], R4")), 4u);
  EXPECT_EQ(wordsMoved(instruction("LDL.LU.64", "R4, [R1]")), 2u);
}

} // namespace
