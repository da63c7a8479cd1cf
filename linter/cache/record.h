// Values to bytes and back: between processes, and from one run to the next of
// the same program. No other program reads this format.
//
// Each room lists the fields of its own types in its record_fields.h, and
// instantiates these templates for them in its records.cpp.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

template <typename T> std::string toRecord(const T &value);

/// Returns no value if `bytes` are not those of such a value.
template <typename T> std::optional<T> fromRecord(llvm::StringRef bytes);

} // namespace warplint
