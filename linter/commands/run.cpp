#include "commands/run.h"
#include "base/printable.h"
#include "commands/commands.h"
#include "commands/finish.h"
#include "commands/keep_inputs.h"
#include "commands/parse_options.h"
#include "commands/standard_input.h"
#include "lsp/server.h"
#include "os/write_file.h"
#include "report/report.h"

namespace warplint {

/// A run without a cache is slow each time, and its findings are the same.
static void noteUnusableCache(const Options &options, llvm::raw_ostream &err) {
  const std::string &folder = options.cache.folder;
  // Each compile of a build would say it.
  if (folder.empty() || options.output.quiet ||
      options.command == CommandName::Wrap ||
      options.command == CommandName::Cache)
    return;
  if (std::error_code error = makeFolder(folder))
    err << "warplint: nothing is kept for the next run, since the cache folder "
           "'"
        << printable(folder) << "' cannot be used: " << error.message() << '\n';
}

int run(llvm::ArrayRef<const char *> arguments, llvm::raw_ostream &out,
        llvm::raw_ostream &err, bool terminal) {
  auto options = parseOptions(arguments);
  if (!options)
    return fail(options.takeError(), err);
  if (llvm::Error error = keepInputs(*options))
    return fail(std::move(error), err);
  if (llvm::Error error = readStandardInput(*options))
    return fail(std::move(error), err);
  noteUnusableCache(*options, err);
  switch (options->command) {
  case CommandName::Check:
    return runCheck(*options, out, err, terminal);
  case CommandName::Collect:
    return runCollect(*options, out, err, terminal);
  case CommandName::Merge:
    return runMerge(*options, out, err, terminal);
  case CommandName::Wrap:
    return runWrap(*options);
  case CommandName::Cache:
    return runCache(*options, out, err);
  case CommandName::Lsp:
    return serve(*options);
  case CommandName::Accesses:
    return runAccesses(*options, out, err);
  case CommandName::Operations:
    return runOperations(*options, out, err);
  case CommandName::Cost:
    return runCost(*options, out, err);
  case CommandName::Measured:
    return runMeasured(*options, out, err);
  case CommandName::Registers:
    return runRegisters(*options, out, err);
  case CommandName::Resources:
    return runResources(*options, out, err, terminal);
  case CommandName::Diff:
    return runDiff(*options, out, err);
  case CommandName::Config:
    return runConfig(*options, out, err);
  case CommandName::Checks:
    return runChecks(*options, out);
  case CommandName::Explain:
    return runExplain(*options, out, err);
  case CommandName::Completion:
  case CommandName::Manual:
  case CommandName::Help:
  case CommandName::Version:
    out << options->text;
    return int(ExitCode::Clean);
  }
  return int(ExitCode::Failed);
}

} // namespace warplint
