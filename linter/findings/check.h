// What a check is, and the list of all that are enrolled.
#pragma once
#include "compiled/compiled.h"
#include "findings/finding.h"
#include "model/model.h"
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
};

class Findings;
struct CompiledView;

struct Check {
  CheckInfo info;
  /// Adds what the source shows of this pattern in one kernel.
  void (*inspect)(const Kernel &kernel, Findings &findings);
  /// What the compiled code says of one finding in one kernel. Null if the
  /// compiler cannot say anything.
  Judgement (*judge)(const Finding &finding, const CompiledView &compiled);
};

/// All enrolled checks, sorted by id.
const std::vector<Check> &checks();
/// Null if there is none of that id.
const Check *findCheck(std::string_view id);

/// One object of this type at namespace scope enrols a check.
struct Enrol {
  explicit Enrol(Check check);
};

} // namespace warplint
