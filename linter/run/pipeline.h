// The commands that lint, each as a line of steps: paths to sources that were
// read (batch), to findings that are judged (lint), to a report (outcome).
#pragma once
#include "input/toolkit.h"
#include "machine/build_report.h"
#include "machine/compiled.h"
#include "model/model.h"
#include "report/accesses.h"
#include "report/report.h"
#include "run/options.h"
#include "run/prove_fixes.h"
#include "run/shard.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace warplint {

struct CompiledSource;
/// Receives one source, its kernels and their costs, for reports that show more
/// than findings. Called from several threads at a time.
using SeeSource = llvm::function_ref<void(
    const CompiledSource &source, const std::vector<CostedKernel> &kernels)>;

/// Lints what the options name. Fails if there is nothing to lint, or if a
/// check id does not exist. With `see`, every source with kernels is compiled.
llvm::Expected<Report> check(const Options &options, SeeSource see = nullptr);

/// As `check`, and tries the fixes of the findings. Changes no file.
struct FixedReport {
  Report report;
  ChangedTexts texts;
};
llvm::Expected<FixedReport> checkAndFix(const Options &options,
                                        SeeSource see = nullptr);

/// Lints this machine's share of what the options name; `see` as in `check`.
llvm::Expected<ShardReport> checkShard(const Options &options,
                                       SeeSource see = nullptr);

struct MergedReport {
  Report report;
  ReportContext context; ///< empty unless it is asked for
};
/// The report of all shards; their files are `options.sources.paths`.
llvm::Expected<MergedReport> merge(const Options &options, bool showsContext);

/// The report of the build's own compile of a source for these architectures;
/// nothing if that does not contain all that is asked.
using Reported = llvm::function_ref<std::optional<Compiled>(
    const std::vector<std::string> &architectures, Asks asked)>;

/// Lints the one source of a command. The source is compiled for judging unless
/// `reported` returns something.
llvm::Expected<Report> checkCommand(const Options &options,
                                    const Command &command, Reported reported);

struct AccessReport {
  std::vector<AccessRow> rows; ///< sorted by file, line, column
  Report report;               ///< without findings: what could not be read
};
llvm::Expected<AccessReport> accesses(const Options &options);

/// One source, its kernels and its compiled code.
struct CompiledSource {
  const Command &command;
  const std::vector<std::string> &arguments; ///< response files spliced
  const std::optional<Toolkit> &toolkit;
  const std::vector<Kernel> &kernels; ///< empty if Clang could not read it
  const Compiled &compiled;
};
/// Compiles what the options name, for all architectures, and passes each
/// source to `use`, from several threads at a time. The report names what Clang
/// could not read; `Compiled` says what nvcc could not compile.
llvm::Expected<Report>
compileEach(const Options &options,
            llvm::function_ref<void(const CompiledSource &)> use);

} // namespace warplint
