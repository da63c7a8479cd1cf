// The measurements of a program's kernels by Nsight Compute, by instruction.
#pragma once
#include "model/place.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// One instruction of the machine code, or one line where the report has no
/// more. Counts are sums over all launches of the kernel.
struct ProfiledInstruction {
  std::string text;          ///< "LDG.E R3, desc[UR4][R2.64]"; may be empty
  std::vector<Place> places; ///< its lines; inlined code has that of the call
  double samples = 0;        ///< of warps that stood at it
  double executed = 0;       ///< by warps
  /// Between L1 and L2 by its addresses, of all requests; 0: not global memory.
  double sectors = 0, idealSectors = 0;
  double sharedWays = 0; ///< bank conflicts: wavefronts of a request; 0: none
  /// Samples by what the warp waited for: "long_sb". Without those that the
  /// scheduler issued.
  std::map<std::string, double> stalls = {};
};

struct ProfiledKernel {
  std::string name; ///< as the report spells it, demangled or not
  unsigned launches = 0;
  /// In the order of the code.
  std::vector<ProfiledInstruction> instructions;
  /// By rule of Nsight Compute, "UncoalescedGlobalAccess": the percentage of
  /// the time that following its advice saves, by NVIDIA's estimate.
  std::map<std::string, double> estimates;

  double samples() const;
};

struct Profile {
  std::vector<ProfiledKernel> kernels; ///< in the order of their first launch
  /// Lines of sources as the report holds them, without space at both ends.
  std::vector<std::pair<Place, std::string>> lines;
};

/// Reads the output of `ncu --import R --page source --print-source cuda,sass
/// --csv`, also of releases that print lines alone. `name`: of the file. Fails
/// with a sentence if it has no lines of sources.
llvm::Expected<Profile> readProfile(llvm::StringRef csv, llvm::StringRef name);

/// Adds the estimates of the output of `ncu --import R --page details --csv`.
/// Reads what it finds.
void readEstimates(llvm::StringRef csv, Profile &into);

/// Moves samples of warps that wait for a load to the load: the report counts
/// them at the instruction that uses the result.
void moveWaitsToLoads(ProfiledKernel &kernel);

} // namespace warplint
