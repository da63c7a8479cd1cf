// One place, one check, one sentence, its evidence, its verdict.
#pragma once
#include "model/place.h"
#include <string>
#include <tuple>
#include <vector>

namespace warplint {

/// A promise about false alarms: certain (none known, by the compiler's own
/// word), likely (the default), opinion (off unless asked for).
enum class Level { Certain, Likely, Opinion };

/// What the compiled code says of a suspicion.
enum class Verdict { Unjudged, Confirmed, Refuted };

const char *spelling(Level level);     ///< "certain", "likely", "opinion"
const char *spelling(Verdict verdict); ///< "unjudged", "confirmed", "refuted"

/// A judge's word on one kernel instance and architecture.
struct Judgement {
  Verdict verdict = Verdict::Unjudged;
  std::string evidence; ///< what was seen, or why nothing could be
};

/// A kernel instance that a finding holds in.
struct FindingKernel {
  std::string name;    ///< "gather<float, 4>", readable, without parameters
  std::string mangled; ///< as Clang spells it
  std::string architecture; ///< "sm_90"; empty if not judged
  Judgement judgement;
  unsigned subject = 0; ///< what the check's judge needs to know again
  Place place = {};     ///< of the kernel's definition, as far as it is known
};

struct Finding {
  std::string check; ///< the check's id
  Level level = Level::Likely;
  Place place;
  /// The calls, outermost first, through which inlined code got there; empty
  /// if the place is in the kernel's own text.
  std::vector<Place> callSites;
  std::string message; ///< lower case, no full stop
  /// What the source shows beside the message: "lane 0 reads a[0], ..."
  std::vector<std::string> notes;
  std::string fix; ///< one line: what to do; may be empty
  std::vector<FindingKernel> kernels;
  /// What it is about, such as the accessed expression: findings of one check
  /// and place that are about the same become one.
  std::string about;
  /// How much is lost; of several findings that become one, the message and
  /// notes of the heaviest remain.
  double weight = 0;

  /// What findings must share to be one.
  auto identity() const { return std::tie(place, check, callSites, about); }

  /// Confirmed if it is anywhere; else unjudged if it is anywhere; else
  /// refuted.
  Verdict verdict() const;
};

} // namespace warplint
