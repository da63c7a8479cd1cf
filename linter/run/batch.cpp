#include "run/batch.h"
#include "base/failure.h"
#include "input/compiler.h"
#include "input/search_flags.h"
#include "input/user_config.h"
#include "nvcc/compile.h"
#include "os/signals.h"
#include "os/workers.h"
#include "ptx/ptx_kernels.h"
#include "report/progress.h"
#include "run/build_files_of_bare_sources.h"
#include "run/compile_sources.h"
#include "run/headers_of_bare_sources.h"
#include "run/kokkos_of_bare_sources.h"
#include "run/macros_of_bare_sources.h"
#include "run/read_sources.h"
#include "run/run_cache.h"
#include "run/unread_headers.h"
#include "source/read_observer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

namespace warplint {

namespace {

std::string ownProgram() {
  return llvm::sys::fs::getMainExecutable(nullptr, nullptr);
}

/// The folder of Clang's own headers: that of --resource-dir, the one that is
/// installed with warplint, or the one that it was built with.
llvm::Expected<std::string> resourceDir(const SourceOptions &options) {
  auto isOne = [](const llvm::Twine &folder) {
    return llvm::sys::fs::exists(folder +
                                 "/include/__clang_cuda_builtin_vars.h");
  };
  std::string folder = options.resourceDir;
  if (folder.empty()) {
    using llvm::sys::path::parent_path;
    folder = parent_path(parent_path(ownProgram())).str() +
             "/share/warplint/clang"; // as packaging/install.cmake has it
    if (!isOne(folder))
      folder = WARPLINT_RESOURCE_DIR;
  }
  if (isOne(folder))
    return folder;
  return failure("Clang's resource directory is not at '" + folder +
                 "'; --resource-dir tells where it is");
}

/// Fails if the named folder is not a toolkit; otherwise another toolkit would
/// silently take its place.
llvm::Error expectToolkit(const std::string &cudaPath) {
  if (cudaPath.empty() || !includeFolder(cudaPath).empty())
    return llvm::Error::success();
  return failure("'--cuda-path " + cudaPath +
                 "' is no CUDA toolkit: there is no cuda.h in its include/");
}

/// The architecture that a PTX file names.
std::string targetOf(const std::string &ptxFile, const Buffers &buffers) {
  auto file = readText(ptxFile, buffers);
  return file ? ptxTarget(file->getBuffer()) : "";
}

/// The architectures of a source that no build command names. nvcc's own
/// default is the oldest GPU that it supports, which nobody tunes for. This is
/// Hopper, on which all figures were measured, or the newest earlier one that
/// the toolkit supports.
std::vector<std::string> architecturesOfBare(const Toolkit &toolkit) {
  const auto release = std::pair(toolkit.major, toolkit.minor);
  if (release >= std::pair(11u, 8u))
    return {"sm_90"};
  return release >= std::pair(11u, 0u) ? std::vector<std::string>{"sm_80"}
                                       : std::vector<std::string>();
}

/// There is nothing to read later.
void setUnread(Work &work, llvm::StringRef why) {
  work.model.outline.whyNot = ("reading its command " + why).str();
  work.hasModel = true;
}

/// Finds everything that reading the source depends on.
void prepare(Work &work, const Options &options, ToolkitSearch &toolkits,
             BuildFilesOfBareSources &buildFiles, HeadersOfBareSources &headers,
             MacrosOfBareSources &macros, KokkosOfBareSources &kokkos) {
  work.toolkit = toolkits.of(work.command);
  buildFiles.addTo(work.command);
  headers.addTo(work.command, work.toolkit);
  // Those of the headers that were found, too; further headers stand behind.
  if (macros.addTo(work.command))
    headers.addTo(work.command, work.toolkit);
  kokkos.addTo(work.command);
  auto arguments = fullArguments(work.command);
  if (!arguments) {
    work.model.outline.whyNot = llvm::toString(arguments.takeError());
    work.hasModel = true; // there is nothing to read later
    return;
  }
  work.arguments = std::move(*arguments);
  if (work.command.isBare && !work.isPtx())
    addFlagsOfBareSources(work.arguments, work.toolkit);
  work.translation = translate(work.arguments, work.toolkit);
  work.translation.forHost = !work.isPtx() && !compilesCuda(work.command);
  work.translation.layoutRight = options.sources.deviceLayout == "right";
  std::vector<std::string> &architectures = work.translation.architectures;
  if (!work.settings->architectures.value.empty())
    architectures = work.settings->architectures.value;
  if (!architectures.empty())
    return;
  if (!work.isPtx() && work.command.isBare && work.toolkit)
    architectures = architecturesOfBare(*work.toolkit);
  if (!work.isPtx())
    return;
  if (std::string target =
          targetOf(work.command.source, options.sources.buffers);
      !target.empty())
    architectures = {target};
}

llvm::Expected<std::shared_ptr<const TrustedPrograms>>
trustedPrograms(const Options &options) {
  auto globs = compilersTrustedByUser();
  if (!globs)
    return globs.takeError();
  llvm::append_range(*globs, options.compiling.trusted);
  auto trusted = TrustedPrograms::create(*globs, options.sources.cudaPath);
  if (!trusted)
    return trusted.takeError();
  return std::make_shared<const TrustedPrograms>(std::move(*trusted));
}

/// Works out the nvcc command of a source whose compile database may name
/// anything.
void findUntrustedNvcc(Work &work, const CompileOptions &options) {
  if (options.judge && !work.command.isTrusted && work.toolkit &&
      !work.toolkit->nvcc.empty() && !work.arguments.empty())
    work.nvcc = nvccCommand(work.command, work.arguments, *work.toolkit,
                            work.trusted.get());
}

/// "'a', 'b', 'c' and 2 more".
std::string quoted(const std::set<std::string> &words) {
  constexpr size_t most = 3;
  std::vector<std::string> shown(
      words.begin(), std::next(words.begin(), std::min(most, words.size())));
  std::string text = "'" + llvm::join(shown, "', '") + "'";
  if (words.size() > most)
    text += " and " + std::to_string(words.size() - most) + " more";
  return text;
}

/// Notes the options files that a compile database names and nobody opens.
void noteUnopened(Batch &batch) {
  std::set<std::string> files;
  for (const Work &work : batch.sources)
    for (llvm::StringRef word : work.arguments)
      if (word.consume_front(unopenedOptionsFile))
        files.insert(word.str());
  if (!files.empty())
    batch.notes.push_back("options files outside of the project are not "
                          "opened, so their flags are missing: " +
                          quoted(files) +
                          "; a file that is named after '--' is opened");
}

/// Notes which words of compile databases are not obeyed, and how to change
/// that.
void noteUntrusted(Batch &batch, const ToolkitSearch &toolkits,
                   const CompileOptions &options) {
  if (!options.judge)
    return;
  for (const std::string &nvcc : toolkits.refused())
    batch.notes.push_back("'" + nvcc +
                          "', which a compile database names, is not run; the "
                          "toolkit found otherwise takes its place, and "
                          "'--trust-compiler " +
                          nvcc + "' lets it run");
  std::set<std::string> dropped;
  for (const Work &work : batch.sources)
    if (work.nvcc)
      dropped.insert(work.nvcc->dropped.begin(), work.nvcc->dropped.end());
  std::erase_if(dropped, [](llvm::StringRef word) {
    return word.starts_with(unopenedOptionsFile);
  });
  if (!dropped.empty())
    batch.notes.push_back(
        "options of a compile database that could run a program or write a "
        "file are not given to nvcc: " +
        quoted(dropped) + "; '--trust-compiler' lets -ccbin name a compiler");
}

/// Hashes what is searched for Kokkos, so that the cache need not read it
/// again.
WasRead noteOf(const RunCache &cache) {
  if (!cache.isOn())
    return {};
  return [lists = cache.lists()](llvm::StringRef file, llvm::StringRef text,
                                 llvm::sys::TimePoint<> modified) {
    lists->wasRead(file, text, modified);
  };
}

llvm::Expected<Batch> readAll(const Options &options, Sources sources,
                              Configurations &configurations, Want want,
                              const Instrument *instrument = nullptr) {
  auto resources = resourceDir(options.sources);
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
  auto trusted = trustedPrograms(options);
  if (!trusted)
    return trusted.takeError();
  batch.resourceDir = std::move(*resources);
  batch.instrument = instrument;
  batch.cache = std::make_shared<RunCache>(options, batch.resourceDir,
                                           instrument ? instrument->name
                                                      : llvm::StringRef());
  ToolkitSearch toolkits(options.sources.cudaPath, *trusted, ownProgram());
  GraphOfThread graphs(options.sources.buffers, noteOf(*batch.cache));
  FilesOfProjects files;
  const std::string &cache = options.cache.folder;
  const std::string generated = cache.empty() ? "" : pathIn(cache, "generated");
  BuildFilesOfBareSources buildFiles(graphs);
  HeadersOfBareSources headers(graphs, files, generated);
  MacrosOfBareSources macros(graphs);
  KokkosOfBareSources kokkos(graphs, files, generated);
  for (Work &work : batch.sources)
    work.trusted = *trusted;
  std::optional<Progress> progress(
      std::in_place, "preparing", batch.sources.size(),
      Progress::Terminal::standardError(options.output.quiet));
  forEachInParallel(
      batch.sources.size(), options.limits.threads,
      [&](size_t i) {
        progress->step(batch.sources[i].command.source);
        if (isInterrupted())
          return setUnread(batch.sources[i], interruptedWords);
        prepare(batch.sources[i], options, toolkits, buildFiles, headers,
                macros, kokkos);
        findUntrustedNvcc(batch.sources[i], options.compiling);
      },
      [&](size_t i) {
        setUnread(batch.sources[i], "ended in a crash");
      });
  progress.reset();
  noteUnopened(batch);
  noteUntrusted(batch, toolkits, options.compiling);
  buildFiles.addNote(batch.notes);
  headers.addNote(batch.notes);
  macros.addNote(batch.notes);
  kokkos.addNote(batch.notes);
  if (!options.sources.deviceLayout.empty() &&
      llvm::none_of(batch.sources,
                    [](const Work &work) { return work.translation.forHost; }))
    batch.notes.push_back(
        "'--device-layout' has no effect here: it is for host "
        "builds of Kokkos, and a CUDA build has the layout "
        "that it compiles");
  for (Work &work : batch.sources)
    work.lists = batch.cache->lists();
  batch.compilesAll = want == Want::ModelsCompiled;
  if (want == Want::Compiled || batch.compilesAll)
    allowEarlyCompiles(batch, options);
  readSources(batch, want, options);
  if (!isInterrupted()) // a source that was not read may include them
    noteUnreadHeaders(batch, sources.headers);
  return batch;
}

} // namespace

llvm::Expected<Batch> readBatch(const Options &options, Want want,
                                const Changes *changes,
                                const Instrument *instrument) {
  if (llvm::Error error = expectToolkit(options.sources.cudaPath))
    return error;
  Configurations configurations(options.settings);
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
  if (changes) {
    keepChanged(sources->commands, *changes);
    sources->headers.clear(); // most sources that include them are not read
  }
  return readAll(options, std::move(*sources), configurations, want,
                 instrument);
}

llvm::Expected<Batch> readCommand(const Options &options, Want want,
                                  const Command &command) {
  if (llvm::Error error = expectToolkit(options.sources.cudaPath))
    return error;
  Configurations configurations(options.settings);
  auto settings = configurations.of(command.source);
  if (!settings)
    return settings.takeError();
  Sources sources;
  if (!(*settings)->skips(command.source))
    sources.commands.push_back(command);
  return readAll(options, std::move(sources), configurations, want);
}

unsigned capabilityOf(const Work &work) {
  return capabilityOf(newestArchitecture(work.translation.architectures));
}

std::vector<Launch> launchesElsewhere(const Batch &batch, size_t source) {
  std::vector<Launch> launches;
  for (const KernelOutline &kernel :
       batch.sources[source].model.outline.kernels)
    if (auto found = batch.launches.find(kernel.mangled);
        found != batch.launches.end())
      for (const Batch::SeenLaunch &seen : found->second)
        // Each program of a folder may have a kernel of that name.
        if (seen.source != source &&
            (seen.definition.file.empty() || seen.definition == kernel.place))
          launches.push_back(seen.launch);
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
  outcome.isBare = work.command.isBare;
  outcome.outline = work.model.outline;
  if (!outcome.outline.errors.empty())
    outcome.errorPlace = placeOf(outcome.outline.errors.front(), work.command);
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

} // namespace warplint
