// What the stages of one source leave behind, in the form in which it goes from
// process to process and from run to run.
#pragma once
#include "findings/finding.h"
#include "model/outline.h"
#include "source/read.h"

namespace warplint {

struct Reading {
  SourceModel model;
  std::string whyNot; ///< a sentence if nothing of it could be read
  std::string key;    ///< that it is kept under; empty if it is not
};

/// What a reading came from beside its command.
struct Inputs {
  std::vector<std::string> lists;       ///< keys of lists of files
  std::optional<std::string> libraries; ///< SourceModel's
};

/// A reading without its models: enough where its findings are known.
struct Outline {
  std::vector<KernelOutline> kernels;
  std::vector<Launch> launches;
  std::vector<ParseError> errors;
  std::vector<DroppedKernel> notRead;
  std::set<std::string> userFiles; ///< that were read
};

/// What became of a source's compile for judging.
struct CompileOutcome {
  std::string whyNot;    ///< a reason, as a sentence; else empty
  bool isWhole = false;  ///< it has an answer for each architecture
  bool byChance = false; ///< another time it may end otherwise
};

/// What was found in one source.
struct Linted {
  std::vector<Finding> findings; ///< judged
  CompileOutcome compile;
};

} // namespace warplint
