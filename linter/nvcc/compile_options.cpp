#include "nvcc/compile_options.h"
#include "input/compiler.h"
#include "machine/option_branches.h"
#include "machine/ptxas.h"
#include "machine/statement_files.h"
#include "nvcc/judging_arguments.h"
#include "nvcc/safe_arguments.h"
#include "nvcc/wanted_kernels.h"
#include "os/write_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {
namespace {

/// 65536 registers for 2048 threads of an SM are 32 for each.
constexpr unsigned fewRegisters = 32;

struct Run {
  ArrayRef<std::string> arguments;
  const std::string &architecture, &directory;
  Scratch &scratch;
  std::chrono::milliseconds limit;
};

/// Returns ptxas' report of the kernel in this text; none if it fails.
std::optional<Usage> usageOf(const std::string &kernel, const std::string &ptx,
                             const Run &run) {
  const std::string source = run.scratch.path("option.ptx");
  if (Error error = writeFile(source, [&](raw_ostream &out) { out << ptx; })) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  std::vector<std::string> arguments = argumentsFor(source, run.arguments);
  if (!run.architecture.empty())
    arguments.push_back("-arch=" + run.architecture);
  arguments.insert(arguments.end(),
                   {"-cubin", "-Xptxas", "-v", "-Wno-deprecated-gpu-targets",
                    "-o", run.scratch.path("option.cubin"), "-Xptxas", "-e",
                    "-Xptxas", kernel});
  // A run appends to the file of its output.
  const std::string output = run.scratch.path("option");
  sys::fs::remove(output);
  Expected<Exit> exit =
      run.scratch.run(arguments, run.directory, "option", run.limit);
  if (!exit) {
    consumeError(exit.takeError());
    return std::nullopt;
  }
  auto report = MemoryBuffer::getFile(output);
  if (!exit->hasSucceeded() || !report)
    return std::nullopt;
  for (Usage &usage : readPtxas((*report)->getBuffer()).usages)
    if (usage.kernel == kernel)
      return std::move(usage);
  return std::nullopt;
}

} // namespace

void compileOptions(CompiledUnit &unit, StringRef wanted,
                    ArrayRef<std::string> judgingArguments, Scratch &scratch,
                    const std::string &directory,
                    std::chrono::milliseconds limit) {
  const Run run{judgingArguments, unit.architecture, directory, scratch, limit};
  StatementFiles files(directory);
  for (CompiledKernel *asked : wantedKernels(unit, wanted)) {
    CompiledKernel &kernel = *asked;
    const std::string &name = kernel.usage.kernel;
    // A shell would replace `$x` in the name.
    if (kernel.usage.registers <= fewRegisters || unit.ptx.empty() ||
        isHazardousPath(name))
      continue;
    auto conditions = optionConditions(unit.ptx, name, files);
    if (!conditions) {
      consumeError(conditions.takeError());
      continue;
    }
    for (OptionCondition &condition : *conditions) {
      auto taken = usageOf(name, withCondition(unit.ptx, condition, true), run);
      auto notTaken =
          usageOf(name, withCondition(unit.ptx, condition, false), run);
      if (!taken || !notTaken)
        continue;
      condition.branch.taken = std::move(*taken);
      condition.branch.notTaken = std::move(*notTaken);
      kernel.options.push_back(std::move(condition.branch));
    }
  }
}

} // namespace warplint
