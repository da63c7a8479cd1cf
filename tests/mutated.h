// Bytes with a few errors in them, the same ones at each run.
#pragma once
#include <algorithm>
#include <random>
#include <string>

namespace warplint {

/// Cuts `bytes` off, changes some of them, or copies some over others.
inline std::string mutated(std::string bytes, std::mt19937 &random) {
  auto below = [&](size_t end) { return end ? random() % end : 0; };
  const unsigned changes = 1 + below(4);
  for (unsigned i = 0; i < changes && !bytes.empty(); ++i) {
    const size_t at = below(bytes.size());
    switch (below(5)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes[at] ^= char(1 << below(8));
      break;
    case 2:
      bytes[at] = "\0\x01\x7f\x80\xff"[below(5)];
      break;
    case 3:
      for (size_t j = at; j < std::min(at + 8, bytes.size()); ++j)
        bytes[j] = char(random());
      break;
    case 4: {
      const std::string part = bytes.substr(below(bytes.size()), below(64));
      below(2) ? bytes.insert(at, part) : bytes.replace(at, part.size(), part);
      break;
    }
    }
  }
  return bytes;
}

} // namespace warplint
