// Explains from a kernel's register holders why they are so many.
#pragma once
#include "machine/register_report.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

struct LaunchLimits;
struct Usage;
class StatementFiles;

struct RegisterReason {
  unsigned registers = 0;        ///< that it explains
  std::string text;              ///< a phrase
  Place loop = {};               ///< whose body has copies; else without a line
  InlinedFunction function = {}; ///< whose values they are; else without a name
};

/// The one that explains most first: copies of an unrolled loop, an inlined
/// function, 64-bit addresses, double, limits. `copies`: for each of the
/// report's owners, how many instructions that are the same but for their
/// registers write its values.
std::vector<RegisterReason> reasonsOf(const RegisterReport &report,
                                      llvm::ArrayRef<unsigned> copies,
                                      const Usage &usage,
                                      const LaunchLimits &limits,
                                      StatementFiles &files);

} // namespace warplint
