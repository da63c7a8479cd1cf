#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/print_report.h"
#include "run/pipeline.h"

namespace warplint {

int runMerge(const Options &options, llvm::raw_ostream &out,
             llvm::raw_ostream &err, bool terminal) {
  auto merged = merge(options, showsContext(options));
  if (!merged)
    return fail(merged.takeError(), err);
  return finish(std::move(merged->report), merged->context, options, out, err,
                terminal);
}

} // namespace warplint
