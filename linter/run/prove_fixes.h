// The fixes of a report, each tried on a copy of its sources.
#pragma once
#include "run/source_copy.h"

namespace warplint {

/// Two lintings of a source to what a fix between them is worth.
struct FixAttempt {
  Proof proof = Proof::Unproven;
  std::string why; ///< a sentence
  /// All floats were tried: an edit that may round differently does not.
  bool hasSameBits = false;
};

/// `finding`: as it is before the edits. `isThere`: finds a finding that is the
/// same one after them.
FixAttempt attemptOf(const Finding &finding, const CopyResult &before,
                     const CopyResult &after,
                     llvm::function_ref<bool(const Finding &)> isSame);

/// The files that fixes change, by path.
struct ChangedTexts {
  std::map<std::string, std::string> before, after;
};

/// Tries the fix of each confirmed finding of the report, and notes what that
/// gave; one that may round differently becomes safe if trying all floats shows
/// that it does not. Unless `options.check.fixes` is FixMode::Prove, each is
/// tried on what those before it left, and the text of the proven ones is
/// returned, of those that are not safe only with `unsafeFixes`.
llvm::Expected<ChangedTexts> proveFixes(const Batch &batch,
                                        const Options &options,
                                        std::vector<Finding> &findings);

} // namespace warplint
