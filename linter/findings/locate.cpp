#include "findings/locate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace warplint {

bool sameLine(const Place &a, const Place &b) {
  return a.line == b.line &&
         llvm::sys::path::filename(a.file) == llvm::sys::path::filename(b.file);
}

bool comesFrom(const Access &access, const Place &place) {
  return sameLine(access.place, place) ||
         llvm::any_of(access.callSites,
                      [&](const Place &site) { return sameLine(site, place); });
}

} // namespace warplint
