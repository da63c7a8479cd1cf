// Marks in device IR that say what the indexes of a call of `a(i, j)` are: once
// the call is inlined, only an address is left of them. source/mark_indexes
// sets them.
#pragma once
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace warplint {

/// A mark is a call to a function of this name and the layout's:
/// "warplint.index.LayoutRight". Its operands are the indexes, its debug
/// location is the call's.
constexpr const char *indexMark = "warplint.index.";
/// Marks the loads of indexes that were passed by reference.
constexpr const char *indexLoad = "warplint.index";

/// Takes the marks away again, for passes to whom a call is a call.
void forgetIndexMarks(llvm::Module &module);

/// Which index runs fastest in a layout of this name; nothing if that depends.
std::optional<unsigned> contiguousIndex(llvm::StringRef layout,
                                        unsigned indexes);

} // namespace warplint
