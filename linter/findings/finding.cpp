#include "findings/finding.h"

namespace warplint {

const char *spelling(Level level) {
  switch (level) {
  case Level::Certain:
    return "certain";
  case Level::Likely:
    return "likely";
  case Level::Opinion:
    return "opinion";
  }
  return "";
}

const char *spelling(Verdict verdict) {
  switch (verdict) {
  case Verdict::Unjudged:
    return "unjudged";
  case Verdict::Confirmed:
    return "confirmed";
  case Verdict::Refuted:
    return "refuted";
  }
  return "";
}

const char *spelling(FixClass kind) {
  switch (kind) {
  case FixClass::Safe:
    return "safe";
  case FixClass::Rounding:
    return "rounding";
  case FixClass::Assumes:
    return "assumes";
  }
  return "";
}

const char *spelling(Proof proof) {
  switch (proof) {
  case Proof::Unproven:
    return "unproven";
  case Proof::Proven:
    return "proven";
  case Proof::RolledBack:
    return "rolled back";
  }
  return "";
}

Verdict Finding::verdict() const {
  bool anyUnjudged = kernels.empty();
  for (const FindingKernel &kernel : kernels) {
    if (kernel.judgement.verdict == Verdict::Confirmed)
      return Verdict::Confirmed;
    anyUnjudged |= kernel.judgement.verdict == Verdict::Unjudged;
  }
  return anyUnjudged ? Verdict::Unjudged : Verdict::Refuted;
}

std::string Finding::condition() const {
  std::string first;
  for (const FindingKernel &kernel : kernels) {
    if (kernel.judgement.verdict != Verdict::Confirmed)
      continue;
    if (kernel.judgement.condition.empty())
      return "";
    if (first.empty())
      first = kernel.judgement.condition;
  }
  return first;
}

} // namespace warplint
