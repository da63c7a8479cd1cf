// The machine code of a kernel to what its registers hold at an instruction.
//
// The control flow leads back to the instructions that wrote a register,
// through copies, calls and the stack frame. An instruction's line in the PTX
// gives the value that it computes, and that its name (machine/value_names.h).
// Values that several instructions write, as around a loop, get the name that
// says most.
#pragma once
#include "machine/kernel_code.h"
#include "machine/live_registers.h"
#include "machine/value_names.h"

namespace warplint {

class RegisterValues {
public:
  RegisterValues(const KernelCode &kernel, StatementFiles &files);

  const LiveRegisters &live() const { return live_; }

  /// The value of a register at an instruction.
  RegisterOwner ownerOf(size_t instruction, unsigned number) {
    return ownerOf(instruction, number, 0);
  }

  /// The value that an instruction spills to the frame, or loads from it again.
  RegisterOwner spilled(size_t instruction, int offset);

  /// The frames of an instruction that are in the user's code, innermost first.
  std::vector<SourceFrame> userFrames(size_t instruction) const {
    return names_.userFrames(ptxLine(instruction));
  }

  /// The part of an instruction that another one that differs in its registers
  /// alone, and is not from the same instruction of the PTX, has in common with
  /// it.
  std::string formOf(size_t instruction) const;

  unsigned ptxLine(size_t instruction) const;

private:
  RegisterOwner ownerOf(size_t instruction, unsigned number, unsigned depth);
  RegisterOwner writtenBy(size_t index, unsigned number, unsigned depth);
  RegisterOwner ownerBefore(size_t index, unsigned number, unsigned depth);
  bool isSpill(size_t index, llvm::StringRef mnemonic) const;
  void findSlots();
  RegisterOwner storedBy(size_t index, int offset);
  RegisterOwner reloadedBy(size_t index, int offset);
  static bool isConstant(const MachineInstruction &one);
  bool isConstantBefore(size_t index, unsigned number) const;
  llvm::StringRef calleeOf(const MachineInstruction &call) const;
  bool isCallOfPtxas(const MachineInstruction &call) const;
  RegisterOwner resultOf(const MachineInstruction &call);
  std::optional<RegisterOwner> parameterOf(const MachineInstruction &one,
                                           unsigned number);
  std::optional<RegisterOwner> conditionOf(size_t index);
  RegisterOwner ofFunction(size_t index);
  RegisterOwner ofStatement(size_t index);

  const KernelCode &kernel_;
  const LiveRegisters live_;
  ValueNames names_;
  struct Store {
    unsigned number = 0; ///< of the register
    RegisterOwner owner;
    bool isKnown = false, isConstant = false;
  };
  /// By word of the frame, and instruction.
  std::map<int, std::map<size_t, Store>> slots_;
};

} // namespace warplint
