#include "base/failure.h"
#include "base/folders.h"
#include "base/regular_file.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "os/signals.h"
#include "os/write_file.h"
#include "report/patch.h"
#include "run/pipeline.h"
#include "run/report_context.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace warplint {

static int runShard(const Options &options, llvm::raw_ostream &err) {
  if (llvm::Error error = checkOutput(options))
    return fail(std::move(error), err);
  ReportContextReader context;
  const bool shows = showsContext(options);
  auto part = checkShard(options, shows ? SeeSource(context) : nullptr);
  if (!part)
    return fail(part.takeError(), err);
  if (shows)
    part->context = context.take();
  if (llvm::Error error = saveShard(options.output.file, *part))
    return fail(std::move(error), err);
  const size_t sources = part->places.size();
  err << "warplint: wrote part " << part->index << " of " << part->count << ", "
      << sources << (sources == 1 ? " source" : " sources") << " of "
      << part->total << ", to '" << options.output.file << "'\n";
  return int(ExitCode::Clean);
}

/// How many of the fixes that a run tried, or might have tried, came to what.
struct FixCounts {
  unsigned proven = 0, unproven = 0, rolledBack = 0, hidden = 0;
};

static FixCounts count(const Report &report, const CheckOptions &options) {
  FixCounts counts;
  for (const Finding &finding : report.findings) {
    if (!finding.edit || finding.verdict() != Verdict::Confirmed)
      continue;
    const Fix &fix = *finding.edit;
    if (fix.kind != FixClass::Safe && !options.unsafeFixes)
      ++counts.hidden;
    else
      ++(fix.proof == Proof::Proven     ? counts.proven
         : fix.proof == Proof::Unproven ? counts.unproven
                                        : counts.rolledBack);
  }
  return counts;
}

static void printCounts(const FixCounts &counts, bool areApplied,
                        llvm::raw_ostream &err) {
  err << "warplint: " << counts.proven
      << (counts.proven == 1 ? " fix" : " fixes")
      << (areApplied ? " applied" : " proven");
  if (counts.rolledBack)
    err << ", " << counts.rolledBack << " rolled back";
  if (counts.unproven)
    err << ", " << counts.unproven << " unproven and left out";
  if (counts.hidden)
    err << "; " << counts.hidden << " more with '--unsafe'";
  err << '\n';
}

/// Writes each file as a whole, where a link leads to it.
static llvm::Error writeChanges(const ChangedTexts &texts) {
  for (const auto &[file, text] : texts.after) {
    llvm::SmallString<256> real;
    if (std::error_code error = llvm::sys::fs::real_path(file, real))
      return failure("'" + file + "' cannot be written: " + error.message());
    auto now = readRegularFile(real);
    if (!now || (*now)->getBuffer() != texts.before.at(file))
      return failure("'" + file +
                     "' changed while its fixes were proven; it "
                     "stays as it is");
    const auto permissions = llvm::sys::fs::getPermissions(real);
    if (llvm::Error error = writeFile(
            real.str().str(), [&](llvm::raw_ostream &out) { out << text; }))
      return error;
    if (permissions)
      llvm::sys::fs::setPermissions(real, *permissions);
  }
  return llvm::Error::success();
}

/// Writes the fixes, and those that they make possible, until there are none: a
/// second run would change nothing.
static int writeFixes(const Options &options, llvm::raw_ostream &out,
                      llvm::raw_ostream &err, bool terminal) {
  constexpr unsigned mostRounds = 8;
  FixCounts counts;
  for (unsigned round = 0, applied = 0; round < mostRounds; ++round) {
    auto fixed = checkAndFix(options, nullptr);
    if (!fixed)
      return fail(fixed.takeError(), err);
    if (llvm::Error error = writeChanges(fixed->texts))
      return fail(std::move(error), err);
    counts = count(fixed->report, options.check);
    applied += counts.proven;
    counts.proven = applied;
    if (fixed->texts.after.empty())
      break;
  }
  printCounts(counts, /*areApplied=*/true, err);
  // Reports the findings that are left in the files as they are now.
  Options again = options;
  again.check.fixes = FixMode::Offer;
  return runCheck(again, out, err, terminal);
}

static int runFix(const Options &options, llvm::raw_ostream &out,
                  llvm::raw_ostream &err, bool terminal) {
  const FixMode mode = options.check.fixes;
  if (mode == FixMode::Write)
    return writeFixes(options, out, err, terminal);
  ReportContextReader context;
  auto fixed = checkAndFix(options, showsContext(options) ? SeeSource(context)
                                                          : nullptr);
  if (!fixed)
    return fail(fixed.takeError(), err);
  const FixCounts counts = count(fixed->report, options.check);
  if (mode == FixMode::Diff) {
    printPatch(fixed->texts.before, fixed->texts.after, currentFolder(), out);
    printUnread(fixed->report, err);
    printCounts(counts, /*areApplied=*/false, err);
    return int(fixed->texts.after.empty() ? ExitCode::Clean
                                          : ExitCode::Findings);
  }
  return finish(std::move(fixed->report), settled(context.take()), options, out,
                err, terminal);
}

static llvm::Error exportFixes(const Options &options, const Report &report) {
  if (options.check.exportFixes.empty())
    return llvm::Error::success();
  return writeFile(options.check.exportFixes, [&](llvm::raw_ostream &out) {
    printReplacements(report.findings, out);
  });
}

int runCheck(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err, bool terminal) {
  if (options.check.shard)
    return runShard(options, err);
  if (llvm::Error error = checkOutput(options))
    return fail(std::move(error), err);
  if (options.check.fixes != FixMode::Offer)
    return runFix(options, out, err, terminal);
  ReportContextReader context;
  auto report = [&] {
    // A baseline records whole reports alone.
    std::optional<Interruptible> reportsWhatItHas;
    if (options.check.writeBaseline.empty())
      reportsWhatItHas.emplace(
          options.output.quiet
              ? ""
              : "warplint: interrupted; what was read is reported, and a second "
                "signal ends that too");
    return check(options, showsContext(options) ? SeeSource(context) : nullptr);
  }();
  if (!report)
    return fail(report.takeError(), err);
  if (llvm::Error error = exportFixes(options, *report))
    return fail(std::move(error), err);
  return finish(std::move(*report), settled(context.take()), options, out, err,
                terminal);
}

} // namespace warplint
