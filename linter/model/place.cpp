#include "model/place.h"
#include "llvm/Support/Path.h"

namespace warplint {

bool sameLine(const Place &a, const Place &b) {
  return a.line == b.line &&
         llvm::sys::path::filename(a.file) == llvm::sys::path::filename(b.file);
}

} // namespace warplint
