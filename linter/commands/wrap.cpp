#include "commands/wrap.h"
#include "base/folders.h"
#include "commands/commands.h"
#include "commands/wrapped_compiler.h"
#include "input/compile_step.h"
#include "machine/build_report.h"
#include "nvcc/judging_arguments.h"
#include "os/child_process.h"
#include "os/deadline.h"
#include "os/pipes.h"
#include "os/write_file.h"
#include "report/json.h"
#include "report/rank.h"
#include "report/text.h"
#include "run/pipeline.h"
#include "source/precompiled_header.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace warplint {

namespace {

/// Reads what `WrappedCompiler::answer` sends: the report of ptxas, once the
/// compile has succeeded.
class BuildsReport {
public:
  explicit BuildsReport(int file) : file_(file) {}
  /// Waits for the compile. Exits if it failed, since nothing is linted then.
  const std::string &text() {
    if (!isRead_) {
      while (readSome(file_, text_))
        ;
      if (text_.empty())
        _exit(0);
      text_.erase(0, 1);
      isRead_ = true;
    }
    return text_;
  }

private:
  int file_;
  bool isRead_ = false;
  std::string text_;
};

bool isDenied(const Finding &finding, const Options &options) {
  if (options.wrap.deny.empty() || finding.verdict() == Verdict::Refuted ||
      (options.output.unconditional && !finding.condition().empty()))
    return false;
  llvm::StringRef level = options.wrap.deny;
  return level == spelling(Level::Opinion) || finding.level == Level::Certain ||
         (level == spelling(Level::Likely) && finding.level == Level::Likely);
}

/// Lints in the child process. The answer begins with "D" if a finding is
/// denied, "+" if none is, "!" if linting failed; the text to print follows.
std::string lint(const CompileStep &step, const Options &options,
                 const std::string &folder, int in) {
  BuildsReport build(in);
  // The report only counts if the build compiles as the judge would.
  const bool isJudgesCompile =
      step.takesReportFlag && judgesAsBuilt(step.arguments);
  const bool keepsLines = keepsPtxWithLines(step.arguments);
  auto reported = [&](const std::vector<std::string> &architectures,
                      Asks asked) -> std::optional<Compiled> {
    // The report has no PTX. Wait for the build only if its object has it.
    if (!isJudgesCompile || (asked == Asks::PtxWithLines && !keepsLines))
      return std::nullopt;
    return judgedByReport(build.text(), architectures, asked);
  };
  auto report = checkCommand(options, step.command, reported);
  build.text();
  if (!report)
    return "!" + llvm::toString(report.takeError());
  if (llvm::sys::fs::is_regular_file(step.object))
    if (llvm::Error error =
            writeFile(step.object + sidecarSuffix, [&](llvm::raw_ostream &out) {
              printJson(*report, /*refuted=*/true, out);
            }))
      return "!" + llvm::toString(std::move(error));
  joinCauses(report->findings);
  dropParts(*report);
  markMinor(report->findings, options.settings.leastShare);
  if (!options.output.minor)
    dropMinor(*report);
  TextOptions style;
  style.colour = options.output.colour.value_or(false);
  style.refuted = options.output.refuted;
  style.relativeTo = folder;
  const bool anyDenied =
      llvm::any_of(report->findings, [&](const Finding &finding) {
        return isDenied(finding, options);
      });
  std::string text = anyDenied ? "D" : "+";
  llvm::raw_string_ostream out(text);
  printWarnings(*report, style, out);
  return text;
}

/// Prints the answer. Returns the exit code of a compile that succeeded.
int conclude(llvm::StringRef answer, const CompileStep &step,
             const Options &options, const std::string &folder) {
  llvm::StringRef source = shownPath(step.command.source, folder);
  const std::string sidecar = step.object + sidecarSuffix;
  if (answer.empty() || answer.starts_with("!")) {
    llvm::sys::fs::remove(sidecar);
    llvm::errs() << "warplint: " << source << " is not linted: "
                 << (answer.empty() ? "warplint ended early"
                                    : answer.drop_front().split('\n').first)
                 << '\n';
    return 0;
  }
  llvm::errs() << answer.drop_front();
  if (!answer.starts_with("D"))
    return 0;
  // Otherwise the next build would skip this source.
  llvm::sys::fs::remove(step.object);
  llvm::sys::fs::remove(sidecar);
  llvm::errs() << "warplint: " << source << ": findings of level "
               << options.wrap.deny
               << " are denied, so its object is removed\n";
  return 1;
}

} // namespace

int runWrap(const Options &given) {
  Options options = given;
  const std::vector<std::string> &words = options.sources.extraFlags;
  const std::string folder = currentFolder();
  std::optional<CompileStep> step = compileStep(words, folder);
  if (!step)
    return become(words);
  options.limits.threads = 1;
  // A build of many sources says itself how far it is.
  options.output.quiet = true;
  // The standard error of the child process is a pipe.
  if (!options.output.colour)
    options.output.colour = llvm::sys::Process::StandardErrIsDisplayed() &&
                            !llvm::sys::Process::GetEnv("NO_COLOR");

  const bool addsFlag =
      step->takesReportFlag && !step->asksForReport && options.compiling.judge;
  std::vector<std::string> all = words;
  if (addsFlag)
    all.insert(all.end(), {"-Xptxas", "-v"});
  int status;
  {
    WrappedCompiler compiler(all, /*hideReport=*/addsFlag);
    if (int error = compiler.start()) {
      errno = error;
      return become(words);
    }
    compiler.forkChild([&](int in, int out) {
      takeMemoryInLargeSteps();
      writeAll(out, lint(*step, options, folder, in));
      return 0;
    });
    CompilerEnd end = compiler.wait();
    status = end.status;
    if (end.isGood() && !WrappedCompiler::signal()) {
      auto answer = compiler.answer(end.report, options.limits.timeout);
      if (!WrappedCompiler::signal())
        return conclude(
            answer.value_or("!it " + tookTooLong(options.limits.timeout)),
            *step, options, folder);
    }
    compiler.endChild();
    llvm::sys::fs::remove(step->object + sidecarSuffix);
    // The object exists, but the signal has to end the build as well.
    if (end.isGood())
      status = WrappedCompiler::signal();
  }
  return endLike(status);
}

} // namespace warplint
