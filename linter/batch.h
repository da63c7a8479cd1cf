// Options to what was read of every source: the part of the line that all
// commands share.
#pragma once
#include "changes.h"
#include "cli/options.h"
#include "compiled/compiled.h"
#include "input/translate.h"
#include "input/walk.h"
#include "report/report.h"
#include "settings.h"
#include "source/read.h"

namespace warplint {

/// One source on its way down the line.
struct Work {
  Command command;
  std::shared_ptr<const Settings> settings; ///< of the source
  std::vector<std::string> arguments;       ///< spliced
  Translation translation;
  std::optional<Toolkit> toolkit;
  SourceModel model;
  std::string whyNot;             ///< a sentence if nothing of it could be read
  std::vector<std::string> notes; ///< on what is missing without an error

  bool isPtx() const { return isPtxText(command.source); }
};

struct Batch {
  std::vector<Work> sources;
  std::vector<std::string> notes;
};

/// Reads every source that the options name, or those of them that `changes`
/// touch, in parallel, and settles the block shapes of all kernels. Fails if
/// there is nothing to read.
llvm::Expected<Batch> readBatch(const Options &options,
                                const Changes *changes = nullptr);

/// The same for the one source of a command.
llvm::Expected<Batch> readCommand(const Options &options,
                                  const Command &command);

/// What the report says of sources beside their findings.
Report summary(const Batch &batch);

/// What there is to judge by, or in `whyNot` the reason why there is nothing.
/// `sources` of them are worked on in parallel.
Compiled compiledFor(const Work &work, const Options &options, size_t sources);

/// The kernels of a source as the PTX for its newest architecture says them.
llvm::Expected<std::vector<Kernel>> ptxKernelsOf(const Work &work);

} // namespace warplint
