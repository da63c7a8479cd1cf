// The judgements of a finding as lines of text; what is equal for several
// kernels and architectures is one line.
#pragma once
#include "findings/finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warplint {

/// "sm_80, sm_90: in 'a' and 'b': 64 local loads: confirmed",
/// "sm_90: unjudged: no nvcc found". Names the kernels if there are several,
/// but for what holds for all of them where the line with the share names them.
/// The evidence that decides the verdict comes first; of evidence that differs
/// only in its numbers, some is shown. If only some kernels or architectures
/// confirm the finding, the first line says so: "confirmed for sm_80 and sm_90
/// in 'k<8>', not in 'k<4>'".
std::vector<std::string> evidenceLines(const Finding &finding);

/// Returns true if the reason why a finding is unjudged is too long to be said
/// twice, as a compiler's message is.
bool isSaidOnce(llvm::StringRef reason);

/// The same lines, then the details that the source shows.
std::vector<std::string> detailLines(const Finding &finding);

/// Other places of interest: those of its kernels, each once, and the calls
/// that lead from there.
std::vector<std::pair<Place, std::string>>
relatedPlaces(const Finding &finding);

/// The remedy: "fix: ..." or else "see: warplint explain ID", and the class of
/// its edit with what trying it gave.
std::vector<std::string> helpLines(const Finding &finding);

/// Message, details and help, one line each.
std::string allWords(const Finding &finding);

/// The names of the finding's kernels, each once.
std::vector<std::string> kernelNames(const Finding &finding);

/// "'a', 'b' and 'c'", "'a', 'b', 'c' and 4 more", "7 instances of 'k'"; there
/// is at least one name.
std::string quoted(llvm::ArrayRef<std::string> names);

} // namespace warplint
