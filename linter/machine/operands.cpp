#include "machine/operands.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

std::optional<unsigned> registerIn(StringRef operand) {
  operand = operand.ltrim("-|~!");
  unsigned number = 0;
  if (!operand.consume_front("R") || operand.consumeInteger(10, number))
    return std::nullopt;
  if (!operand.empty() && operand.front() != '.' && operand.front() != '|')
    return std::nullopt;
  return number;
}

std::optional<unsigned> destination(const MachineText &instruction) {
  for (StringRef operand : instruction.operandList()) {
    if (auto number = registerIn(operand))
      return number;
    // Predicates may stand before it.
    if (operand.front() != 'P' && operand.front() != 'U')
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<unsigned> copied(const MachineInstruction &instruction) {
  const std::vector<StringRef> operands = instruction.operandList();
  const StringRef name = instruction.mnemonic();
  if (name == "MOV" && operands.size() >= 2)
    return registerIn(operands[1]);
  if (name == "IMAD" && instruction.hasSuffix("MOV") && operands.size() == 4 &&
      operands[1] == "RZ" && operands[2] == "RZ")
    return registerIn(operands[3]);
  return std::nullopt;
}

bool isPlainMove(const MachineInstruction &instruction) {
  const StringRef name = instruction.mnemonic();
  return name == "MOV" || name == "LDC" || name == "S2R" || name == "CS2R" ||
         name == "S2UR" || (name == "IMAD" && instruction.hasSuffix("MOV")) ||
         (name == "HFMA2" && instruction.operands.contains("-RZ, RZ"));
}

std::optional<unsigned> constantOffset(StringRef operands) {
  const size_t at = operands.find("c[0x0][0x");
  unsigned offset = 0;
  if (at == StringRef::npos ||
      operands.substr(at + 9).take_while(isHexDigit).getAsInteger(16, offset))
    return std::nullopt;
  return offset;
}

std::optional<int> frameOffset(StringRef operands) {
  const size_t at = operands.find("[R1");
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef rest = operands.substr(at + 3);
  int offset = 0;
  if (rest.starts_with("]"))
    return 0;
  if (!rest.consume_front("+") || rest.consumeInteger(0, offset) ||
      !rest.starts_with("]"))
    return std::nullopt;
  return offset;
}

unsigned wordsMoved(const MachineText &instruction) {
  return instruction.hasSuffix("128") ? 4 : instruction.hasSuffix("64") ? 2 : 1;
}

} // namespace warplint
