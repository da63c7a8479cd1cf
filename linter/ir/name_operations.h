// Names what an IR instruction computes, in the model's words.
#pragma once
#include "model/computation.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace warplint {

/// Marks, in IR made from PTX, a function's or division's short form:
/// `div.full`, `ex2.approx`.
constexpr const char *approximate = "warplint.approximate";

/// The type of the numbers in values of `type`; Other for what is no number.
Number numberOf(const llvm::Type *type);

/// Returns true for what moves whole registers of a wider integer, as the copy
/// of a 'uint4' does: 'x >> 32', '(high << 32) | low', and what takes the halves
/// of a register apart and joins them again, as functions of 'half2' do. No
/// instruction computes it.
bool movesWords(const llvm::Instruction &instruction);

/// Returns kind, types and manner of what `instruction` computes, and the name
/// of the function that it calls; nothing for accesses, addresses, control
/// flow and moves of words.
struct NamedOperation {
  Computation computation;
  std::string function;
};
std::optional<NamedOperation>
nameOperation(const llvm::Instruction &instruction);

} // namespace warplint
