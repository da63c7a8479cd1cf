#include "run/batch.h"
#include "base/failure.h"
#include "cache/record.h"
#include "input/compiler.h"
#include "input/read_sizes.h"
#include "input/search_flags.h"
#include "nvcc/compile.h"
#include "os/process_pool.h"
#include "os/workers.h"
#include "ptx/ptx_kernels.h"
#include "report/progress.h"
#include "run/ahead.h"
#include "run/from_ptx.h"
#include "run/run_cache.h"
#include "source/read_observer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>
#include <thread>

namespace warplint {

namespace {

/// Clang's own headers: told, or where they were when warplint was built.
llvm::Expected<std::string> resourceDir(const Options &options) {
  std::string folder =
      options.resourceDir.empty() ? WARPLINT_RESOURCE_DIR : options.resourceDir;
  if (llvm::sys::fs::exists(folder + "/include/__clang_cuda_builtin_vars.h"))
    return folder;
  return failure("Clang's resource directory is not at '" + folder +
                 "'; --resource-dir tells where it is");
}

/// A toolkit that was asked for by name and is none would silently give way to
/// another.
llvm::Error expectToolkit(const std::string &cudaPath) {
  if (cudaPath.empty() || !includeFolder(cudaPath).empty())
    return llvm::Error::success();
  return failure("'--cuda-path " + cudaPath +
                 "' is no CUDA toolkit: there is no cuda.h in its include/");
}

Reading readPtxFile(const std::string &path, const Buffers &buffers) {
  Reading reading;
  auto file = readText(path, buffers);
  if (!file) {
    reading.whyNot = "it cannot be read";
    return reading;
  }
  PtxRequest request;
  request.file = path;
  auto kernels = readPtxKernels(file->getBuffer(), request);
  if (!kernels) {
    reading.whyNot = llvm::toString(kernels.takeError());
    return reading;
  }
  reading.model.kernels = std::move(*kernels);
  reading.model.asked = {path};
  return reading;
}

/// The architecture that PTX is for.
std::string targetOf(const std::string &ptxFile, const Buffers &buffers) {
  auto file = readText(ptxFile, buffers);
  return file ? ptxTarget(file->getBuffer()) : "";
}

std::set<std::string> mangledNames(const std::vector<Kernel> &kernels) {
  std::set<std::string> names;
  for (const Kernel &kernel : kernels)
    names.insert(kernel.mangled);
  return names;
}

/// The kernels that `accesses --from ptx` lists are those of the PTX; `check`
/// takes from it those alone that the source reader does not have.
void readFromPtx(Work &work, const Options &options) {
  SourceModel &model = work.model;
  const bool isForGaps = options.command == CommandName::Check;
  if (isForGaps && work.whyNot.empty() && model.notRead.empty())
    return;
  auto fromPtx = ptxKernelsOf(work, options);
  if (!fromPtx) {
    std::string why = llvm::toString(fromPtx.takeError());
    if (isForGaps)
      work.notes.push_back(why); // why the gap is there is said already
    else
      work.whyNot = why;
    return;
  }
  std::vector<Kernel> fromSource = std::move(model.kernels);
  const std::set<std::string> inSource = mangledNames(fromSource),
                              inPtx = mangledNames(*fromPtx);
  model.kernels.clear();
  for (Kernel &kernel : fromSource)
    if (isForGaps)
      model.kernels.push_back(std::move(kernel));
    else if (!inPtx.count(kernel.mangled))
      work.notes.push_back("the compiler did not emit kernel '" + kernel.name +
                           "'");
  for (Kernel &kernel : *fromPtx)
    if (!isForGaps || !inSource.count(kernel.mangled))
      model.kernels.push_back(std::move(kernel));
  // Nothing of the source is left out any more.
  work.whyNot.clear();
  model.errors.clear();
  model.notRead.clear();
}

/// What to judge a source for of which no build says it. nvcc's own default is
/// the oldest GPU that it knows, which nobody tunes for: Hopper, on which every
/// figure of ours was measured, or the newest that the toolkit has before it.
std::vector<std::string> architecturesOfBare(const Toolkit &toolkit) {
  const auto release = std::pair(toolkit.major, toolkit.minor);
  if (release >= std::pair(11u, 8u))
    return {"sm_90"};
  return release >= std::pair(11u, 0u) ? std::vector<std::string>{"sm_80"}
                                       : std::vector<std::string>();
}

/// Everything that has to be known before the source is read.
void prepare(Work &work, const Options &options, ToolkitSearch &toolkits) {
  auto arguments = fullArguments(work.command);
  if (!arguments) {
    work.whyNot = llvm::toString(arguments.takeError());
    work.hasModels = true; // all there will ever be
    return;
  }
  work.arguments = std::move(*arguments);
  work.toolkit = toolkits.of(work.command);
  work.translation = translate(work.arguments, work.toolkit);
  work.translation.forHost = !work.isPtx() && !compilesCuda(work.command);
  work.translation.layoutRight = options.deviceLayout == "right";
  std::vector<std::string> &architectures = work.translation.architectures;
  if (!work.settings->architectures.value.empty())
    architectures = work.settings->architectures.value;
  if (!architectures.empty())
    return;
  if (!work.isPtx() && work.command.isBare && work.toolkit)
    architectures = architecturesOfBare(*work.toolkit);
  if (!work.isPtx())
    return;
  if (std::string target = targetOf(work.command.source, options.buffers);
      !target.empty())
    architectures = {target};
}

Reading readOne(const Work &work, const Options &options, const Batch &batch) {
  if (work.isPtx())
    return readPtxFile(work.command.source, options.buffers);
  Reading reading;
  auto observer = batch.instrument ? batch.instrument->observer() : nullptr;
  auto model = readSource(work.command, work.translation, work.toolkit,
                          batch.resourceDir, storeOf(options), options.buffers,
                          observer.get());
  if (model)
    reading.model = std::move(*model);
  else
    reading.whyNot = llvm::toString(model.takeError());
  return reading;
}

/// A name that means another kernel in each source: static, or in an unnamed
/// namespace.
bool isInternal(llvm::StringRef mangled) {
  return mangled.starts_with("_ZL") || mangled.contains("_GLOBAL__N_");
}

/// A kernel may be launched from another source, but not by a dispatch: that
/// makes its kernel itself, and lambdas of two programs may share a name.
void gatherLaunches(Batch &batch) {
  for (const Work &work : batch.sources)
    for (const Launch &launch : work.model.launches)
      if (!launch.byPolicy && !isInternal(launch.kernel))
        batch.launches[launch.kernel].push_back({launch, &work});
}

void settleShapes(Work &work, const Batch &batch) {
  if (!work.hasModels)
    return;
  settleShapes(
      work.model.kernels, launchesFor(work, batch),
      [&](const Kernel &kernel) { return work.settings->blockOf(kernel); });
}

void takeOutlines(Work &work) {
  work.kernels.clear();
  for (const Kernel &kernel : work.model.kernels)
    work.kernels.push_back(outlineOf(kernel));
}

/// Whether the source was read before, as it is now.
bool recall(Work &work, RunCache &cache) {
  auto [key, outline] = cache.reading(work);
  work.key = std::move(key);
  if (!outline)
    return false;
  work.kernels = std::move(outline->kernels);
  work.model.launches = std::move(outline->launches);
  work.model.errors = std::move(outline->errors);
  work.model.notRead = std::move(outline->notRead);
  work.model.userFiles = std::move(outline->userFiles);
  work.model.markedFiles = std::move(outline->markedFiles);
  return true;
}

bool recallModel(Work &work, const RunCache &cache) {
  auto model = work.key.empty() ? std::nullopt : cache.model(work.key);
  if (!model)
    return false;
  work.model = std::move(*model);
  work.hasModels = true;
  return true;
}

/// Where a source's headers are looked for.
std::vector<std::string> foldersOf(const Work &work) {
  std::vector<std::string> folders;
  for (SearchFlag &flag :
       searchFlags(work.command.directory, work.translation.clang))
    if (flag.name != "-include" && flag.name != "-imacros")
      folders.push_back(std::move(flag.path));
  if (work.toolkit)
    folders.push_back(work.toolkit->include);
  return folders;
}

/// By what stands in the source itself.
bool seemsToHaveKernels(const Work &work) {
  auto text = readText(work.command.source, {});
  return text && (text->getBuffer().contains("__global__") ||
                  text->getBuffer().contains("Kokkos::parallel_"));
}

/// Reads sources whose models nobody remembers.
void readAnew(Batch &batch, std::vector<size_t> which, const Options &options) {
  if (which.empty())
    return;
  if (which.size() > 1)
    sortByCost(which, batch);
  Progress progress("reading", which.size());
  ProcessWork work;
  if (CompilesAhead *ahead = batch.ahead.get()) {
    ahead->wait(); // no other thread may be there when processes are started
    for (size_t i : which)
      ahead->add(i, batch.sources[i].settings->asksCompiledCode() &&
                        seemsToHaveKernels(batch.sources[i]));
    work.idle = [ahead](unsigned processes) { ahead->use(processes); };
  }
  auto wasRead = [&](const Work &read, size_t i) {
    if (batch.ahead)
      batch.ahead->wasRead(
          i, !read.kernels.empty() && read.settings->asksCompiledCode(),
          read.key);
  };
  work.work = [&](size_t i) {
    Reading reading = readOne(batch.sources[i], options, batch);
    if (reading.whyNot.empty())
      reading.key = batch.cache->keep(batch.sources[i], reading.model);
    return toRecord(reading);
  };
  work.done = [&](size_t i, const std::string &answer) {
    Work &read = batch.sources[i];
    progress.step(read.command.source);
    auto reading = fromRecord<Reading>(answer);
    read.hasModels = true;
    read.model = reading ? std::move(reading->model) : SourceModel();
    read.whyNot = reading ? reading->whyNot : "its reader's answer is broken";
    read.key = reading ? reading->key : "";
    takeOutlines(read);
    wasRead(read, i);
  };
  work.failed = [&](size_t i, const std::string &why) {
    Work &read = batch.sources[i];
    progress.step(read.command.source);
    read.hasModels = true;
    read.model = {};
    read.kernels.clear();
    read.whyNot = "reading it " + why;
    wasRead(read, i);
  };
  forEachInProcesses(which, {options.threads, options.timeout}, work);
  if (batch.ahead)
    batch.ahead->stop();
}

/// Each source's outline, and its models if they are wanted or at hand.
void readAll(Batch &batch, Want want, const Options &options) {
  if (options.fromPtx)
    want = Want::Models; // which those of the PTX are put between
  std::vector<char> isMissing(batch.sources.size());
  forEachInParallel(
      batch.sources.size(), options.threads,
      [&](size_t i) {
        Work &work = batch.sources[i];
        isMissing[i] =
            work.whyNot.empty() &&
            (!recall(work, *batch.cache) ||
             (want == Want::Models && !recallModel(work, *batch.cache)));
      },
      [&](size_t i) { isMissing[i] = true; });
  std::vector<size_t> missing;
  for (size_t i = 0; i < batch.sources.size(); ++i)
    if (isMissing[i])
      missing.push_back(i);
  readAnew(batch, std::move(missing), options);
  if (options.fromPtx)
    forEachInParallel(
        batch.sources.size(), options.threads,
        [&](size_t i) {
          Work &work = batch.sources[i];
          if (!work.isPtx() && !work.arguments.empty())
            readFromPtx(work, options);
          takeOutlines(work);
        },
        [&](size_t i) {
          batch.sources[i].model = {};
          batch.sources[i].whyNot = "reading its PTX ended in a crash";
        });
  gatherLaunches(batch);
  for (Work &work : batch.sources)
    settleShapes(work, batch);
}

llvm::Expected<Batch> readSources(const Options &options, Sources sources,
                                  Configurations &configurations, Want want,
                                  const Instrument *instrument = nullptr) {
  auto resources = resourceDir(options);
  if (!resources)
    return resources.takeError();
  Batch batch;
  batch.notes = std::move(sources.notes);
  for (Command &command : sources.commands) {
    batch.sources.emplace_back();
    batch.sources.back().command = std::move(command);
    auto settings = configurations.of(batch.sources.back().command.source);
    if (!settings)
      return settings.takeError();
    batch.sources.back().settings = std::move(*settings);
  }
  ToolkitSearch toolkits(options.cudaPath);
  forEachInParallel(
      batch.sources.size(), options.threads,
      [&](size_t i) { prepare(batch.sources[i], options, toolkits); },
      [&](size_t i) {
        batch.sources[i].whyNot = "reading its command ended in a crash";
        batch.sources[i].hasModels = true;
      });
  if (!options.deviceLayout.empty() &&
      llvm::none_of(batch.sources,
                    [](const Work &work) { return work.translation.forHost; }))
    batch.notes.push_back("'--device-layout' says nothing here: it is for host "
                          "builds of Kokkos, and a CUDA build has the layout "
                          "that it compiles");
  batch.resourceDir = std::move(*resources);
  batch.instrument = instrument;
  batch.cache = std::make_shared<RunCache>(options, batch.resourceDir,
                                           instrument ? instrument->name
                                                      : llvm::StringRef());
  for (Work &work : batch.sources)
    work.lists = batch.cache->lists();
  // What an editor holds is not what nvcc would read.
  if (want == Want::Compiled && options.judge && !options.fromPtx &&
      options.buffers.empty())
    batch.ahead = std::make_shared<CompilesAhead>(
        [sources = batch.sources.data(),
         &options](size_t i, const std::shared_future<std::string> &key) {
          return compiledFor(sources[i], options, 1,
                             [&key] { return key.get(); });
        });
  readAll(batch, want, options);
  return batch;
}

} // namespace

void sortByCost(std::vector<size_t> &which, Batch &batch) {
  std::map<std::vector<std::string>, ReadSizes> sizes; ///< by folders
  for (size_t i : which) {
    Work &work = batch.sources[i];
    if (work.cost)
      continue;
    std::vector<std::string> folders = foldersOf(work);
    auto place = sizes.try_emplace(folders, folders, "cuda_runtime.h").first;
    work.cost = place->second.of(work.command.source);
  }
  llvm::stable_sort(which, [&](size_t a, size_t b) {
    return batch.sources[a].cost > batch.sources[b].cost;
  });
}

llvm::Expected<Batch> readBatch(const Options &options, Want want,
                                const Changes *changes,
                                const Instrument *instrument) {
  if (llvm::Error error = expectToolkit(options.cudaPath))
    return error;
  Configurations configurations(options);
  std::string broken;
  auto skips = [&](llvm::StringRef file) {
    if (!broken.empty())
      return false;
    auto settings = configurations.of(file);
    if (settings)
      return (*settings)->skips(file) != nullptr;
    broken = llvm::toString(settings.takeError());
    return false;
  };
  auto sources = findSources(options.sources, skips);
  if (!broken.empty()) {
    llvm::consumeError(sources.takeError());
    return failure(broken);
  }
  if (!sources)
    return sources.takeError();
  if (changes)
    keepChanged(sources->commands, *changes);
  return readSources(options, std::move(*sources), configurations, want,
                     instrument);
}

llvm::Expected<Batch> readCommand(const Options &options, Want want,
                                  const Command &command) {
  if (llvm::Error error = expectToolkit(options.cudaPath))
    return error;
  Configurations configurations(options);
  auto settings = configurations.of(command.source);
  if (!settings)
    return settings.takeError();
  Sources sources;
  if (!(*settings)->skips(command.source))
    sources.commands.push_back(command);
  return readSources(options, std::move(sources), configurations, want);
}

Store storeOf(const Options &options) {
  return Store(options.cache, options.remoteCache);
}

void readModels(Batch &batch, llvm::ArrayRef<size_t> which,
                const Options &options) {
  std::vector<size_t> missing, isNew;
  for (size_t i : which) {
    if (batch.sources[i].hasModels)
      continue;
    isNew.push_back(i);
    if (!recallModel(batch.sources[i], *batch.cache))
      missing.push_back(i);
  }
  readAnew(batch, std::move(missing), options);
  for (size_t i : isNew)
    settleShapes(batch.sources[i], batch);
}

std::vector<Launch> launchesElsewhere(const Work &work, const Batch &batch) {
  std::vector<Launch> launches;
  for (const KernelOutline &kernel : work.kernels)
    if (auto found = batch.launches.find(kernel.mangled);
        found != batch.launches.end())
      for (const Batch::Seen &seen : found->second)
        if (seen.in != &work)
          launches.push_back(seen.launch);
  return launches;
}

std::vector<Launch> launchesFor(const Work &work, const Batch &batch) {
  std::vector<Launch> launches = work.model.launches;
  llvm::append_range(launches, launchesElsewhere(work, batch));
  return launches;
}

static Place placeOf(const ParseError &error, const Command &command) {
  if (error.file.empty())
    return {};
  llvm::SmallString<256> file(error.file);
  llvm::sys::path::make_absolute(command.directory, file);
  llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
  return {file.str().str(), error.line, error.column};
}

SourceOutcome outcomeOf(const Work &work) {
  SourceOutcome outcome;
  outcome.source = work.command.source;
  outcome.hasToolkit = work.toolkit.has_value() || work.isPtx();
  outcome.whyNot = work.whyNot;
  outcome.outline = {work.kernels,         {},
                     work.model.errors,    work.model.notRead,
                     work.model.userFiles, work.model.markedFiles};
  if (!work.model.errors.empty())
    outcome.errorPlace = placeOf(work.model.errors.front(), work.command);
  outcome.notes = work.notes;
  return outcome;
}

Report summary(const Batch &batch) {
  Outcomes outcomes;
  outcomes.notes = batch.notes;
  for (const Work &work : batch.sources)
    outcomes.sources.push_back(outcomeOf(work));
  return summary(outcomes);
}

/// Of few sources, several architectures are compiled at a time.
static unsigned threadsForEach(const Options &options, size_t sources) {
  const unsigned threads =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  return std::max<size_t>(1, threads / std::max<size_t>(1, sources));
}

Compiled compiledFor(const Work &work, const Options &options, size_t sources,
                     std::function<std::string()> keyOnceRead) {
  Compiled compiled;
  if (!options.judge)
    compiled.whyNot = options.whyNotJudged;
  else if (work.translation.forHost)
    compiled.whyNot = "a host build, read as Kokkos would run it on a GPU";
  else if (!work.toolkit || work.toolkit->nvcc.empty())
    compiled.whyNot = "no nvcc found";
  else
    compiled = compile(work.command, work.arguments, *work.toolkit,
                       work.translation.architectures,
                       {threadsForEach(options, sources), options.timeout,
                        storeOf(options), keyOnceRead ? "" : work.key,
                        work.lists, keyOnceRead});
  if (!work.isPtx())
    return compiled;
  // nvcc keeps no PTX of its own here: the source is it.
  if (auto file = llvm::MemoryBuffer::getFile(work.command.source))
    for (CompiledUnit &unit : compiled.units) {
      unit.ptx = (*file)->getBuffer().str();
      unit.ptxFile = work.command.source;
    }
  return compiled;
}

llvm::Expected<std::vector<Kernel>> ptxKernelsOf(const Work &work,
                                                 const Options &options) {
  Compiled compiled;
  std::vector<std::string> newest;
  if (!work.translation.architectures.empty())
    newest = {newestArchitecture(work.translation.architectures)};
  if (!work.toolkit || work.toolkit->nvcc.empty())
    compiled.whyNot = "no nvcc found";
  else
    compiled =
        compile(work.command, work.arguments, *work.toolkit, newest,
                {1, options.timeout, storeOf(options), work.key, work.lists});
  return kernelsFromPtx(work.model, compiled);
}

} // namespace warplint
