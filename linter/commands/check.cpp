#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "run/pipeline.h"
#include "run/report_context.h"

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

int runCheck(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err, bool terminal) {
  if (options.check.shard)
    return runShard(options, err);
  if (llvm::Error error = checkOutput(options))
    return fail(std::move(error), err);
  ReportContextReader context;
  auto report =
      check(options, showsContext(options) ? SeeSource(context) : nullptr);
  if (!report)
    return fail(report.takeError(), err);
  return finish(std::move(*report), settled(context.take()), options, out, err, terminal);
}

} // namespace warplint
