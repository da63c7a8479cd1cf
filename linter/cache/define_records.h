// Defines the templates of cache/record.h for the files that instantiate them,
// each room's records.cpp. Cereal asks for the names of types, so only these
// files are compiled with -frtti.
#pragma once
#include "cache/record.h"
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>

namespace warplint {

template <typename T> std::string toRecord(const T &value) {
  std::ostringstream out;
  {
    cereal::BinaryOutputArchive archive(out);
    archive(value);
  }
  return out.str();
}

template <typename T> std::optional<T> fromRecord(llvm::StringRef bytes) {
  std::istringstream in(bytes.str());
  // Cereal throws on a truncated record and on an impossible size.
  try {
    cereal::BinaryInputArchive archive(in);
    T value;
    archive(value);
    return value;
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

#define WARPLINT_RECORD(...)                                                   \
  template std::string toRecord(const __VA_ARGS__ &);                          \
  template std::optional<__VA_ARGS__> fromRecord(llvm::StringRef)

} // namespace warplint
