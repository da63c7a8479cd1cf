#include "input/suggest.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

std::string nearest(llvm::StringRef word,
                    llvm::ArrayRef<std::string> candidates) {
  // A third of the letters may differ: 'bild' finds 'build', while two short
  // names that share nothing are never offered for one another.
  unsigned limit = word.size() / 3 + 1;
  std::string best;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance =
        word.edit_distance_insensitive(candidate, true, limit + 1);
    if (distance >= candidate.size() || distance > limit)
      continue;
    limit = distance ? distance - 1 : 0;
    best = candidate.str();
    if (!distance)
      break;
  }
  return best;
}

} // namespace warplint
