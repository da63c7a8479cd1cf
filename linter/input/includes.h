// A source to the files that it may include, found in their text: much quicker
// than preprocessing, and never fewer than that finds.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// `"heat/step.h"` or `<Kokkos_Core.hpp>` with its first mark, of each
/// #include in a text that no macro names.
std::vector<llvm::StringRef> includesIn(llvm::StringRef text);

/// The file that such an include of `file` names: beside it, if it is in
/// quotes, else in the first of `folders` that has it. Empty if none has.
std::string findIncluded(llvm::StringRef include, llvm::StringRef file,
                         llvm::ArrayRef<std::string> folders);

/// What many sources include is read once. Not for several threads.
class IncludeScan {
public:
  /// Whether `source`, or anything it may include, is one of `files`, which are
  /// canonical paths below the folder `root`. `flags` are Clang's, used in
  /// `directory`. Conditions are not looked at, and below `root` an include
  /// that is a macro may be any file.
  bool mayRead(const std::string &source, llvm::StringRef directory,
               llvm::ArrayRef<std::string> flags,
               const std::set<std::string> &files, llvm::StringRef root);

private:
  struct Includes {
    std::vector<std::string> names; ///< as they are spelt
    bool hasMacro = false;          ///< `#include NAME`
  };
  const Includes &includesOf(const std::string &file);

  std::map<std::string, Includes> read_; ///< by canonical path
};

} // namespace warplint
