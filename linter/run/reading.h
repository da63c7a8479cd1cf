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

/// A reading without its models: enough where its findings are known.
struct Outline {
  std::vector<KernelOutline> kernels;
  std::vector<Launch> launches;
  std::vector<ParseError> errors;
  std::vector<DroppedKernel> notRead;
  std::set<std::string> userFiles;   ///< that were read
  std::set<std::string> markedFiles; ///< those that say something to us
};

Outline outlineOf(const SourceModel &model);

/// What a source's last reading came from beside its command, and what of.
struct LastReading {
  std::string system;           ///< the key of a list, which many sources share
  std::vector<std::string> own; ///< files
  std::optional<std::string> libraries; ///< SourceModel's
  std::string key;                      ///< with the contents of all these
  Outline outline;
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
