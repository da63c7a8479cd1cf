// Serialises a struct: lists its fields in the order in which a record holds
// them (cache/record.h).
#pragma once

/// Takes all fields of a struct; does not compile if one is missing.
#define WARPLINT_FIELDS(type, ...)                                             \
  template <typename Archive> void serialize(Archive &archive, type &all) {    \
    auto &[__VA_ARGS__] = all;                                                 \
    archive(__VA_ARGS__);                                                      \
  }
