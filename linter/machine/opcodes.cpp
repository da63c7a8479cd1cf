#include "machine/opcodes.h"

namespace warplint {

namespace {

// The low 9 bits of an opcode name the instruction, the next 3 where its
// operands lie. The numbers are grouped: below 0x80 is arithmetic, then come
// the uniform forms, the XU, control, and memory. Read from nvdisasm's output
// for sm_90; the same for sm_75 to sm_120 as far as they are named here.
constexpr unsigned instructionMask = 0x1ff;

enum : unsigned {
  Permute = 0x16,
  FloatMultiply = 0x20,
  FloatAdd = 0x21,
  FloatFused = 0x23,
  IntegerMultiply = 0x24,
  IntegerMultiplyWide = 0x25,
  IntegerDot = 0x26,
  IntegerMultiplyHigh = 0x27,
  DoubleMultiply = 0x28,
  DoubleAdd = 0x29,
  DoubleCompare = 0x2a,
  DoubleFused = 0x2b,
  HalfAdd = 0x30,
  HalfFused = 0x31,
  HalfMultiply = 0x32,
  HalfFusedOnTensor = 0x35,
  FirstTensor = 0x37,
  LastTensor = 0x3f,
  LoadMatrix = 0x3b,
  PackHalves = 0x3e,
  FirstSpecial = 0x100,
  LastSpecial = 0x117,
  Nothing = 0x118,
  FirstTexture = 0x160,
  ReadRegisterUniform = 0x1c3,
};

// All 12 bits: ULDC with its address in a uniform register (sm_75 to sm_90).
constexpr unsigned LoadConstantByUniform = 0xabb;

double PipeCounts::*pipeOf(unsigned instruction) {
  switch (instruction) {
  case DoubleMultiply:
  case DoubleAdd:
  case DoubleCompare:
  case DoubleFused:
    return &PipeCounts::doubles;
  case FloatMultiply:
  case FloatAdd:
  case FloatFused:
  case IntegerMultiply:
  case IntegerMultiplyWide:
  case IntegerDot:
  case IntegerMultiplyHigh:
  case HalfAdd:
  case HalfFused:
  case HalfMultiply:
  case HalfFusedOnTensor:
    return &PipeCounts::fma;
  case LoadMatrix:
    return &PipeCounts::memory;
  case PackHalves:
    return &PipeCounts::alu;
  case ReadRegisterUniform:
    return &PipeCounts::control;
  default:
    break;
  }
  if (instruction >= FirstTensor && instruction <= LastTensor)
    return &PipeCounts::fma;
  if (instruction >= FirstTexture)
    return &PipeCounts::memory;
  if (instruction >= FirstSpecial)
    return instruction <= LastSpecial ? &PipeCounts::special
                                      : &PipeCounts::control;
  return &PipeCounts::alu;
}

} // namespace

void countInstruction(unsigned opcode, MachineLine &into) {
  const unsigned instruction = opcode & instructionMask;
  if (instruction == Nothing)
    return;
  into.pipes.*pipeOf(instruction) += 1;
  into.products += instruction == FloatMultiply ||
                   instruction == HalfMultiply || instruction == DoubleMultiply;
  into.sums += instruction == FloatAdd || instruction == HalfAdd ||
               instruction == DoubleAdd;
  into.fused += instruction == FloatFused || instruction == HalfFused ||
                instruction == DoubleFused;
  into.permutes += instruction == Permute;
  into.constantWalks += opcode == LoadConstantByUniform;
}

} // namespace warplint
