// Machine instructions by pipe.
#include "machine/opcodes.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

struct Known {
  unsigned opcode;
  double PipeCounts::*pipe;
  const char *name; ///< as nvdisasm prints it for sm_90
};

// From nvdisasm -hex of kernels that nvcc 13.0 compiled for sm_90: the forms of
// one instruction differ in the upper three bits.
constexpr Known known[] = {
    {0x220, &PipeCounts::fma, "FMUL"},
    {0x820, &PipeCounts::fma, "FMUL"},
    {0x221, &PipeCounts::fma, "FADD"},
    {0x421, &PipeCounts::fma, "FADD"},
    {0x223, &PipeCounts::fma, "FFMA"},
    {0xc23, &PipeCounts::fma, "FFMA"},
    {0x224, &PipeCounts::fma, "IMAD"},
    {0x825, &PipeCounts::fma, "IMAD.WIDE"},
    {0x227, &PipeCounts::fma, "IMAD.HI"},
    {0x435, &PipeCounts::fma, "HFMA2"},
    {0x228, &PipeCounts::doubles, "DMUL"},
    {0xe29, &PipeCounts::doubles, "DADD"},
    {0x22a, &PipeCounts::doubles, "DSETP"},
    {0x82b, &PipeCounts::doubles, "DFMA"},
    {0x802, &PipeCounts::alu, "MOV"},
    {0x807, &PipeCounts::alu, "SEL"},
    {0xc0c, &PipeCounts::alu, "ISETP"},
    {0x20b, &PipeCounts::alu, "FSETP"},
    {0x810, &PipeCounts::alu, "IADD3"},
    {0x212, &PipeCounts::alu, "LOP3"},
    {0x816, &PipeCounts::alu, "PRMT"},
    {0x819, &PipeCounts::alu, "SHF"},
    {0x245, &PipeCounts::alu, "I2FP"},
    {0x836, &PipeCounts::alu, "VIADD"},
    {0x290, &PipeCounts::alu, "UIADD3"},
    {0xab9, &PipeCounts::alu, "ULDC"},
    {0x308, &PipeCounts::special, "MUFU"},
    {0x306, &PipeCounts::special, "I2F"},
    {0x305, &PipeCounts::special, "F2I"},
    {0x310, &PipeCounts::special, "F2F"},
    {0x309, &PipeCounts::special, "POPC"},
    {0x981, &PipeCounts::memory, "LDG"},
    {0x986, &PipeCounts::memory, "STG"},
    {0x984, &PipeCounts::memory, "LDS"},
    {0x388, &PipeCounts::memory, "STS"},
    {0x983, &PipeCounts::memory, "LDL"},
    {0xf89, &PipeCounts::memory, "SHFL"},
    {0x3a9, &PipeCounts::memory, "ATOMG"},
    {0xb82, &PipeCounts::memory, "LDC"},
    {0xf60, &PipeCounts::memory, "TEX"},
    {0x947, &PipeCounts::control, "BRA"},
    {0x94d, &PipeCounts::control, "EXIT"},
    {0xb1d, &PipeCounts::control, "BAR"},
    {0x919, &PipeCounts::control, "S2R"},
    {0x9c3, &PipeCounts::control, "S2UR"},
};

TEST(Opcodes, EachInstructionIsExecutedByItsPipe) {
  for (const Known &each : known) {
    MachineLine line;
    countInstruction(each.opcode, line);
    EXPECT_EQ(line.pipes.*each.pipe, 1) << each.name;
    EXPECT_EQ(line.pipes.all(), 1) << each.name;
  }
}

TEST(Opcodes, PaddingIsNoInstruction) {
  MachineLine line;
  countInstruction(0x918, line);
  EXPECT_EQ(line.pipes.all(), 0);
}

// Opcodes that a check of unfused products and sums reads.
TEST(Opcodes, ProductsSumsAndBothAtOnceAreCounted) {
  MachineLine line;
  for (unsigned opcode : {0x220u, 0x221u, 0x223u, 0x823u, 0x816u})
    countInstruction(opcode, line);
  EXPECT_EQ(line.products, 1u);
  EXPECT_EQ(line.sums, 1u);
  EXPECT_EQ(line.fused, 2u);
  EXPECT_EQ(line.permutes, 1u);
}

// nvdisasm: 'ULDC.64 UR6, c[0x3][UR4]' is 0x...7abb, 'ULDC.64 UR4, c[0x3][0x8]'
// is 0x...7ab9, 'LDC R6, c[0x3][R7]' is 0x...7b82.
TEST(Opcodes, OnlyConstantsAtAnAddressInAUniformRegisterAreWalked) {
  MachineLine line;
  for (unsigned opcode : {0xabbu, 0xab9u, 0xb82u})
    countInstruction(opcode, line);
  EXPECT_EQ(line.constantWalks, 1u);
}

} // namespace

} // namespace warplint
