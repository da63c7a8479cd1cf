// The results of all sources to one report. This is the end of the line and
// needs nothing else, so it may run on another machine.
#pragma once
#include "findings/finding.h"
#include "input/buffers.h"
#include "report/report.h"
#include "source/read.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// The result of compiling a source for judging.
struct CompileOutcome {
  std::string whyNot;    ///< a reason, as a sentence; else empty
  bool isWhole = false;  ///< every architecture was compiled
  bool byChance = false; ///< a time-out or a crash: the next run may succeed
};

/// The findings of one source.
struct Linted {
  std::vector<Finding> findings; ///< judged
  CompileOutcome compile;
  /// The mangled names of kernels with addresses too long to evaluate.
  std::vector<std::string> tooLong = {};
  /// The mangled names of kernels that the compiler made and Clang did not.
  std::vector<std::string> onlyCompiled = {};
};

/// All that the report needs of one source.
struct SourceOutcome {
  std::string source;      ///< absolute
  bool hasToolkit = false; ///< true as well if it needs none
  bool isBare = false;     ///< no build says how to compile it
  SourceOutline outline;
  Place errorPlace;               ///< of the first error, if it has a place
  std::vector<std::string> notes; ///< on what is missing without an error
  // Set once the source is linted:
  Linted linted; ///< findings have the levels that the settings give them
  std::string notLinted;             ///< "ended in a crash"; empty if it was
  std::vector<std::string> enabled;  ///< checks
  std::set<std::string> reported;    ///< files whose findings are reported
  std::optional<Level> uselessLevel; ///< of useless allowances
};

struct Outcomes {
  std::vector<SourceOutcome> sources; ///< sorted as their commands are
  std::vector<std::string> notes;
  /// True if no other source includes a header of these.
  bool areAll = false;
};

/// The checks that are enabled for every source.
std::set<std::string> ranEverywhere(const Outcomes &outcomes);

/// The report on the sources, without findings.
Report summary(const Outcomes &outcomes, const Buffers &buffers = {});

/// The whole report. Findings that a source allows with a reason are left out.
Report conclude(Outcomes outcomes, const Buffers &buffers = {});

} // namespace warplint
