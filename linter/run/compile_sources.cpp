#include "run/compile_sources.h"
#include "base/regular_file.h"
#include "findings/check.h"
#include "nvcc/compile.h"
#include "os/child_process.h"
#include "run/built_object.h"
#include "run/early_compile.h"
#include "run/from_ptx.h"
#include "run/read_sources.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <thread>

namespace warplint {

Store storeOf(const CacheOptions &options) {
  return Store(options.folder, options.remote);
}

/// For each program of nvcc's. cicc and ptxas may need much more than reading.
static uint64_t memoryOf(const LimitOptions &limits) {
  return limits.memory.value_or(memoryOfMachine() / 2);
}

/// If there are few sources, several architectures are compiled at a time.
static unsigned threadsForEach(unsigned threads, size_t parallel) {
  if (!threads)
    threads = std::thread::hardware_concurrency();
  return std::max<size_t>(1, threads / std::max<size_t>(1, parallel));
}

/// True if a check asks what the kernels take with their branches fixed.
static bool asksOptions(const Work &work) {
  return work.settings &&
         llvm::any_of(work.settings->enabled(),
                      [](const Check *check) { return check->asksOptions; });
}

/// nvcc's programs say nothing of a disk that is full, and by now the files
/// that filled it are gone. So a folder that holds little is named, and the
/// next run tries again.
static void addSmallFolder(Compiled &compiled) {
  constexpr uint64_t enough = 16 << 20; // for what a large source compiles to
  const llvm::StringRef why = compiled.whyNot;
  if (!why.starts_with("nvcc stopped") || why.starts_with("nvcc stopped at"))
    return;
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  const auto space = llvm::sys::fs::disk_space(folder);
  if (!space || space->available >= enough)
    return;
  compiled.whyNot += "; the temporary folder '" + folder.str().str() +
                     "' has " + std::to_string(space->available / 1000) +
                     " kB left";
  compiled.endedByChance = true;
}

/// `keyOnceRead`, `built`, `asked`: as CompileRun's.
static Compiled compileNow(const Work &work, const Options &options,
                           size_t parallel,
                           std::function<std::string()> keyOnceRead = nullptr,
                           const DeviceImages *built = nullptr,
                           Asks asked = Asks::PtxWithLines) {
  Compiled compiled;
  if (!options.compiling.judge)
    compiled.whyNot = options.compiling.whyNotJudged;
  else if (work.translation.forHost)
    compiled.whyNot = "a host build, read as Kokkos would run it on a GPU";
  else if (!work.toolkit || work.toolkit->nvcc.empty())
    compiled.whyNot = noNvcc.str();
  else
    compiled = compile(work.command, work.arguments, *work.toolkit,
                       work.translation.architectures,
                       {threadsForEach(options.limits.threads, parallel),
                        options.limits.timeout, memoryOf(options.limits),
                        storeOf(options.cache), keyOnceRead ? "" : work.key,
                        work.lists, keyOnceRead, work.trusted.get(),
                        options.compiling.registers,
                        options.compiling.registers == RegistersOf::All ||
                            asksOptions(work),
                        work.nvcc ? &*work.nvcc : nullptr,
                        options.registers.kernel, built, asked});
  addSmallFolder(compiled);
  if (!work.isPtx())
    return compiled;
  // nvcc writes no PTX for a PTX source: the source is the PTX.
  if (auto file = readRegularFile(work.command.source))
    for (CompiledUnit &unit : compiled.units) {
      unit.ptx = (*file)->getBuffer().str();
      unit.ptxFile = work.command.source;
    }
  return compiled;
}

Compiled compile(const Work &work, const Options &options, size_t parallel) {
  return compileNow(work, options, parallel);
}

Compiled compile(const Batch &batch, size_t source, const Options &options,
                 size_t parallel, Asks asked) {
  auto begun = batch.early ? batch.early->take(source) : std::nullopt;
  if (begun)
    return std::move(*begun);
  const Work &work = batch.sources[source];
  // What holds registers is explained by other compiles of the source.
  std::optional<DeviceImages> built;
  if (options.compiling.judge &&
      options.compiling.registers != RegistersOf::All)
    built = builtCode(work, *batch.cache);
  return compileNow(work, options, parallel, nullptr, built ? &*built : nullptr,
                    asked);
}

void allowEarlyCompiles(Batch &batch, const Options &options) {
  // nvcc reads files on disk, not the unsaved text of an editor.
  if (!options.compiling.judge || options.sources.fromPtx ||
      !options.sources.buffers.empty())
    return;
  batch.early = std::make_shared<EarlyCompiles>(
      [sources = batch.sources.data(),
       &options](size_t i, const std::shared_future<std::string> &key) {
        return compileNow(sources[i], options, 1, [&key] { return key.get(); });
      });
}

void sortForCompiling(std::vector<size_t> &which, Batch &batch,
                      const CompileOptions &options) {
  if (options.judge && which.size() > 1)
    sortBySize(which, batch);
  if (batch.early)
    std::stable_partition(which.begin(), which.end(),
                          [&](size_t i) { return batch.early->hasBegun(i); });
}

llvm::Expected<std::vector<Kernel>> ptxKernelsOf(const Work &work,
                                                 const Options &options) {
  Compiled compiled;
  std::vector<std::string> newest;
  if (!work.translation.architectures.empty())
    newest = {newestArchitecture(work.translation.architectures)};
  if (!work.toolkit || work.toolkit->nvcc.empty())
    compiled.whyNot = noNvcc.str();
  else
    compiled = compile(work.command, work.arguments, *work.toolkit, newest,
                       {1, options.limits.timeout, memoryOf(options.limits),
                        storeOf(options.cache), work.key, work.lists, nullptr,
                        work.trusted.get(), RegistersOf::Spilling, false,
                        work.nvcc ? &*work.nvcc : nullptr});
  return kernelsFromPtx(work.model, compiled);
}

} // namespace warplint
