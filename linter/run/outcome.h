// What came of each source to one report: the end of the line, which needs
// nothing of what stood before it. So it may run on another machine.
#pragma once
#include "input/buffers.h"
#include "report/report.h"
#include "run/reading.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// What came of one source.
struct SourceOutcome {
  std::string source;      ///< absolute
  bool hasToolkit = false; ///< or needs none
  std::string whyNot;      ///< a sentence if nothing of it could be read
  Outline outline;
  Place errorPlace;               ///< of the first error, as far as it has one
  std::vector<std::string> notes; ///< on what is missing without an error
  // Of what was linted:
  Linted linted; ///< findings with their levels
  bool isCrashed = false;
  std::vector<std::string> enabled;  ///< checks
  std::set<std::string> reported;    ///< files whose findings are reported
  std::optional<Level> uselessLevel; ///< of useless allowances
};

struct Outcomes {
  std::vector<SourceOutcome> sources; ///< sorted as their commands are
  std::vector<std::string> notes;
  /// No source is left out that includes a header of one of these.
  bool areAll = false;
};

/// The checks that were enabled for every source.
std::set<std::string> ranEverywhere(const Outcomes &outcomes);

/// What the report says of sources beside their findings.
Report summary(const Outcomes &outcomes);

/// The whole report: what the sources allow with a reason is no finding.
Report conclude(Outcomes outcomes, const Buffers &buffers = {});

} // namespace warplint
