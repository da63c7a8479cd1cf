// A hash of a number whose bits are all spread over the result.
#pragma once
#include <cstdint>

namespace warplint {

/// The finaliser of MurmurHash3.
inline uint64_t mix(uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

} // namespace warplint
