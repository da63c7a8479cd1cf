#include "machine/statement_files.h"
#include "base/regular_file.h"
#include "ptx/ptx_kernels.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

const SourceStatements *StatementFiles::of(const std::string &file) {
  auto [place, isNew] = files_.try_emplace(file);
  if (!isNew || file.empty())
    return place->second.get();
  SmallString<256> path(file);
  sys::path::make_absolute(directory_, path);
  if (auto buffer = readRegularFile(path.str().str()))
    place->second = std::make_unique<SourceStatements>((*buffer)->getBuffer());
  return place->second.get();
}

bool StatementFiles::isLibrary(const std::string &file) {
  auto [known, isNew] = libraries_.try_emplace(file);
  if (isNew)
    known->second = isLibraryFile(file);
  return known->second;
}

} // namespace warplint
