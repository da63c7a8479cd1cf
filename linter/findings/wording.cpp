#include "findings/wording.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace warplint {

std::string shownNumber(double value) {
  return std::abs(value - std::round(value)) < 0.05
             ? llvm::formatv("{0}", int64_t(std::round(value))).str()
             : llvm::formatv("{0:f1}", value).str();
}

std::string shapeNote(const KernelShape &shape) {
  std::string blocks = "blocks of " + shape.shape.text();
  switch (shape.source) {
  case ShapeSource::Launch:
    return "for " + blocks + ", launched at line " +
           std::to_string(shape.place.line);
  case ShapeSource::LaunchBounds:
    return "for " + blocks + ", the most that the launch bounds allow";
  case ShapeSource::Option:
    return "for " + blocks + ", as --block says";
  case ShapeSource::Assumed:
    break;
  }
  return "assuming " + blocks + ": no launch with a known shape was seen";
}

std::string ncuNote(std::string_view where) {
  return "in Nsight Compute: " + std::string(where);
}

} // namespace warplint
