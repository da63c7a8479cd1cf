// The memory instructions in a piece of inline PTX.
#pragma once
#include "model/model.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace warplint {

struct AsmAccess {
  Operation operation = Operation::Load;
  Space space = Space::Unknown;
  unsigned bytes = 0; ///< moved by one lane
  unsigned operand =
      0; ///< the `$n` that holds the address; unused for textures and surfaces
  int64_t offset = 0; ///< of the address from the operand: "[$n+16]"
  /// The `$n` that holds the size, if the text does not.
  std::optional<unsigned> bytesOperand;
  bool isAsync = false;
  bool isVolatile = false;
};

/// Reads ld, st, atom, red and cp.async with an address in a `[$n]` or
/// `[$n+m]`; other instructions that access memory are named in `notFollowed`.
std::vector<AsmAccess> readInlineAsm(llvm::StringRef text,
                                     std::vector<std::string> &notFollowed);

} // namespace warplint
