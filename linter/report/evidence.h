// A finding's judgements to the lines in which a person reads them: what is
// equal over kernels and architectures is said once.
#pragma once
#include "findings/finding.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

/// "sm_80, sm_90: in 'a' and 'b': 64 local loads: confirmed",
/// "sm_90: unjudged: no nvcc found". Kernels are named if there are several.
/// What counts for the finding's verdict comes first, and of evidence that
/// differs in its numbers only some is shown. Where the compiled code of some
/// kernels and architectures bears the finding out and that of others does not,
/// the first line says so: "confirmed for sm_80 and sm_90 in 'k<8>', not in
/// 'k<4>'".
std::vector<std::string> evidenceLines(const Finding &finding);

/// The same, then what the source shows beside the message.
std::vector<std::string> detailLines(const Finding &finding);

/// What else there is to look at: where its kernels are, each place once, and
/// the calls that lead from there.
std::vector<std::pair<Place, std::string>>
relatedPlaces(const Finding &finding);

/// Message, details and fix, a line each.
std::string allWords(const Finding &finding);

/// The names of the finding's kernels, each once.
std::vector<std::string> kernelNames(const Finding &finding);

/// "'a', 'b' and 'c'", "'a', 'b', 'c' and 4 more"; there is at least one name.
std::string quoted(llvm::ArrayRef<std::string> names);

} // namespace warplint
