#include "machine/disassembly.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

// nvdisasm 13.2, -c, of nvcc 13.0 for sm_90 and this source:
//
//   __device__ __noinline__ float half(float x) { return x * 2.5f + 1; }
//   __device__ __forceinline__ float twice(float x) { return x * 2; }
//   __global__ void walk(float *p, int n) {
//     float sum = 0;
//     for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
//       sum += twice(p[i]);
//     if (sum > 3)
//       sum = half(sum);
//     p[blockIdx.x] = sum;
//   }
const char *const walk = R"(
//--------------------- .text._Z4walkPfi          --------------------------
	.section	.text._Z4walkPfi,"ax",@progbits
	.align	128
        .global         _Z4walkPfi
        .type           _Z4walkPfi,@function
        .size           _Z4walkPfi,(.L_x_6 - _Z4walkPfi)
        .other          _Z4walkPfi,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z4walkPfi:
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
        .type           $_Z4walkPfi$_Z4halff,@function
        .size           $_Z4walkPfi$_Z4halff,(.L_x_6 - $_Z4walkPfi$_Z4halff)
$_Z4walkPfi$_Z4halff:
        /*01d0*/                   IMAD.MOV.U32 R3, RZ, RZ, 0x0 ;
        /*01e0*/                   MOV R0, 0x40200000 ;
        /*01f0*/                   FFMA R9, R9, R0, 1 ;
        /*0200*/                   RET.REL.NODEC R2 `(_Z4walkPfi) ;
.L_x_5:
        /*0210*/                   BRA `(.L_x_5);
.L_x_6:
)";

/// nvdisasm -c -gi.
const char *const withPlaces = R"(
//--------------------- .text._Z4walkPfi          --------------------------
	.section	.text._Z4walkPfi,"ax",@progbits
.text._Z4walkPfi:
	//## File "/a/mm.cu", line 8
        /*06e0*/                   LDG.E R55, desc[UR4][R46.64] ;
	//## File "/a/mm.cu", line 1 inlined at "/a/mm.cu", line 8
	//## File "/a/mm.cu", line 8
        /*06f0*/                   LDC R56, c[0x0][0x230] ;
        /*0700*/                   FFMA R79, R79, R56, 1 ;
	//## File "/a/mm.cu", line 5
        /*0710*/             @!UP1 IADD3 R76, R76, 0x1, RZ ;
)";

MachineFunction only(StringRef text) {
  auto functions = readDisassembly(text);
  if (functions && functions->size() == 1)
    return std::move(functions->front());
  if (!functions)
    ADD_FAILURE() << toString(functions.takeError());
  else
    ADD_FAILURE() << functions->size() << " functions";
  return {};
}

std::vector<unsigned> linesOf(const MachineInstruction &instruction) {
  std::vector<unsigned> lines;
  for (const Place &place : instruction.places)
    lines.push_back(place.line);
  return lines;
}

TEST(Disassembly, SplitsAnInstructionIntoItsParts) {
  const MachineFunction function = only(walk);
  EXPECT_EQ(function.name, "_Z4walkPfi");
  ASSERT_EQ(function.instructions.size(), 34u);
  const MachineInstruction &load = function.instructions[12];
  EXPECT_EQ(load.offset, 0xc0u);
  EXPECT_EQ(load.opcode, "LDG.E");
  EXPECT_EQ(load.mnemonic(), "LDG");
  EXPECT_TRUE(load.hasSuffix("E"));
  EXPECT_FALSE(load.hasSuffix("LDG"));
  EXPECT_EQ(load.operandList(),
            (std::vector<StringRef>{"R2", "desc[UR4][R2.64]"}));
  EXPECT_EQ(function.at(0xc0), 12u);
  EXPECT_EQ(function.at(0xc4), std::nullopt);
  EXPECT_EQ(function.instructions[16].guard, "!P0");
  EXPECT_EQ(function.instructions[16].opcode, "BRA");
  EXPECT_EQ(function.instructions[28].opcode, "EXIT");
  EXPECT_TRUE(function.instructions[28].operandList().empty());
}

// A wrong target would join the values of different loops.
TEST(Disassembly, ResolvesLabels) {
  const MachineFunction function = only(walk);
  using Targets = std::vector<size_t>;
  EXPECT_EQ(function.instructions[16].targets, Targets{11})
      << "the loop's head";
  EXPECT_EQ(function.instructions[7].targets, Targets{17});
  EXPECT_EQ(function.instructions[22].targets, Targets{29}) << "the call";
  EXPECT_EQ(function.instructions[12].targets, Targets{});
  EXPECT_EQ(function.instructions.back().targets, Targets{33}) << "itself";
}

TEST(Disassembly, ResolvesTheTableOfASwitch) {
  const MachineFunction function = only(R"(
	.section	.text.k,"ax",@progbits
.L_x_1:
        /*0000*/                   MOV R1, R2 ;
        /*0010*/                   BRX R6 -0xf0  (*"BRANCH_TARGETS .L_x_1,.L_x_17,.L_x_2"*);
.L_x_2:
        /*0020*/                   EXIT ;
)");
  ASSERT_EQ(function.instructions.size(), 3u);
  EXPECT_EQ(function.instructions[1].targets, (std::vector<size_t>{0, 2}));
}

TEST(Disassembly, NamesTheFunctionThatIsNotInlined) {
  const MachineFunction function = only(walk);
  EXPECT_EQ(function.functionAt(28), "");
  EXPECT_EQ(function.functionAt(29), "$_Z4walkPfi$_Z4halff");
}

// Below sm_90 the section has a directive of its own.
TEST(Disassembly, ReadsCodeBehindSectionInfo) {
  const MachineFunction function =
      only("\t.section\t.text.k,\"ax\",@progbits\n"
           "\t.sectioninfo\t@\"SHI_REGISTERS=102\"\n"
           "        /*0000*/  MOV R1, R2 ;\n");
  ASSERT_EQ(function.instructions.size(), 1u);
  EXPECT_EQ(function.instructions[0].opcode, "MOV");
}

TEST(Disassembly, ReadsThePlacesOfInlinedCode) {
  const MachineFunction function = only(withPlaces);
  ASSERT_EQ(function.instructions.size(), 4u);
  EXPECT_EQ(linesOf(function.instructions[0]), (std::vector<unsigned>{8}));
  EXPECT_EQ(linesOf(function.instructions[1]), (std::vector<unsigned>{1, 8}));
  EXPECT_EQ(linesOf(function.instructions[2]), (std::vector<unsigned>{1, 8}));
  EXPECT_EQ(linesOf(function.instructions[3]), (std::vector<unsigned>{5}));
  EXPECT_EQ(function.instructions[0].places[0].file, "/a/mm.cu");
  EXPECT_EQ(function.instructions[3].guard, "!UP1");
}

TEST(Disassembly, SaysWhyThereIsNoCode) {
  const auto message = [](StringRef text) {
    auto functions = readDisassembly(text);
    return functions ? "" : toString(functions.takeError());
  };
  EXPECT_EQ(message("nvdisasm fatal   : File a.ptx does not appear to be an "
                    "Elf file\n"),
            "nvdisasm stopped: File a.ptx does not appear to be an Elf file");
  EXPECT_EQ(message(""), "nvdisasm printed no code");
  EXPECT_EQ(message("\t.section\t.nv.info,\"\"\n /*0000*/ .byte 1\n"),
            "nvdisasm printed no code");
}

} // namespace
