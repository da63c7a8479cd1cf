#include "run/read_sources.h"
#include "base/regular_file.h"
#include "cache/record.h"
#include "input/include_graph.h"
#include "nvcc/judging_arguments.h"
#include "os/process_pool.h"
#include "os/processor_wait.h"
#include "os/workers.h"
#include "ptx/ptx_kernels.h"
#include "report/progress.h"
#include "run/built_object.h"
#include "run/callers.h"
#include "run/compile_sources.h"
#include "run/early_compile.h"
#include "run/from_ptx.h"
#include "run/record_fields.h"
#include "run/run_cache.h"
#include "run/shard.h"
#include "source/expected_headers.h"
#include "source/headers_in_use.h"
#include "source/read_observer.h"
#include "source/settle_shapes.h"
#include "llvm/Support/FileSystem.h"

namespace warplint {

namespace {

SourceModel unread(std::string why) {
  SourceModel model;
  model.outline.whyNot = std::move(why);
  return model;
}

SourceModel readPtxFile(const std::string &path, const Buffers &buffers) {
  auto file = readText(path, buffers);
  if (!file)
    return unread("it cannot be read");
  PtxRequest request;
  request.file = path;
  auto kernels = readPtxKernels(file->getBuffer(), request);
  if (!kernels)
    return unread(llvm::toString(kernels.takeError()));
  SourceModel model;
  setKernels(model, std::move(*kernels));
  model.asked = {path};
  return model;
}

/// `withCache`: use precompiled headers.
SourceModel readOne(const Work &work, const Options &options,
                    const Batch &batch, bool withCache) {
  if (!mayBeRead(work.command.source))
    return unread("it " + noRegularFile().message());
  if (work.isPtx())
    return readPtxFile(work.command.source, options.sources.buffers);
  auto observer = batch.instrument ? batch.instrument->observer() : nullptr;
  auto model = readSource(work.command, work.translation, work.toolkit,
                          batch.resourceDir,
                          withCache ? storeOf(options.cache) : Store(),
                          options.sources.buffers, observer.get());
  return model ? std::move(*model) : unread(llvm::toString(model.takeError()));
}

bool recallOutline(Work &work, RunCache &cache) {
  auto [key, outline] = cache.outline(work);
  work.key = std::move(key);
  if (!outline)
    return false;
  work.model.outline = std::move(*outline);
  return true;
}

bool recallModel(Work &work, const RunCache &cache) {
  auto model = work.key.empty() ? std::nullopt : cache.model(work.key);
  if (!model)
    return false;
  work.model = std::move(*model);
  work.hasModel = true;
  return true;
}

/// Searches the text of the source itself, not that of its headers.
bool seemsToHaveKernels(const Work &work) {
  auto text = readText(work.command.source, {});
  return text && (text->getBuffer().contains("__global__") ||
                  text->getBuffer().contains("Kokkos::parallel_"));
}

/// True if the object of a build will answer whatever the judge asks.
bool isBuilt(const Work &work) {
  return keepsPtxWithLines(work.arguments) && !builtObject(work).empty();
}

bool isCompiled(const Batch &batch, const Work &work) {
  return (batch.compilesAll || work.settings->asksCompiledCode()) &&
         !isBuilt(work);
}

/// Announces the sources to `batch.early`, and lets it use idle processors.
void compileEarly(Batch &batch, llvm::ArrayRef<size_t> which,
                  ProcessWork &work) {
  EarlyCompiles *early = batch.early.get();
  if (!early)
    return;
  early->wait(); // child processes are forked next, so no thread may run
  for (size_t i : which)
    early->add(i, isCompiled(batch, batch.sources[i]) &&
                      seemsToHaveKernels(batch.sources[i]));
  work.idle = [early](unsigned processes) { early->use(processes); };
}

void noteRead(const Batch &batch, size_t i) {
  const Work &read = batch.sources[i];
  if (batch.early)
    batch.early->wasRead(
        i, !read.model.outline.kernels.empty() && isCompiled(batch, read),
        read.key);
}

/// The time since it was made in which this thread did not wait for a
/// processor.
class Stopwatch {
public:
  uint64_t milliseconds() const {
    const auto passed = std::chrono::steady_clock::now() - begin_;
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               passed - (waitOfThread() - waited_))
        .count();
  }

private:
  std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
  std::chrono::nanoseconds waited_ = waitOfThread();
};

/// Sources that are read together share precompiled headers from the first on.
void expectHeadersOf(llvm::ArrayRef<size_t> which, const Batch &batch,
                     const Options &options) {
  const Store kept = storeOf(options.cache);
  std::vector<ParseRequest> requests;
  for (size_t i : which)
    if (const Work &work = batch.sources[i]; !work.isPtx())
      requests.push_back({work.command, work.translation, work.toolkit,
                          batch.resourceDir, kept, options.sources.buffers});
  if (kept.isEnabled())
    expectHeaders(requests);
}

/// Reads sources whose models are not in the cache. Of the models that it then
/// holds, one or at most `mostHeld` bytes of records stay in memory, which
/// takes several times as much.
void readUncached(Batch &batch, std::vector<size_t> which,
                  const Options &options, uint64_t mostHeld) {
  if (which.empty())
    return;
  if (which.size() > 1)
    sortBySize(which, batch);
  const bool isShared = !batch.share.empty() && batch.cache->isOn();
  if (isShared)
    putShareFirst(which, batch.share, *options.check.shard);
  expectHeadersOf(which, batch, options);
  uint64_t bytes = 0;
  for (size_t i : which)
    bytes += batch.sources[i].size.value_or(0);
  Progress progress("reading", which.size(),
                    Progress::Terminal::standardError(options.output.quiet),
                    bytes);
  ProcessWork work;
  compileEarly(batch, which, work);
  // Clang may crash on what it reads from a precompiled header alone: reads
  // once more without, and if that succeeds, the header is to blame.
  std::vector<size_t> crashed;
  bool isSecondTry = false;
  work.work = [&](size_t i) {
    const Stopwatch time;
    Work &one = batch.sources[i];
    if (isShared && !isSecondTry && recallOutline(one, *batch.cache) &&
        recallModel(one, *batch.cache))
      return toRecord(one.model) + toRecord(ReadEnd{one.key});
    SourceModel model = readOne(one, options, batch, !isSecondTry);
    std::string record;
    ReadEnd end;
    if (model.outline.whyNot.empty()) {
      if (isSecondTry)
        dropPrecompiledHeaders(one.command, one.translation, one.toolkit,
                               batch.resourceDir, storeOf(options.cache));
      // Thousands of paths, which the keys of the cache hold from here on.
      if (batch.cache->isOn()) {
        std::vector<std::string> asked = std::exchange(model.asked, {});
        record = toRecord(model);
        end.key = batch.cache->store(one, model, record, asked);
        model.asked = std::move(asked);
      }
    }
    if (end.key.empty())
      record = toRecord(model);
    end.milliseconds = time.milliseconds();
    return record + toRecord(end);
  };
  uint64_t held = 0;
  // `size`: of its record; 0 if reading failed.
  auto take = [&](size_t i, ReadResult result, uint64_t size) {
    Work &read = batch.sources[i];
    progress.step(read.command.source, read.size.value_or(1));
    read.hasModel = true;
    read.model = std::move(result.model);
    read.key = std::move(result.end.key);
    read.readFor = std::chrono::milliseconds(result.end.milliseconds);
    // The first one is linted next, however large.
    if (size > 0 && held > 0 && !read.key.empty() && held + size > mostHeld)
      forgetModel(read);
    else
      held += size;
    noteRead(batch, i);
  };
  work.done = [&](size_t i, const std::string &answer) {
    auto result = fromRecord<ReadResult>(answer);
    take(i,
         result ? std::move(*result)
                : ReadResult{unread("the answer of its child process cannot "
                                    "be decoded"),
                             {}},
         answer.size());
  };
  work.failed = [&](size_t i, const std::string &why) {
    const bool isCrash = llvm::StringRef(why).starts_with(crashWords);
    if (isCrash && !isSecondTry && batch.cache->isOn()) {
      crashed.push_back(i);
      return;
    }
    take(i, {unread("reading it " + why), {batch.sources[i].key}}, 0);
  };
  const ProcessLimits limits{options.limits.threads, options.limits.timeout,
                             options.limits.memory};
  forEachInProcesses(which, limits, work);
  isSecondTry = true;
  forEachInProcesses(crashed, limits, work);
  if (batch.early)
    batch.early->stop();
}

void settleShapesOf(Batch &batch, size_t i) {
  Work &work = batch.sources[i];
  if (!work.hasModel)
    return;
  std::vector<Launch> launches = work.launches;
  llvm::append_range(launches, launchesElsewhere(batch, i));
  settleShapes(work.model.kernels, launches, [&](const Kernel &kernel) {
    return work.settings->blockOf(kernel);
  });
}

/// Returns true for a static kernel and one in an unnamed namespace: its name
/// means another kernel in each source.
bool isInternal(llvm::StringRef mangled) {
  return mangled.starts_with("_ZL") || mangled.contains("_GLOBAL__N_");
}

/// A kernel may be launched from another source. A dispatch is left out: it
/// makes its kernel itself, and lambdas of two programs may share a name.
void gatherLaunches(Batch &batch) {
  for (size_t i = 0; i < batch.sources.size(); ++i) {
    const SourceOutline &outline = batch.sources[i].model.outline;
    llvm::StringMap<const Place *> definitions;
    for (const KernelOutline &kernel : outline.kernels)
      definitions[kernel.mangled] = &kernel.place;
    for (const Launch &launch : batch.sources[i].launches) {
      if (launch.byPolicy || isInternal(launch.kernel))
        continue;
      const Place *definition = definitions.lookup(launch.kernel);
      batch.launches[launch.kernel].push_back(
          {launch, i, definition ? *definition : Place()});
    }
  }
}

/// The sizes of the source files themselves, without their headers: the same on
/// every machine that has the same tree. 0 for a file that cannot be read.
std::vector<uint64_t> sizesOf(const Batch &batch) {
  std::vector<uint64_t> sizes(batch.sources.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    if (llvm::sys::fs::file_size(batch.sources[i].command.source, sizes[i]))
      sizes[i] = 0;
  return sizes;
}

} // namespace

/// The bytes of each source and of the headers that it includes, but for those
/// that every source includes.
static void measureSizes(llvm::ArrayRef<size_t> which, Batch &batch) {
  IncludeGraph includes;
  for (size_t i : which) {
    Work &work = batch.sources[i];
    if (work.size)
      continue;
    // Any folder counts: headers of a library take as long as a project's own.
    IncludeFolders folders =
        includeFolders(work.command.directory, work.translation.clang);
    llvm::append_range(folders.project, std::exchange(folders.system, {}));
    if (work.toolkit)
      folders.project.push_back(work.toolkit->include);
    work.size = includes.bytes(work.command.source, folders, "cuda_runtime.h");
  }
}

void sortBySize(std::vector<size_t> &which, Batch &batch) {
  measureSizes(which, batch);
  llvm::stable_sort(which, [&](size_t a, size_t b) {
    return batch.sources[a].size > batch.sources[b].size;
  });
}

void readSources(Batch &batch, Want want, const Options &options) {
  if (options.sources.fromPtx)
    want = Want::Models; // kernels from PTX are merged with those of the source
  const bool wantsModels = want == Want::Models || want == Want::ModelsCompiled;
  if (options.check.shard)
    batch.share = shareOf(sizesOf(batch), *options.check.shard);
  std::vector<char> isMissing(batch.sources.size());
  forEachInParallel(
      batch.sources.size(), options.limits.threads,
      [&](size_t i) {
        Work &work = batch.sources[i];
        isMissing[i] = work.model.outline.whyNot.empty() &&
                       (!recallOutline(work, *batch.cache) ||
                        (wantsModels && !recallModel(work, *batch.cache)));
      },
      [&](size_t i) { isMissing[i] = true; });
  std::vector<size_t> missing;
  for (size_t i = 0; i < batch.sources.size(); ++i)
    if (isMissing[i])
      missing.push_back(i);
  constexpr uint64_t everything = -1, some = 64 << 20;
  readUncached(batch, std::move(missing), options,
               wantsModels ? everything : some);
  if (options.sources.fromPtx)
    forEachInParallel(
        batch.sources.size(), options.limits.threads,
        [&](size_t i) {
          Work &work = batch.sources[i];
          if (!work.isPtx() && !work.arguments.empty())
            takeKernelsFromPtx(work, options);
        },
        [&](size_t i) {
          batch.sources[i].model = unread("reading its PTX ended in a crash");
        });
  readCallers(batch, options.limits.threads);
  gatherLaunches(batch);
  for (size_t i = 0; i < batch.sources.size(); ++i)
    settleShapesOf(batch, i);
}

bool recallModel(Batch &batch, size_t i) {
  if (!recallModel(batch.sources[i], *batch.cache))
    return false;
  settleShapesOf(batch, i);
  return true;
}

void forgetModel(Work &work) {
  work.hasModel = false;
  work.model.kernels = {};
  work.model.systemFiles = {};
}

void readModels(Batch &batch, llvm::ArrayRef<size_t> which,
                const Options &options) {
  readUncached(batch, which.vec(), options, /*mostHeld=*/-1);
  for (size_t i : which)
    settleShapesOf(batch, i);
}

} // namespace warplint
