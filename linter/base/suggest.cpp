#include "base/suggest.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace warplint {

static std::string nearestByDistance(StringRef word,
                                     ArrayRef<std::string> candidates) {
  // Rounded up, so that two letters swapped in a word of four ("jsno") are
  // still near; two letters and less could stand for anything.
  const unsigned limit = word.size() < 3 ? 0 : (word.size() + 2) / 3;
  // Of two that are as near, the one of the same length: swapped letters count
  // two, but a word is seldom one letter off as well.
  std::pair<unsigned, size_t> best = {limit + 1, 0};
  std::string result;
  for (StringRef candidate : candidates) {
    unsigned distance = word.edit_distance_insensitive(
        candidate, /*AllowReplacements=*/true, limit);
    size_t longer = std::max(word.size(), candidate.size()) -
                    std::min(word.size(), candidate.size());
    if (distance > limit || std::pair(distance, longer) >= best)
      continue;
    best = {distance, longer};
    result = candidate.str();
  }
  return result;
}

static std::string onlyOneWith(StringRef part,
                               ArrayRef<std::string> candidates) {
  std::string result;
  for (StringRef candidate : candidates) {
    if (!candidate.contains_insensitive(part) || candidate == result)
      continue;
    if (!result.empty())
      return "";
    result = candidate.str();
  }
  return result;
}

std::string nearest(StringRef word, ArrayRef<std::string> candidates) {
  if (word.empty())
    return "";
  std::string near = nearestByDistance(word, candidates);
  if (!near.empty())
    return near;
  // Three letters are in too many words to mean one of them.
  return word.size() < 4 ? "" : onlyOneWith(word, candidates);
}

} // namespace warplint
