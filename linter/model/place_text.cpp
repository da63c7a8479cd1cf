#include "model/place_text.h"
#include "llvm/Support/Path.h"

namespace warplint {

std::string lineOf(const Place &place, const Place &seenFrom) {
  return (place.file == seenFrom.file
              ? "line "
              : llvm::sys::path::filename(place.file).str() + ":") +
         std::to_string(place.line);
}

std::string atLine(const Place &place, const Place &seenFrom) {
  return place.line ? " at " + lineOf(place, seenFrom) : "";
}

} // namespace warplint
