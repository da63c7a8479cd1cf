// Headers that were not found, to the folders of the project that have them.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

struct MissingHeader {
  std::string source; ///< absolute path
  std::string name;   ///< as its #include spells it: "solver/step.h"
};

/// The folders that '-I' could name so that the headers are found, each once,
/// in the order of the headers. Looks into the project of the first source. Of
/// several folders with a header, the one nearest to the source counts.
std::vector<std::string> foldersOf(llvm::ArrayRef<MissingHeader> missing);

} // namespace warplint
