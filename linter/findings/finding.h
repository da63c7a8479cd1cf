// A finding: the place, check and message, with evidence and verdict.
#pragma once
#include "cost/saving.h"
#include "findings/fix.h"
#include "model/place.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace warplint {

/// A promise about false alarms: certain (none known, by the compiler's own
/// word), likely (the default), opinion (off unless asked for).
enum class Level { Certain, Likely, Opinion };

/// The result of checking a finding against the compiled code.
enum class Verdict { Unjudged, Confirmed, Refuted };

const char *spelling(Level level);     ///< "certain", "likely", "opinion"
const char *spelling(Verdict verdict); ///< "unjudged", "confirmed", "refuted"

/// The verdict for one kernel instance and architecture.
struct Judgement {
  Verdict verdict = Verdict::Unjudged;
  std::string evidence; ///< in the compiled code, or why there is none
  /// The condition of a confirmation: "'ld' is above 8"; empty if it holds for
  /// all sizes and blocks.
  std::string condition = {};
};

/// A kernel instance that a finding applies to.
struct FindingKernel {
  std::string name;    ///< "gather<float, 4>", readable, without parameters
  std::string mangled; ///< as Clang spells it
  std::string architecture; ///< "sm_90"; empty if not judged
  Judgement judgement;
  unsigned subject = 0; ///< for the check's `judge`
  Place place = {};     ///< of the kernel's definition, if known
  /// Of this kernel's time, as the finding's; none until findings are merged.
  std::optional<double> share = {};
  /// What the share is of, where others can be added to it.
  std::optional<Saving> saving = {};
};

struct Finding {
  std::string check; ///< the check's id
  Level level = Level::Likely;
  Place place;
  /// The calls, outermost first, that inlined the code; empty if the place is
  /// in the kernel's own text.
  std::vector<Place> callSites;
  std::string message; ///< lower case, no full stop
  /// Details from the source: "lane 0 reads a[0], ..."
  std::vector<std::string> notes;
  std::string fix; ///< the remedy, one line; may be empty
  std::vector<FindingKernel> kernels;
  /// The subject, such as the accessed expression: findings of one check, place
  /// and subject are merged.
  std::string about;
  /// The amount of waste; a merge keeps the message and notes of the heaviest,
  /// or of the one whose remedy it keeps.
  double weight = 0;
  /// The share of the kernel's time that the remedy would save, from 0 to 1, by
  /// cost/kernel_time; none where the model has no word on it.
  std::optional<double> share;
  std::string cost;   ///< what `share` rests on, one line; empty without it
  /// The launch that `share` is of: "a.cu:8 with n = 4096"; empty where the
  /// kernel has only one.
  std::string launch;
  std::string object; ///< that is accessed: "particles"; may be empty
  /// What one change of the kernel ends for others as well, whatever their
  /// objects: "double literals"; may be empty.
  std::string cause;
  /// Other places that the finding stands for (report/rank.h).
  std::vector<Place> places;
  bool isPart = false; ///< another finding of the report stands for it
  bool minor = false;  ///< saves too little, or nothing launches its kernels
  double leastShare = 0.02;     ///< below it the finding is minor
  std::optional<Fix> edit = {}; ///< of the source; none if none is known

  /// A finding of another check with the same cause, at its place.
  struct Covered {
    std::string check;
    Place place;
  };
  /// Those that this one stands for in its kernel: one cause is reported once,
  /// and they are dropped.
  std::vector<Covered> covers;

  /// Findings that share it are merged.
  auto identity() const { return std::tie(place, check, callSites, about); }

  /// Confirmed if any kernel confirms it, else unjudged if any is unjudged,
  /// else refuted.
  Verdict verdict() const;
  /// The condition of the verdict: the first one, if no kernel confirms it
  /// without.
  std::string condition() const;
};

} // namespace warplint
