#include "input/suggest.h"

using namespace llvm;

namespace warplint {

static std::string nearestByDistance(StringRef word,
                                     ArrayRef<std::string> candidates) {
  // Rounded up, so that two letters swapped in a word of four ("jsno") are
  // still near; never the whole word, or every short word would be.
  const unsigned limit =
      std::min<size_t>((word.size() + 2) / 3, word.size() - 1);
  unsigned best = limit + 1;
  std::string result;
  for (StringRef candidate : candidates) {
    unsigned distance = word.edit_distance_insensitive(
        candidate, /*AllowReplacements=*/true, limit);
    if (distance >= best)
      continue;
    best = distance;
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
