#include "input/files_below.h"
#include "input/database.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace warplint {

bool FilesBelow::allow(const std::string &file) {
  auto [known, isNew] = known_.try_emplace(file, false);
  if (!isNew)
    return known->second;
  const std::string real = canonicalPath(file);
  known->second = !sys::fs::exists(real) ||
                  (sys::fs::is_regular_file(real) &&
                   any_of(folders_, [&](const std::string &folder) {
                     return isBelow(real, folder);
                   }));
  return known->second;
}

} // namespace warplint
