// Operands of many registers, as nvdisasm 13.2 marks them with -plr.
#include "machine/operand_widths.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

using Widths = std::vector<unsigned>;

Widths matrix(StringRef code) {
  const MachineText text = machineText(code);
  Widths widths;
  for (size_t i = 0; i < 4; ++i)
    widths.push_back(matrixWords(text, i));
  return widths;
}

Widths texture(StringRef code, size_t operands) {
  const MachineText text = machineText(code);
  Widths widths;
  for (size_t i = 0; i < operands; ++i)
    widths.push_back(textureWords(text, i));
  return widths;
}

TEST(OperandWidths, MatricesOfAWarp) {
  EXPECT_EQ(matrix("HMMA.16816.F32 R4, R8, R12, R4 ;"), (Widths{4, 4, 2, 4}));
  EXPECT_EQ(matrix("HMMA.16816.F16 R4, R8, R12, R4 ;"), (Widths{2, 4, 2, 2}));
  EXPECT_EQ(matrix("HMMA.1688.F32 R4, R8, R12, R4 ;"), (Widths{4, 2, 1, 4}));
  EXPECT_EQ(matrix("HMMA.1688.F32.TF32 R4, R8, R12, R4 ;"),
            (Widths{4, 4, 2, 4}));
  EXPECT_EQ(matrix("HMMA.SP.16832.F32 R4, R8, R12, R4, R3, 0x0 ;"),
            (Widths{4, 4, 4, 4}));
  EXPECT_EQ(matrix("IMMA.16832.S8.S8 R4, R8, R12, R4 ;"), (Widths{4, 4, 2, 4}));
  EXPECT_EQ(matrix("BMMA.168256.AND.POPC R4, R8, R12, R4 ;"),
            (Widths{4, 4, 2, 4}));
  EXPECT_EQ(matrix("DMMA.884 R4, R6, R8, R4 ;"), (Widths{4, 2, 2, 4}));
}

TEST(OperandWidths, MatricesOfAWarpGroup) {
  const MachineText sum =
      machineText("HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24 ;");
  EXPECT_EQ(matrixWords(sum, 0), 64u);
  EXPECT_EQ(matrixWords(sum, 2), 64u);
  const MachineText withRegisters =
      machineText("HGMMA.64x64x16.F32 R24, R56, gdesc[UR8], R24 ;");
  EXPECT_EQ(matrixWords(withRegisters, 1), 4u);
  EXPECT_EQ(matrixWords(withRegisters, 3), 32u);
}

// With sm_90's handle in a uniform register, and sm_80's in constant memory.
TEST(OperandWidths, Textures) {
  EXPECT_EQ(texture("TEX.LL R20, R6, R8, R25, UR6, 0x0, 3D ;", 4),
            (Widths{2, 2, 3, 1}));
  EXPECT_EQ(texture("TEX.LL RZ, R26, R26, R25, UR6, 0x0, 2D, 0x3 ;", 4),
            (Widths{1, 2, 2, 1}));
  EXPECT_EQ(texture("TXD R24, R16, R8, R32, UR6, 0x0, 2D, 0xb ;", 4),
            (Widths{1, 2, 2, 4}));
  EXPECT_EQ(
      texture("TEX.SCR.LL RZ, R45, R10, R42, 0x0, 0x58, ARRAY_2D, 0x1 ;", 4),
      (Widths{1, 1, 2, 2}));
  EXPECT_EQ(texture("TEX.SCR.LL RZ, R44, R16, R9, 0x0, 0x58, 2D, 0x1 ;", 4),
            (Widths{1, 1, 2, 1}));
  EXPECT_EQ(coordinatesOf(machineText("SULD.D.BA.2D.128 R8, [R6], UR4 ;")), 2u);
}

TEST(OperandWidths, CopiesInBulk) {
  const auto bulk = [](StringRef code) {
    const MachineText text = machineText(code);
    return Widths{bulkWords(text, true), bulkWords(text, false)};
  };
  EXPECT_EQ(bulk("UTMALDG.2D [UR8], [UR4] ;"), (Widths{4, 2}));
  EXPECT_EQ(bulk("UTMASTG.2D [UR4], [UR8] ;"), (Widths{3, 2}));
  EXPECT_EQ(bulk("UBLKCP.S.G [UR4], [UR6], UR10 ;"), (Widths{2, 2}));
  EXPECT_EQ(bulk("UBLKCP.G.S [UR4], [UR6], UR7 ;"), (Widths{2, 1}));
}

} // namespace
