// The code of a kernel to its registers: where most of them are live, and which
// instructions wrote their values.
//
// A value reaches an instruction along the edges of the control flow on which
// its register is live.
#pragma once
#include "machine/liveness.h"

namespace warplint {

class LiveRegisters {
public:
  /// `function` must live as long as this.
  explicit LiveRegisters(const MachineFunction &function);

  /// An opcode whose registers are not known: then nothing else is. Else empty.
  const std::string &unknownOpcode() const { return live_.unknownOpcode; }

  /// The registers that hold a value at an instruction: those that it reads or
  /// writes, and those that are live across it. A call clobbers registers that
  /// hold none.
  std::vector<unsigned> at(size_t instruction, RegisterFile file) const;
  /// Their number.
  unsigned count(size_t instruction, RegisterFile file) const;
  /// The first instruction at which the most general registers are live; none
  /// in a function without instructions, or with an unknown one.
  std::optional<size_t> peak() const;
  /// The instructions that wrote the value of a register at an instruction, in
  /// the order of the code. Empty for a value from before the function.
  std::vector<size_t> definitions(size_t instruction, RegisterFile file,
                                  unsigned number) const;
  /// The instructions that write a register first behind an instruction, in the
  /// order of the code. A register that only a guarded instruction writes is
  /// live before it, since lanes that skip it keep what was there: ptxas gives
  /// it to no other value.
  std::vector<size_t> nextDefinitions(size_t instruction, RegisterFile file,
                                      unsigned number) const;
  /// True if the instruction is in a loop.
  bool isInLoop(size_t instruction) const { return inLoop_[instruction]; }
  const std::vector<size_t> &predecessors(size_t instruction) const {
    return flow_.predecessors[instruction];
  }

private:
  RegisterSet allAt(size_t instruction) const;
  void findLoops();

  const MachineFunction &function_;
  MachineFlow flow_;
  std::vector<bool> inLoop_;
  Liveness live_;
};

} // namespace warplint
