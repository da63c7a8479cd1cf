#include "report/measured.h"
#include "base/folders.h"
#include "base/kernel_name.h"
#include "base/printable.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "report/rank.h"
#include "run/pipeline.h"
#include "run/profile_file.h"
#include <mutex>

namespace warplint {

int runMeasured(const Options &given, llvm::raw_ostream &out,
                llvm::raw_ostream &err) {
  // The first path is the profile.
  Options options = given;
  std::vector<std::string> &paths = options.sources.paths;
  const std::string file = paths.front();
  paths.erase(paths.begin());
  llvm::Expected<Profile> profile = readProfileFile(file, options);
  if (!profile)
    return fail(profile.takeError(), err);
  std::vector<SourceKernel> kernels;
  std::mutex one;
  llvm::Expected<Report> report =
      check(options, [&](const CompiledSource &,
                         const std::vector<CostedKernel> &costed) {
        for (const CostedKernel &each : costed) {
          SourceKernel kernel{each.kernel.name, each.kernel.mangled,
                              accessRows(each)};
          std::lock_guard<std::mutex> lock(one);
          kernels.push_back(std::move(kernel));
        }
      });
  if (!report)
    return fail(report.takeError(), err);
  joinCauses(report->findings);
  dropParts(*report);
  llvm::Expected<Measured> measured =
      compareMeasured(*profile, *report, kernels);
  if (!measured)
    return fail(measured.takeError(), err);
  if (options.output.format == Format::Json)
    printMeasuredJson(*measured, out);
  else
    printMeasured(*measured, currentFolder(), out);
  printUnread(*report, err, options.output.quiet);
  for (const std::string &note : measured->notes)
    err << "warplint: " << printable(note) << '\n';
  return report->unread.empty() ? int(ExitCode::Clean) : int(ExitCode::Unread);
}

} // namespace warplint
