// Marks in device IR that keep the indexes of a call of `a(i, j)`: after
// inlining, only an address is left of them. source/mark_indexes sets them.
#pragma once
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace warplint {

/// A mark is a call to a function with this prefix and the layout's name:
/// "warplint.index.LayoutRight". Its operands are the indexes, its debug
/// location is that of the marked call.
constexpr const char *indexMark = "warplint.index.";
/// Marks the loads of indexes that were passed by reference.
constexpr const char *indexLoad = "warplint.index";

/// Removes the marks, for passes that treat every call alike.
void forgetIndexMarks(llvm::Function &function);

/// Returns the contiguous index of a layout of this name; nothing if the name
/// does not tell.
std::optional<unsigned> contiguousIndex(llvm::StringRef layout,
                                        unsigned indexes);

} // namespace warplint
