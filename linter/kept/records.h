// Values to bytes and back: between processes, and from one run to the next of
// the same program. No format for anybody else.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warplint {

/// For Reading, SourceModel, LastReading, Linted, CompiledUnit,
/// ShardReport, lists of launches and lists of texts.
template <typename T> std::string toRecord(const T &value);

/// Nothing if these are not the bytes of such a value.
template <typename T> std::optional<T> fromRecord(llvm::StringRef bytes);

} // namespace warplint
