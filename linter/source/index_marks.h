// Device IR as it was generated to the same IR with a mark before each call of
// `a(i, j)` that says what the indexes are: once the call is inlined, only an
// address is left of them.
#pragma once
#include "source/emit.h"

namespace warplint {

/// A mark is a call to a function of this name and the layout's:
/// "warplint.index.LayoutRight". Its operands are the indexes, its debug
/// location is the call's.
constexpr const char *indexMark = "warplint.index.";
/// Marks the loads of indexes that were passed by reference.
constexpr const char *indexLoad = "warplint.index";

/// Marks the calls of arrays of two and more dimensions whose class names its
/// layout: Kokkos::View as `array_layout`, mdspan as `layout_type`.
void markIndexes(Emitted &emitted);

/// Takes the marks away again, for passes to whom a call is a call.
void forgetIndexMarks(llvm::Module &module);

/// Which index runs fastest in a layout of this name; nothing if that depends.
std::optional<unsigned> contiguousIndex(llvm::StringRef layout,
                                        unsigned indexes);

} // namespace warplint
