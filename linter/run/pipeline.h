// The line, as a list of sentences: paths to commands, commands to kernels,
// kernels to findings, findings to judged findings.
#pragma once
#include "input/toolkit.h"
#include "machine/build_report.h"
#include "machine/compiled.h"
#include "model/model.h"
#include "report/accesses.h"
#include "report/report.h"
#include "run/options.h"
#include "run/shard.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct CompiledSource;
/// What a report shows beside findings: one source, its kernels and their
/// costs. Called from several threads at a time.
using SeeSource = llvm::function_ref<void(
    const CompiledSource &source, const std::vector<CostedKernel> &kernels)>;

/// Lints what the options name. Fails if there is nothing to lint, or an id is
/// none. With `see`, every source with kernels is compiled and shown.
llvm::Expected<Report> check(const Options &options, SeeSource see = nullptr);

/// Lints this machine's share of what the options name; `see` as in `check`.
llvm::Expected<ShardReport> checkShard(const Options &options,
                                       SeeSource see = nullptr);

struct MergedReport {
  Report report;
  ReportContext around; ///< none if they were not asked for
};
/// The report of all shards, which `options.sources.paths` names.
llvm::Expected<MergedReport> merge(const Options &options, bool showsContext);

/// What a build's own compile says of a source for these architectures, if that
/// answers all that is asked.
using Reported = llvm::function_ref<std::optional<Compiled>(
    const std::vector<std::string> &architectures, Asks asked)>;

/// Lints the one source of a command. Without an answer of `reported` the
/// source is compiled for judging.
llvm::Expected<Report> checkCommand(const Options &options,
                                    const Command &command, Reported reported);

struct AccessReport {
  std::vector<AccessRow> rows; ///< sorted by file, line, column
  Report report;               ///< without findings: what could not be read
};
llvm::Expected<AccessReport> accesses(const Options &options);

/// One source, what was read of it and what nvcc made of it.
struct CompiledSource {
  const Command &command;
  const std::vector<std::string> &arguments; ///< response files spliced
  const std::optional<Toolkit> &toolkit;
  const std::vector<Kernel> &kernels; ///< none if Clang could not read it
  const Compiled &compiled;
};
/// Compiles what the options name, for all architectures, and hands each source
/// on, from several threads at a time. The report says what Clang could not
/// read; what nvcc could not compile is told by `Compiled`.
llvm::Expected<Report>
compileEach(const Options &options,
            llvm::function_ref<void(const CompiledSource &)> use);

} // namespace warplint
