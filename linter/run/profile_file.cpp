#include "run/profile_file.h"
#include "base/failure.h"
#include "base/printable.h"
#include "base/regular_file.h"
#include "input/trusted_programs.h"
#include "os/scratch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {
namespace {

/// Prints a report in the form of ncu's source page; then, behind an empty
/// line, the estimates in that of its details page. ncu-report knows one line
/// of each instruction.
constexpr const char *script = R"PY(
import sys
try:
    import ncu_report
except ImportError:
    sys.exit("no module")
columns = [("Warp Stall Sampling (All Samples)", "smsp__pcsamp_sample_count"),
           ("Instructions Executed", "inst_executed"),
           ("L2 Theoretical Sectors Global", "memory_l2_theoretical_sectors_global"),
           ("L2 Theoretical Sectors Global Ideal", "memory_l2_theoretical_sectors_global_ideal"),
           ("L1 Conflicts Shared N-Way", "derived__memory_l1_conflicts_shared_nway")]
short = {"long_scoreboard": "long_sb", "short_scoreboard": "short_sb",
         "lg_throttle": "lg", "math_pipe_throttle": "math", "mio_throttle": "mio",
         "no_instructions": "no_inst", "dispatch_stall": "dispatch",
         "tex_throttle": "tex", "sleeping": "sleep", "imc_miss": "imc"}
prefix = "smsp__pcsamp_warps_issue_stalled_"
def row(*cells):
    print(",".join('"%s"' % cell for cell in cells))
estimates = []
for workloads in ncu_report.load_report(sys.argv[1]):
    for action in workloads:
        name = action.name(ncu_report.IAction.NameBase_MANGLED)
        every = list(columns)
        for metric in sorted(action.metric_names()):
            if metric.startswith(prefix) and not metric.endswith("_not_issued"):
                reason = metric[len(prefix):]
                every.append(("stall_" + short.get(reason, reason), metric))
        values = {}
        for at, (_, metric) in enumerate(every):
            found = action.metric_by_name(metric)
            if found is None or not found.has_correlation_ids():
                continue
            ids = found.correlation_ids()
            for i in range(found.num_instances()):
                values.setdefault(ids.as_uint64(i), {})[at] = found.as_double(i)
        files = {}
        for pc in sorted(values):
            info = action.source_info(pc)
            if info:
                files.setdefault(info.file_name(), {}).setdefault(info.line(), []).append(pc)
        texts = dict(action.source_files().items())
        for file, lines in files.items():
            text = texts.get(file, "").splitlines()
            row("File Path", file)
            row("Function Name", name)
            row("Line No", "Source", "Address", "Source", *[title for title, _ in every])
            for line in sorted(lines):
                row(line, text[line - 1] if line <= len(text) else "", "-", "-", *["-" for _ in every])
                for pc in lines[line]:
                    row("", "", "0x%016x" % pc, action.sass_by_pc(pc),
                        *["%g" % values[pc].get(at, 0) for at in range(len(every))])
        for rule in action.rule_results_as_dicts():
            estimate = rule.get("speedup_estimation")
            if estimate:
                estimates.append((name, rule["rule_identifier"], estimate["speedup"]))
print()
row("Kernel Name", "Rule Name", "Estimated Speedup")
for estimate in estimates:
    row(*estimate)
)PY";

/// One of NVIDIA's readers of reports, as it stands on this machine.
class Reader {
public:
  Reader(const std::string &path, const Options &options, Scratch scratch)
      : path_(path), name_(printable(sys::path::filename(path))),
        limit_(options.limits.timeout), scratch_(std::move(scratch)) {
    std::vector<std::string> folders;
    if (!options.sources.cudaPath.empty()) {
      SmallString<256> folder(options.sources.cudaPath + "/bin");
      sys::fs::make_absolute(folder);
      folders.push_back(folder.str().str());
    }
    ncu_ = programNamed("ncu", folders);
  }

  Expected<Profile> read() { return ncu_.empty() ? byPython() : byNcu(); }

private:
  Expected<Profile> byNcu() {
    Expected<std::string> source =
        outputOf({ncu_, "--import", path_, "--page", "source", "--print-source",
                  "cuda,sass", "--csv"});
    if (!source)
      return source.takeError();
    Expected<Profile> profile = readProfile(*source, name_);
    if (!profile)
      return profile;
    if (Expected<std::string> details =
            outputOf({ncu_, "--import", path_, "--page", "details", "--csv"}))
      readEstimates(*details, *profile);
    else
      consumeError(details.takeError());
    return profile;
  }

  Expected<Profile> byPython() {
    const std::string python = programNamed("python3");
    Expected<std::string> text =
        python.empty() ? Expected<std::string>(failure("no module"))
                       : outputOf({python, "-c", script, path_});
    if (!text) {
      const std::string why = toString(text.takeError());
      if (!StringRef(why).contains("no module"))
        return failure(why);
      return failure(
          "a report of Nsight Compute is read by 'ncu', which is not "
          "on PATH, or by the Python package ncu-report, which "
          "'python3' does not have (pip install ncu-report)");
    }
    const auto [source, estimates] = StringRef(*text).split("\n\n");
    Expected<Profile> profile = readProfile(source, name_);
    if (profile)
      readEstimates(estimates, *profile);
    return profile;
  }

  /// Runs in the scratch folder, where no file of the sources is taken for a
  /// module of Python.
  Expected<std::string> outputOf(const std::vector<std::string> &arguments) {
    const std::string program = sys::path::filename(arguments.front()).str();
    Expected<Exit> exit =
        scratch_.run(arguments, scratch_.folder().str(), "profile", limit_);
    if (!exit)
      return exit.takeError();
    auto text = MemoryBuffer::getFile(scratch_.path("profile"));
    if (exit->timedOut)
      return failure(program + " took longer than " +
                     Twine(limit_.count() / 1000) + " seconds with " + name_);
    if (!text)
      return failure(program + " printed nothing of " + name_);
    std::string output = (*text)->getBuffer().str();
    sys::fs::remove(scratch_.path("profile"));
    if (!exit->hasSucceeded()) {
      const StringRef said = StringRef(output).trim();
      const size_t last = said.rfind('\n') + 1; // npos + 1 is the beginning
      return failure(program + " could not read " + name_ + ": " +
                     printable(said.drop_front(last)));
    }
    return output;
  }

  std::string path_, name_, ncu_;
  std::chrono::milliseconds limit_;
  Scratch scratch_;
};

} // namespace

Expected<Profile> readProfileFile(const std::string &path,
                                  const Options &options) {
  SmallString<256> absolute(path);
  if (std::error_code error = sys::fs::make_absolute(absolute))
    return errorCodeToError(error);
  auto file = readNamedFile(absolute);
  if (!file)
    return failure(printable(path) + ": " + file.getError().message());
  if (!StringRef(path).ends_with(".ncu-rep"))
    return readProfile((*file)->getBuffer(), printable(path));
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  return Reader(absolute.str().str(), options, std::move(*scratch)).read();
}

} // namespace warplint
