#include "base/suggest.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace warplint {

static std::string nearestByDistance(StringRef word,
                                     ArrayRef<std::string> candidates) {
  // Rounded up, so that "jsno" is near "json": swapped letters count two. A
  // word of one or two letters is near to nothing.
  const unsigned limit = word.size() < 3 ? 0 : (word.size() + 2) / 3;
  // At equal distances, prefers the candidate of the same length: swapping two
  // letters is a more likely mistake than leaving one out.
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
  // Words of three letters are part of too many others.
  return word.size() < 4 ? "" : onlyOneWith(word, candidates);
}

std::string didYouMean(StringRef nearest) {
  return nearest.empty() ? "" : "; did you mean '" + nearest.str() + "'?";
}

} // namespace warplint
