// PTX to the branches whose condition is the same for all threads of a launch,
// and to its text with such a condition fixed.
//
// A condition counts if it is made of kernel parameters and constants alone, by
// arithmetic that no loop changes.
#pragma once
#include "machine/compiled.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

class StatementFiles;

/// One condition of a kernel; the compiler may have copied its branch.
struct OptionCondition {
  OptionBranch branch;         ///< without what compiling it gives
  std::vector<unsigned> lines; ///< of the PTX, that compute the condition
  /// Instructions that only one of the two values lets run.
  unsigned guarded = 0;
};

/// The conditions in a kernel that guard the most instructions, largest first:
/// those of `if`, `switch` and `?:`. The conditions of loops bound work, and
/// choose none.
llvm::Expected<std::vector<OptionCondition>>
optionConditions(llvm::StringRef ptx, llvm::StringRef kernel,
                 StatementFiles &files);

/// The text with the condition fixed to `value`.
std::string withCondition(llvm::StringRef ptx, const OptionCondition &condition,
                          bool value);

} // namespace warplint
