#include "nvcc/compile_rolled.h"
#include "base/kernel_name.h"
#include "machine/ptxas.h"
#include "nvcc/judging_arguments.h"
#include "nvcc/rolled_loop.h"
#include "nvcc/wanted_kernels.h"
#include "os/write_file.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

/// Each takes as long as nvcc for the whole source.
constexpr size_t mostTried = 2;

/// ptxas' report of all kernels in `text`; empty if nvcc fails.
std::vector<Usage> usagesOf(StringRef text, StringRef name,
                            const NvccRun &run) {
  Expected<Scratch> scratch = Scratch::create();
  if (!scratch) {
    consumeError(scratch.takeError());
    return {};
  }
  const std::string file = scratch->path(name);
  if (Error error = writeFile(file, [&](raw_ostream &out) { out << text; })) {
    consumeError(std::move(error));
    return {};
  }
  std::vector<std::string> arguments = argumentsFor(file, run.arguments);
  arguments.insert(arguments.end(),
                   {"-cubin", "-Xptxas", "-v", "-Wno-deprecated-gpu-targets",
                    "-o", scratch->path("rolled.cubin")});
  Expected<Exit> exit =
      scratch->run(arguments, run.directory, "rolled", run.limit, run.memory);
  if (!exit) {
    consumeError(exit.takeError());
    return {};
  }
  auto output = MemoryBuffer::getFile(scratch->path("rolled"));
  if (!exit->hasSucceeded() || !output)
    return {};
  return readPtxas((*output)->getBuffer()).usages;
}

} // namespace

void compileRolled(const NvccRun &run, const std::string &shortened,
                   StringRef wanted, CompiledUnit &unit) {
  std::map<Place, std::vector<CompiledKernel *>> loops;
  for (CompiledKernel *kernel : wantedKernels(unit, wanted))
    if (kernel->registers && !kernel->registers->unrolled.empty())
      loops[kernel->registers->unrolled.front()].push_back(kernel);
  auto text = MemoryBuffer::getFile(shortened);
  if (loops.empty() || !text)
    return;
  std::vector<std::pair<Place, std::vector<CompiledKernel *>>> most(
      loops.begin(), loops.end());
  stable_sort(most, [](const auto &a, const auto &b) {
    return a.second.size() > b.second.size();
  });
  most.resize(std::min(most.size(), mostTried));
  for (auto &[place, kernels] : most) {
    const auto rolled =
        withLoopRolled((*text)->getBuffer(), place, run.directory);
    if (!rolled)
      continue;
    std::map<std::string, Usage> usages;
    for (Usage &usage : usagesOf(*rolled, sys::path::filename(shortened), run))
      usages[normalisedKernelName(usage.kernel)] = std::move(usage);
    for (CompiledKernel *kernel : kernels)
      if (auto found = usages.find(normalisedKernelName(kernel->usage.kernel));
          found != usages.end())
        kernel->rolled.push_back({place, found->second});
  }
}

} // namespace warplint
