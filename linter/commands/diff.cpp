#include "base/printable.h"
#include "base/regular_file.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/resource_comparison.h"
#include "report/resources/resource_diff.h"
#include "report/resources/resource_json.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

int runDiff(const Options &options, raw_ostream &out, raw_ostream &err) {
  ResourceReport reports[2];
  bool incomplete = false;
  for (size_t i : {0, 1}) {
    const std::string &path = options.sources.paths[i];
    auto file = readNamedFile(path);
    if (!file)
      return fail(createStringError(inconvertibleErrorCode(),
                                    "'" + path + "' cannot be read: " +
                                        file.getError().message()),
                  err);
    auto report = readResourceJson((*file)->getBuffer(), path);
    if (!report)
      return fail(report.takeError(), err);
    reports[i] = std::move(*report);
    for (const MissingReport &missing : reports[i].missing)
      err << "warplint: "
          << printable("'" + path + "' is incomplete: " + missing.source +
                       ": " + missing.why)
          << '\n';
    incomplete |= !reports[i].missing.empty();
  }
  ResourceComparison comparison = compareResources(
      reports[0], reports[1], [](const ResourceRow &) { return true; });
  printComparison(comparison, options.output.format, out);
  for (const std::string &why : comparison.missing)
    err << "warplint: " << printable(why) << '\n';
  incomplete |= !comparison.missing.empty();
  return exitCodeOf(isWorse(comparison), incomplete);
}

} // namespace warplint
