// Prints Nsight Compute's measurements beside what warplint says of kernels.
#pragma once
#include "machine/profile.h"
#include "report/accesses.h"
#include "report/report.h"

namespace warplint {

/// A kernel of the sources, with its accesses.
struct SourceKernel {
  std::string name; ///< "gather<float, 4>"
  std::string mangled;
  std::vector<AccessRow> accesses;
};

/// A number for each request of a warp, predicted and measured.
struct Compared {
  const char *unit; ///< "sectors per request", "ways"
  double predicted = 0, measured = 0;
};

struct MeasuredFinding {
  Finding finding;
  std::string kernel;
  double share = 0;      ///< of the stall samples of its kernel, from 0 to 1
  double shareOfAll = 0; ///< of those of all kernels in the profile
  /// No instruction stands at its place: it is about the whole kernel.
  bool isWhole = false;
  std::optional<Compared> compared = {};
  /// The share of the kernel's time that its remedy saves by NVIDIA's rule, in
  /// percent.
  std::optional<std::pair<std::string, double>> estimate = {};
};

/// A line where warps wait and that no finding names.
struct HotLine {
  std::string kernel;
  Place place;
  double share = 0, shareOfAll = 0; ///< as above
  std::string stalls = {};          ///< "long_sb 80 %, lg 12 %"
  std::string why = {};             ///< warplint says nothing
};

struct Measured {
  std::vector<MeasuredFinding> hot, cold; ///< the dearest first
  std::vector<HotLine> notFound;          ///< the hottest first
  std::vector<std::string> notes;         ///< what could not be compared
};

/// From this share of the samples of its kernel on a line is hot.
inline constexpr double hotShare = 0.05;

/// Joins by kernel, file and line. Paths of the profile may be of another
/// machine: the files whose paths end alike are the same. Fails with a sentence
/// if a line of the profile differs from the file's, or no kernel is known.
llvm::Expected<Measured> compareMeasured(const Profile &profile,
                                         const Report &report,
                                         llvm::ArrayRef<SourceKernel> kernels);

void printMeasured(const Measured &measured, const std::string &relativeTo,
                   llvm::raw_ostream &out);
void printMeasuredJson(const Measured &measured, llvm::raw_ostream &out);

} // namespace warplint
