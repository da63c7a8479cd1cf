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
  unsigned lanes = 32; ///< the first ones of a warp give the addresses
  int64_t offset = 0;  ///< of the address from the operand: "[$n+16]"
  /// The `$n` that holds the size, if the text does not.
  std::optional<unsigned> bytesOperand;
  bool isAsync = false;
  bool isVolatile = false;
};

/// Returns the bytes that an opcode moves: 16 for "ld.global.v4.f32".
unsigned bytesOf(llvm::StringRef opcode);

/// The lanes of a warp that give ldmatrix or stmatrix ("m8n8.x2") the address
/// of a row of `matrixRowBytes` each; 0 for formats whose rows are not that
/// long.
unsigned lanesOfMatrix(llvm::StringRef opcode);
constexpr unsigned matrixRowBytes = 16;

/// The operation of a multimem instruction on global memory.
Operation operationOfMultimem(llvm::StringRef opcode);

/// Reads ld, st, atom, red, ldmatrix, stmatrix, multimem, cp.async and
/// cp.async.bulk (without a tensor map) with an address in a `[$n]` or
/// `[$n+m]`; other instructions that access memory are named in `notFollowed`.
std::vector<AsmAccess> readInlineAsm(llvm::StringRef text,
                                     std::vector<std::string> &notFollowed);

} // namespace warplint
