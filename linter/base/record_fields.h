// Serialises a struct: lists its fields in the order in which a record holds
// them (cache/record.h).
#pragma once

namespace warplint {

/// Returns true if a value from a record is one of its enumeration's, which
/// count from 0 to `last`.
template <typename Enum> bool isIn(Enum value, Enum last) {
  return value >= Enum(0) && value <= last;
}

} // namespace warplint

/// Takes all fields of a struct; does not compile if one is missing.
#define WARPLINT_FIELDS(type, ...)                                             \
  template <typename Archive> void serialize(Archive &archive, type &all) {    \
    auto &[__VA_ARGS__] = all;                                                 \
    archive(__VA_ARGS__);                                                      \
  }
