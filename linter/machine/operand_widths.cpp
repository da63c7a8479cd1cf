#include "machine/operand_widths.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace warplint {
namespace {

/// D = A * B + D for matrices of `rows` x `inner` and `inner` x `columns`.
struct Shape {
  unsigned rows = 0, columns = 0, inner = 0;
  bool isKnown() const { return rows && columns && inner; }
};

/// "16816" is 16 x 8 x 16, "64x128x16" says so itself.
Shape shapeNamed(StringRef suffix) {
  Shape shape;
  if (suffix.contains('x')) {
    auto [rows, rest] = suffix.split('x');
    auto [columns, inner] = rest.split('x');
    if (rows.getAsInteger(10, shape.rows) ||
        columns.getAsInteger(10, shape.columns) ||
        inner.getAsInteger(10, shape.inner))
      return {};
    return shape;
  }
  if (!suffix.starts_with("8") && !suffix.starts_with("16"))
    return {};
  shape.rows = suffix.consume_front("16") ? 16 : suffix.consume_front("8") * 8;
  shape.columns = suffix.consume_front("8") ? 8 : 0;
  if (suffix.getAsInteger(10, shape.inner))
    return {};
  return shape;
}

Shape shapeOf(ArrayRef<StringRef> suffixes) {
  for (StringRef suffix : suffixes)
    if (Shape shape = shapeNamed(suffix); shape.isKnown())
      return shape;
  return {};
}

/// The bits of an element of A and B.
unsigned elementBits(const MachineText &instruction) {
  switch (instruction.opcode.front()) {
  case 'D':
    return 64;
  case 'B':
    return 1;
  case 'Q':
    return 8;
  case 'O':
    return 4;
  case 'I':
    return instruction.hasSuffix("S4") || instruction.hasSuffix("U4") ? 4 : 8;
  default:
    return instruction.hasSuffix("TF32") ? 32 : 16;
  }
}

/// The bits of an element of the sum.
unsigned sumBits(const MachineText &instruction) {
  const char type = instruction.opcode.front();
  if (type == 'D')
    return 64;
  return type == 'H' || type == 'Q' ? instruction.hasSuffix("F32") ? 32 : 16
                                    : 32;
}

} // namespace

unsigned matrixWords(const MachineText &instruction, size_t operand) {
  SmallVector<StringRef> suffixes;
  instruction.opcode.split(suffixes, '.');
  const Shape shape = shapeOf(ArrayRef(suffixes).drop_front());
  if (!shape.isKnown())
    return 1;
  // A warp holds the matrix; for GMMA the four warps of a group do.
  const bool isOfGroup = instruction.mnemonic().contains("GMMA");
  const unsigned bitsAtOnce = 32 * (isOfGroup ? 4 * 32 : 32);
  const unsigned part = instruction.hasSuffix("SP") ? 2 : 1;
  unsigned bits = 0;
  switch (operand) {
  case 1:
    bits = shape.rows * shape.inner * elementBits(instruction) / part;
    break;
  case 2:
    // Behind a descriptor of A and B stands the sum.
    bits = isOfGroup ? shape.rows * shape.columns * sumBits(instruction)
                     : shape.columns * shape.inner * elementBits(instruction);
    break;
  case 0:
  case 3:
    bits = shape.rows * shape.columns * sumBits(instruction);
    break;
  default:
    return 1;
  }
  return std::max(1u, bits / bitsAtOnce);
}

unsigned coordinatesOf(const MachineText &instruction) {
  unsigned found = 1;
  for (StringRef part : {instruction.opcode, instruction.operands}) {
    if (part.contains("3D") || part.contains("CUBE"))
      found = 3;
    else if (part.contains("2D"))
      found = 2;
    if (part.contains("ARRAY"))
      ++found;
  }
  return found;
}

unsigned textureWords(const MachineText &instruction, size_t operand) {
  const std::vector<StringRef> operands = instruction.operandList();
  // Up to two parts of the result are in the second operand, the others in the
  // first. Behind the texture's kind may stand which parts there are.
  unsigned parts = 0xf;
  if (operands.back().getAsInteger(0, parts))
    parts = 0xf;
  const unsigned results = popcount(parts);
  const unsigned coordinates = coordinatesOf(instruction);
  const bool isByGradient = instruction.mnemonic() == "TXD";
  switch (operand) {
  case 0:
    return results > 2 ? results - 2 : 1;
  case 1:
    return std::min(results, 2u);
  case 2:
    return instruction.hasSuffix("SCR") ? std::min(coordinates, 2u)
                                        : coordinates;
  case 3:
    if (isByGradient)
      return 2 * coordinates;
    // The level, behind a coordinate that the operand before has no place for.
    return instruction.hasSuffix("SCR") && coordinates > 2 ? coordinates - 1
                                                           : 1;
  default:
    return 1;
  }
}

unsigned bulkWords(const MachineText &instruction, bool isFirst) {
  const StringRef name = instruction.mnemonic();
  // Addresses in global memory take two, those in shared memory one, with their
  // barrier two.
  if (name.starts_with("UBLK"))
    return isFirst || instruction.opcode.contains(".S.G") ? 2 : 1;
  unsigned dimensions = 0;
  for (unsigned count = 1; count <= 5; ++count)
    if (instruction.hasSuffix(std::to_string(count) + "D"))
      dimensions = count;
  // The descriptor's address, or that in shared memory, the barrier of a load,
  // and coordinates.
  if (!isFirst || !dimensions)
    return 2;
  return dimensions + (name == "UTMALDG" ? 2 : 1);
}

} // namespace warplint
