// What a check is, and the list of all that are enrolled. Checks reach the
// compiled code, its frames and its occupancy through this header alone.
#pragma once
#include "cost/costed.h"
#include "findings/finding.h"
#include "machine/build_report.h"
#include "machine/compiled.h"
#include "machine/frame.h"
#include "machine/occupancy.h"
#include <string_view>
#include <vector>

namespace warplint {

/// The page of a check: `explain`, docs/checks.md and every report format take
/// their words from here.
struct CheckInfo {
  std::string_view id;      ///< the file's stem; names the pattern
  std::string_view summary; ///< one sentence
  std::string_view why;     ///< what it costs, and how the hardware comes to it
  std::string_view slow;    ///< a kernel that is flagged
  std::string_view fast;    ///< the same work, not flagged
  std::string_view cures;   ///< what to do, case by case
  std::string_view whenNot; ///< when it is not worth it
  Level level = Level::Likely;
  std::string_view since; ///< release it came with; "next" until then
  std::string_view ncu;   ///< where Nsight Compute shows it
  /// What `.warplint.yaml` can set; null: nothing.
  const Threshold *threshold = nullptr;
};

/// Where a check puts what it finds in one kernel.
class Findings {
public:
  Findings(const CheckInfo &check, const Kernel &kernel,
           std::vector<Finding> &into)
      : check_(check), kernel_(kernel), into_(into) {}

  /// `subject` is whatever the check's judge needs to know again: the index of
  /// the access or array.
  Finding &add(const Place &place, const std::vector<Place> &callSites,
               std::string message, unsigned subject);
  Finding &add(const Access &access, std::string message, unsigned subject) {
    Finding &finding =
        add(access.place, access.callSites, std::move(message), subject);
    finding.about = access.text.empty() ? access.object : access.text;
    return finding;
  }

private:
  const CheckInfo &check_;
  const Kernel &kernel_;
  std::vector<Finding> &into_;
};

/// What the compiler made of one kernel on one architecture.
struct CompiledView {
  const CostedKernel &source;
  const CompiledKernel &compiled;
  /// The kernel as its PTX says it, with the same shapes; null if there is no
  /// PTX, or nothing to ask it: no finding in the source and no stack frame.
  const CostedKernel *ptx;
};

struct Check {
  CheckInfo info;
  /// Adds what the source shows of this pattern in one kernel. Null: the source
  /// alone shows nothing.
  void (*inspect)(const CostedKernel &kernel, Findings &findings);
  /// What the compiled code says of one finding of `inspect`. `subject` is what
  /// that gave. Null: nothing.
  Judgement (*judge)(const Finding &finding, unsigned subject,
                     const CompiledView &view);
  /// Adds what the compiled code of one kernel shows by itself on one
  /// architecture: confirmed by construction, the evidence in the finding's
  /// only kernel. Null: nothing; otherwise every source with kernels is
  /// compiled.
  void (*inspectCompiled)(const CompiledView &view,
                          Findings &findings) = nullptr;
  /// The more general check whose finding at the same place about the same is
  /// left out where `inspect` has one; null if there is none.
  const char *insteadOf = nullptr;
  Asks judgeAsks = Asks::PtxWithLines;
  Asks inspectAsks = Asks::FrameLines; ///< `inspectCompiled`
};

/// All enrolled checks, sorted by id.
const std::vector<Check> &checks();
/// `useless-allow` as well; null if there is none of that id.
const Check *findCheck(std::string_view id);

/// One object of this type at namespace scope enrols a check.
struct Enrol {
  explicit Enrol(Check check);
};

} // namespace warplint
