// Machine instructions to which of their operands they write.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// Which operands an instruction writes.
enum class OpcodeResults {
  Register,   ///< the first register, and the predicates around it
  Predicate,  ///< the first operand
  Predicates, ///< the first two
  None,
  Unknown
};

/// `mnemonic`: without its suffixes, "LDG".
OpcodeResults resultsOf(llvm::StringRef mnemonic);

} // namespace warplint
