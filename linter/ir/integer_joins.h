// Which integer operations of the IR one machine instruction computes together:
// a sum of three values (IADD3), logic of three (LOP3), a shift that is added
// (LEA), both shifts of a rotation (SHF). Counted in machine code of nvcc 13.0
// for sm_90: SHA-256 has 1,470 instructions where its source has 2,500
// operations.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"

namespace warplint {

class IntegerJoins {
public:
  using AreTogether = llvm::function_ref<bool(const llvm::Instruction &part,
                                              const llvm::Instruction &whole)>;

  /// Returns the operands that the machine instruction of `whole` computes as
  /// well. Is asked in the order of the code. `areTogether` tells if two
  /// operations are executed at one place.
  llvm::SmallVector<const llvm::Instruction *, 2>
  partsOf(const llvm::Instruction &whole, AreTogether areTogether);

private:
  using Values = llvm::SmallVector<const llvm::Value *, 3>;
  /// What the instruction of an operation takes, if that may be part of another
  /// one.
  llvm::DenseMap<const llvm::Value *, Values> taken_;
};

} // namespace warplint
