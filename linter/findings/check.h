// The interface of a check, and the list of all checks. Checks reach the
// compiled code, its frames and its occupancy through this header alone.
#pragma once
#include "cost/costed.h"
#include "findings/finding.h"
#include "machine/build_report.h"
#include "machine/compiled.h"
#include "machine/frame.h"
#include "machine/occupancy.h"
#include "machine/register_words.h"
#include <string_view>
#include <vector>

namespace warplint {

/// The page of a check, which `explain`, docs/checks.md and every report format
/// print.
struct CheckInfo {
  std::string_view id;      ///< the file's stem; names the pattern
  std::string_view summary; ///< one sentence
  std::string_view why;     ///< the cost, and its cause in the hardware
  std::string_view slow;    ///< a kernel that the check flags
  std::string_view fast;    ///< the same work, not flagged
  std::string_view cures;   ///< remedies, case by case
  std::string_view whenNot; ///< when to ignore a finding
  Level level = Level::Likely;
  std::string_view since; ///< its first release; "next" until then
  std::string_view ncu;   ///< where Nsight Compute shows it
  /// The threshold that `.warplint.yaml` can set; may be null.
  const Threshold *threshold = nullptr;
  /// The code alone decides: launches and sizes only say what a remedy is worth.
  bool ofCode = false;
};

/// Collects the findings of one check in one kernel.
class Findings {
public:
  Findings(const CheckInfo &check, const Kernel &kernel,
           std::vector<Finding> &into)
      : check_(check), kernel_(kernel), into_(into) {}

  /// `subject` goes to the check's `judge`: the index of the access or array.
  Finding &add(const Place &place, const std::vector<Place> &callSites,
               std::string message, unsigned subject);
  Finding &add(const Access &access, std::string message, unsigned subject);

private:
  const CheckInfo &check_;
  const Kernel &kernel_;
  std::vector<Finding> &into_;
};

/// A kernel as compiled for one architecture.
struct CompiledView {
  const CostedKernel &source;
  const CompiledKernel &compiled;
  /// The kernel read from its PTX, with the same shapes; null if there is no
  /// PTX, or no need for it: no finding in the source and no stack frame.
  const CostedKernel *ptx;
};

struct Check {
  CheckInfo info;
  /// Adds the pattern's findings in the source of one kernel. Null if the
  /// source alone does not show it.
  void (*inspect)(const CostedKernel &kernel, Findings &findings);
  /// Confirms or refutes one finding of `inspect` by the compiled code. May be
  /// null.
  Judgement (*judge)(const Finding &finding, unsigned subject,
                     const CompiledView &view);
  /// Adds findings in the compiled code of one kernel on one architecture. They
  /// are confirmed by construction; the evidence is in the finding's only
  /// kernel. If it is not null, every source with kernels is compiled.
  void (*inspectCompiled)(const CompiledView &view,
                          Findings &findings) = nullptr;
  /// The more general check that a finding of `inspect` replaces at the same
  /// place and about the same; may be null.
  const char *insteadOf = nullptr;
  Asks judgeAsks = Asks::PtxWithLines;
  Asks inspectAsks = Asks::FrameLines; ///< `inspectCompiled`
  bool asksOptions = false; ///< `inspectCompiled` needs CompiledKernel::options
};

/// All enrolled checks, sorted by id.
const std::vector<Check> &checks();
/// Finds `useless-allow` and `worse-kernel` too; null if no check has that id.
const Check *findCheck(std::string_view id);

/// One object of this type at namespace scope enrols a check.
struct Enrol {
  explicit Enrol(Check check);
};

} // namespace warplint
