#include "nvcc/compile_trials.h"
#include "base/kernel_name.h"
#include "machine/ptxas.h"
#include "nvcc/judging_arguments.h"
#include "nvcc/kept_function.h"
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

/// Of loops, and of functions. Each takes as long as nvcc for the whole source.
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
                    "-o", scratch->path("tried.cubin")});
  Expected<Exit> exit =
      scratch->run(arguments, run.directory, "tried", run.limit, run.memory);
  if (!exit) {
    consumeError(exit.takeError());
    return {};
  }
  auto output = MemoryBuffer::getFile(scratch->path("tried"));
  if (!exit->hasSucceeded() || !output)
    return {};
  return readPtxas((*output)->getBuffer()).usages;
}

/// What some kernels have in common that holds their registers.
template <typename Cause>
using Causes = std::vector<std::pair<Cause, std::vector<CompiledKernel *>>>;

/// Those of most kernels first.
template <typename Cause> void keepMost(Causes<Cause> &causes) {
  stable_sort(causes, [](const auto &a, const auto &b) {
    return a.second.size() > b.second.size();
  });
  causes.resize(std::min(causes.size(), mostTried));
}

class Trials {
public:
  Trials(const NvccRun &run, const std::string &shortened)
      : run_(run), shortened_(shortened) {}

  void compile(CompiledUnit &unit, StringRef wanted);

private:
  /// ptxas' report of each kernel with the changed text.
  void compile(const std::optional<std::string> &changed,
               ArrayRef<CompiledKernel *> kernels,
               function_ref<void(CompiledKernel &, const Usage &)> found) const;

  const NvccRun &run_;
  const std::string &shortened_;
};

/// "solve" of "solve<float>".
std::string plainName(StringRef name) { return name.split('<').first.str(); }

void Trials::compile(
    const std::optional<std::string> &changed,
    ArrayRef<CompiledKernel *> kernels,
    function_ref<void(CompiledKernel &, const Usage &)> found) const {
  if (!changed)
    return;
  std::map<std::string, Usage> usages;
  for (Usage &usage : usagesOf(*changed, sys::path::filename(shortened_), run_))
    usages[normalisedKernelName(usage.kernel)] = std::move(usage);
  for (CompiledKernel *kernel : kernels)
    if (auto usage = usages.find(normalisedKernelName(kernel->usage.kernel));
        usage != usages.end())
      found(*kernel, usage->second);
}

void Trials::compile(CompiledUnit &unit, StringRef wanted) {
  std::map<Place, std::vector<CompiledKernel *>> ofLoops;
  std::map<std::pair<Place, std::string>, std::vector<CompiledKernel *>>
      ofFunctions;
  for (CompiledKernel *kernel : wantedKernels(unit, wanted)) {
    if (!kernel->registers)
      continue;
    if (const auto &loops = kernel->registers->unrolled; !loops.empty())
      ofLoops[loops.front()].push_back(kernel);
    if (const auto &functions = kernel->registers->inlined; !functions.empty())
      ofFunctions[{functions.front().inside, plainName(functions.front().name)}]
          .push_back(kernel);
  }
  auto file = MemoryBuffer::getFile(shortened_);
  if ((ofLoops.empty() && ofFunctions.empty()) || !file)
    return;
  const StringRef text = (*file)->getBuffer();
  Causes<Place> loops(ofLoops.begin(), ofLoops.end());
  keepMost(loops);
  for (const auto &[place, kernels] : loops)
    compile(withLoopRolled(text, place, run_.directory), kernels,
            [&](CompiledKernel &kernel, const Usage &usage) {
              kernel.rolled.push_back({place, usage});
            });
  // One text for all places in a function, and for all instances of a template.
  std::map<std::string, std::vector<CompiledKernel *>> texts;
  for (const auto &[function, kernels] : ofFunctions)
    if (auto changed = withFunctionKept(text, function.second, function.first,
                                        run_.directory))
      append_range(texts[*changed], kernels);
  Causes<std::string> functions(texts.begin(), texts.end());
  keepMost(functions);
  for (const auto &[changed, kernels] : functions)
    compile(changed, kernels, [&](CompiledKernel &kernel, const Usage &usage) {
      kernel.kept.push_back({kernel.registers->inlined.front().name, usage});
    });
}

} // namespace

void compileTrials(const NvccRun &run, const std::string &shortened,
                   StringRef wanted, CompiledUnit &unit) {
  Trials(run, shortened).compile(unit, wanted);
}

} // namespace warplint
