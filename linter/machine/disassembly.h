// Reads what nvdisasm prints of a cubin into instructions: opcodes, operands
// and places.
//
// Read from nvdisasm 13.2. `-c` prints the code alone, `-g`, `-gi` and `-gp`
// add the source lines, those with inlined calls, and the lines of the PTX. It
// prints the code of one kernel, with the functions that are not inlined into
// it, as one section.
#pragma once
#include "model/place.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// The text of an instruction.
struct MachineText {
  llvm::StringRef guard;    ///< "P0", "!UP1"; empty without one
  llvm::StringRef opcode;   ///< "LDG.E.64", with all its suffixes
  llvm::StringRef operands; ///< "R4, desc[UR4][R18.64+0x10]"

  /// The opcode without its suffixes: "LDG".
  llvm::StringRef mnemonic() const {
    return opcode.take_until([](char c) { return c == '.'; });
  }
  bool hasSuffix(llvm::StringRef suffix) const; ///< "64", "WIDE"
  /// Operands, split at the commas outside of brackets.
  std::vector<llvm::StringRef> operandList() const;
};

/// The parts of "@P0 LDG.E.64 R4, desc[UR4][R18.64+0x10] ;".
MachineText machineText(llvm::StringRef code);

struct MachineInstruction : MachineText {
  uint64_t offset = 0; ///< in its section, in bytes
  /// The instructions that its operands name by labels, by index: one of a
  /// branch or call, several of a jump through a table. Without those of other
  /// sections.
  std::vector<size_t> targets;
  /// Its line, then those of the calls that it is inlined into; from `-g` and
  /// `-gi`. With `-gp` a line of the PTX.
  std::vector<Place> places;
};

/// A function that is not inlined, within the code of its kernel.
struct MachineCallee {
  std::string name; ///< "$kernel$function", as the cubin names it
  size_t first = 0; ///< index of its first instruction
};

/// The code in one section ".text.NAME".
struct MachineFunction {
  std::string name; ///< mangled
  std::vector<MachineInstruction> instructions;
  std::vector<MachineCallee> callees; ///< in the order of the code

  /// The callee that contains an instruction, empty for the kernel itself.
  llvm::StringRef functionAt(size_t instruction) const;
  /// The instruction at an offset, by index.
  std::optional<size_t> at(uint64_t offset) const;
};

/// Reads what nvdisasm printed; the result points into the text. Fails if the
/// text has no code, with the message of nvdisasm if it printed one.
llvm::Expected<std::vector<MachineFunction>>
readDisassembly(llvm::StringRef text);

} // namespace warplint
