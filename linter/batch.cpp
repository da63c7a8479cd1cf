#include "batch.h"
#include "compiled/compile.h"
#include "compiled/ptx_kernels.h"
#include "from_ptx.h"
#include "input/compiler.h"
#include "report/progress.h"
#include "workers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>
#include <thread>

namespace warplint {

namespace {

llvm::Error failure(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

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

void readPtxFile(Work &work, const Buffers &buffers) {
  auto file = readText(work.command.source, buffers);
  if (!file) {
    work.whyNot = "it cannot be read";
    return;
  }
  PtxRequest request;
  request.file = work.command.source;
  auto kernels = readPtxKernels(file->getBuffer(), request);
  if (!kernels) {
    work.whyNot = llvm::toString(kernels.takeError());
    return;
  }
  work.model.kernels = std::move(*kernels);
  if (work.translation.architectures.empty())
    if (std::string target = ptxTarget(file->getBuffer()); !target.empty())
      work.translation.architectures = {target};
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
  auto fromPtx = ptxKernelsOf(work);
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

void readOne(Work &work, const Options &options,
             const std::string &resourceDir) {
  const bool cover = options.command == CommandName::Accesses &&
                     options.summary && !options.fromPtx;
  auto arguments = fullArguments(work.command);
  if (!arguments) {
    work.whyNot = llvm::toString(arguments.takeError());
    return;
  }
  work.arguments = std::move(*arguments);
  work.toolkit = findToolkit(work.command, options.cudaPath);
  work.translation = translate(work.arguments, work.toolkit);
  work.translation.forHost = !work.isPtx() && !compilesCuda(work.command);
  work.translation.layoutRight = options.deviceLayout == "right";
  if (!work.settings->architectures.value.empty())
    work.translation.architectures = work.settings->architectures.value;
  if (work.isPtx())
    return readPtxFile(work, options.buffers);
  if (work.command.isBare && work.translation.architectures.empty() &&
      work.toolkit)
    work.translation.architectures = architecturesOfBare(*work.toolkit);
  auto model = readSource(work.command, work.translation, work.toolkit,
                          resourceDir, cover, options.prefixes,
                          options.buffers);
  if (model)
    work.model = std::move(*model);
  else
    work.whyNot = llvm::toString(model.takeError());
  if (options.fromPtx)
    readFromPtx(work, options);
}

/// A name that means another kernel in each source: static, or in an unnamed
/// namespace.
bool isInternal(llvm::StringRef mangled) {
  return mangled.starts_with("_ZL") || mangled.contains("_GLOBAL__N_");
}

/// A kernel may be launched from another source, but not by a dispatch: that
/// makes its kernel itself, and lambdas of two programs may share a name.
void settleAllShapes(Batch &batch) {
  std::vector<Launch> anywhere;
  for (const Work &work : batch.sources)
    llvm::copy_if(work.model.launches, std::back_inserter(anywhere),
                  [](const Launch &launch) {
                    return !launch.byPolicy && !isInternal(launch.kernel);
                  });
  for (Work &work : batch.sources) {
    std::vector<Launch> launches = work.model.launches;
    llvm::append_range(launches, anywhere);
    settleShapes(work.model.kernels, launches, [&](const Kernel &kernel) {
      return work.settings->blockOf(kernel);
    });
  }
}

llvm::Expected<Batch> readSources(const Options &options, Sources sources,
                                  Configurations &configurations) {
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
  {
    Progress progress("reading", batch.sources.size());
    forEachInParallel(
        batch.sources.size(), options.threads,
        [&](size_t i) {
          progress.step(batch.sources[i].command.source);
          readOne(batch.sources[i], options, *resources);
        },
        [&](size_t i) {
          batch.sources[i].model = {};
          batch.sources[i].whyNot = "reading it ended in a crash";
        });
  }
  if (!options.deviceLayout.empty() &&
      llvm::none_of(batch.sources,
                    [](const Work &work) { return work.translation.forHost; }))
    batch.notes.push_back("'--device-layout' says nothing here: it is for host "
                          "builds of Kokkos, and a CUDA build has the layout "
                          "that it compiles");
  settleAllShapes(batch);
  return batch;
}

} // namespace

llvm::Expected<Batch> readBatch(const Options &options,
                                const Changes *changes) {
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
  return readSources(options, std::move(*sources), configurations);
}

llvm::Expected<Batch> readCommand(const Options &options,
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
  return readSources(options, std::move(sources), configurations);
}

namespace {

std::string errorText(const ParseError &error) {
  if (error.file.empty())
    return error.text;
  return llvm::sys::path::filename(error.file).str() + ":" +
         std::to_string(error.line) + ": " + error.text;
}

Place placeOf(const ParseError &error, const Command &command) {
  if (error.file.empty())
    return {};
  llvm::SmallString<256> file(error.file);
  llvm::sys::path::make_absolute(command.directory, file);
  llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
  return {file.str().str(), error.line, error.column};
}

/// "not followed: recursion in 'f', in kernel 'k'": what happens there is
/// neither costed nor checked.
void addNotFollowed(const Batch &batch, Report &report) {
  std::map<std::string, std::set<std::string>> kernels; // by what is not
  for (const Work &work : batch.sources)
    for (const Kernel &kernel : work.model.kernels)
      for (const std::string &what : kernel.notFollowed)
        kernels[what].insert(kernel.name);
  constexpr size_t shown = 5;
  size_t left = kernels.size();
  for (const auto &[what, names] : kernels) {
    if (kernels.size() - left == shown)
      break;
    --left;
    std::string in = "kernel '" + *names.begin() + "'";
    if (names.size() > 1)
      in += " and " + std::to_string(names.size() - 1) + " more";
    report.notes.push_back("not followed: " + what + ", in " + in);
  }
  if (left)
    report.notes.push_back("not followed: " + std::to_string(left) +
                           " more; 'warplint accesses --summary' lists them");
}

/// Each source's own notes, by its name.
void addWorkNotes(const Batch &batch, Report &report) {
  for (const Work &work : batch.sources)
    for (const std::string &note : work.notes)
      report.notes.push_back(
          llvm::sys::path::filename(work.command.source).str() + ": " + note);
}

} // namespace

Report summary(const Batch &batch) {
  Report report;
  report.notes = batch.notes;
  bool anyToolkit = false;
  // A piece of a source has errors on its own, and none where it is included.
  std::set<Place> read;
  for (const Work &work : batch.sources)
    for (const Kernel &kernel : work.model.kernels)
      read.insert(kernel.place);
  for (const Work &work : batch.sources) {
    anyToolkit |= work.toolkit.has_value() || work.isPtx();
    report.kernelsRead += work.model.kernels.size();
    report.files.insert(work.model.userFiles.begin(),
                        work.model.userFiles.end());
    // With errors and without kernels nothing of it was understood.
    if (work.whyNot.empty() &&
        (work.model.errors.empty() || !work.model.kernels.empty()))
      ++report.sourcesRead;
    if (!work.whyNot.empty())
      report.unread.push_back({work.command.source, work.whyNot, false});
    else if (!work.model.errors.empty())
      report.unread.push_back({work.command.source,
                               errorText(work.model.errors.front()),
                               !work.model.kernels.empty(),
                               placeOf(work.model.errors.front(),
                                       work.command)});
    else
      report.sources.push_back(work.command.source);
  }
  for (const Work &work : batch.sources)
    for (const DroppedKernel &kernel : work.model.notRead)
      if (!read.count(kernel.place))
        report.unreadKernels.push_back({work.command.source, kernel.name,
                                        "it, or a function it calls, has an "
                                        "error: " +
                                            errorText(kernel.error)});
  addNotFollowed(batch, report);
  addWorkNotes(batch, report);
  if (!anyToolkit && report.sourcesRead)
    report.notes.push_back("no CUDA toolkit was found: sources were read with "
                           "a stand-in for its headers");
  return report;
}

/// Of few sources, several architectures are compiled at a time.
static unsigned threadsForEach(const Options &options, size_t sources) {
  const unsigned threads =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  return std::max<size_t>(1, threads / std::max<size_t>(1, sources));
}

Compiled compiledFor(const Work &work, const Options &options, size_t sources) {
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
                       threadsForEach(options, sources));
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

llvm::Expected<std::vector<Kernel>> ptxKernelsOf(const Work &work) {
  Compiled compiled;
  std::vector<std::string> newest;
  if (!work.translation.architectures.empty())
    newest = {newestArchitecture(work.translation.architectures)};
  if (!work.toolkit || work.toolkit->nvcc.empty())
    compiled.whyNot = "no nvcc found";
  else
    compiled = compile(work.command, work.arguments, *work.toolkit, newest);
  return kernelsFromPtx(work.model, compiled);
}

} // namespace warplint
