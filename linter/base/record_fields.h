// The fields of a struct in the order in which a record holds them.
#pragma once

/// Lists all fields of a struct; one that is left out does not compile.
#define WARPLINT_FIELDS(type, ...)                                             \
  template <typename Archive> void serialize(Archive &archive, type &all) {    \
    auto &[__VA_ARGS__] = all;                                                 \
    archive(__VA_ARGS__);                                                      \
  }
