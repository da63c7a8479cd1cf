// The memory instructions in a piece of inline PTX.
#pragma once
#include "model/model.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace warplint {

struct AsmAccess {
  Operation operation = Operation::Load;
  Space space = Space::Unknown;
  unsigned bytes = 0;   ///< moved by one lane
  unsigned operand = 0; ///< the `$n` that holds the address; none in a
                        ///< texture's or a surface's layout
  int64_t offset = 0;   ///< of the address from the operand: "[$n+16]"
  /// The `$n` that says `bytes`, where the text itself does not.
  std::optional<unsigned> bytesOperand;
  bool isAsync = false;
  bool isVolatile = false;
};

/// ld, st, atom, red and cp.async with their address in a `[$n]` or `[$n+m]`;
/// instructions that touch memory in another way are named in `notFollowed`.
std::vector<AsmAccess> readInlineAsm(llvm::StringRef text,
                                     std::vector<std::string> &notFollowed);

} // namespace warplint
