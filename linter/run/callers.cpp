#include "run/callers.h"
#include "base/real_path.h"
#include "base/regular_file.h"
#include "input/files_below.h"
#include "input/walk.h"
#include "os/workers.h"
#include "run/run_cache.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include <array>
#include <atomic>
#include <map>

namespace warplint {

/// Returns true if calls in its own source give the arguments.
static bool isCalledHere(const Launch &launch) {
  const FromCaller &from = *launch.fromCaller;
  for (auto [argument, parameter] : llvm::zip(launch.arguments, from.arguments))
    if (parameter && argument)
      return true;
  return false;
}

/// The function around a launch, without the calls of its own source where that
/// has given them. One search for all serves the sources of a header that none
/// of them calls.
static CalledFunction functionOf(const Launch &launch, llvm::StringRef source) {
  return {launch.fromCaller->function, launch.fromCaller->parameters,
          isCalledHere(launch) ? source.str() : ""};
}

/// What other sources pass: nobody knows what follows from it.
static Launch calledElsewhere(Launch launch) {
  const FromCaller from = *std::exchange(launch.fromCaller, std::nullopt);
  for (auto [i, parameter] : llvm::enumerate(from.arguments))
    if (parameter && i < launch.arguments.size()) {
      launch.arguments[i].reset();
      llvm::erase(launch.ends, i);
    }
  launch.grid = {};
  launch.sized.reset();
  launch.sizesKnown = false;
  return launch;
}

std::vector<Launch> asCalled(const Launch &launch, const CallsByFunction &calls,
                             llvm::StringRef source) {
  constexpr size_t most = 8;
  if (!launch.fromCaller)
    return {launch};
  const FromCaller &from = *launch.fromCaller;
  auto of = calls.find(functionOf(launch, source));
  if (of == calls.end() || of->second.isNamed)
    return {launch};
  const bool isHere = isCalledHere(launch);
  std::vector<Launch> launches;
  std::set<std::vector<std::optional<uint64_t>>> seen;
  for (const std::vector<std::optional<uint64_t>> &passed : of->second.passed) {
    Launch called = isHere ? calledElsewhere(launch) : launch;
    called.fromCaller.reset();
    called.sizesKnown = from.isWhole && !isHere;
    called.arguments.resize(
        std::max(launch.arguments.size(), from.arguments.size()));
    for (auto [argument, parameter] :
         llvm::zip(called.arguments, from.arguments))
      if (parameter) {
        argument = passed[*parameter];
        called.sizesKnown &= argument.has_value();
      }
    if (seen.insert(called.arguments).second)
      launches.push_back(std::move(called));
  }
  if (launches.size() > most)
    return isHere ? std::vector{launch, calledElsewhere(launch)}
                  : std::vector{launch};
  if (launches.empty() || isHere)
    launches.insert(launches.begin(), launch);
  return launches;
}

static bool isSearched(llvm::StringRef file) {
  return isCudaSource(file) || isCxxSource(file) || isHeader(file) ||
         file.ends_with(".c");
}

/// Adds the calls in all files of a project. Returns false if any is not read.
static bool addCallsOf(llvm::StringRef project, unsigned threads,
                       RunCache *cache, CallsByFunction &into) {
  constexpr uint64_t largest = 4 << 20, mostInAll = 512 << 20;
  std::vector<std::string> files;
  if (!forEachFileBelow(project,
                        [&](const llvm::sys::fs::directory_entry &at) {
                          if (isSearched(at.path()))
                            files.push_back(at.path());
                        }))
    return false;
  llvm::sort(files);
  const std::string key = cache ? cache->callsKey(files, into) : "";
  if (auto known = cache ? cache->calls(key) : std::nullopt) {
    into = std::move(*known);
    return true;
  }
  std::atomic<uint64_t> bytes = 0;
  std::atomic<bool> isWhole = true;
  // A source may be given by a link, and found as the file that it leads to.
  const bool leavesOut = llvm::any_of(
      into, [](const auto &asked) { return !asked.first.source.empty(); });
  CallSearch search(into);
  forEachInParallel(
      files.size(), threads,
      [&](size_t i) {
        if (!isWhole)
          return;
        auto text = readRegularFile(files[i]);
        const uint64_t size = text ? (*text)->getBufferSize() : largest + 1;
        if (size > largest || (bytes += size) > mostInAll)
          isWhole = false;
        else
          search.addCallsIn((*text)->getBuffer(),
                            leavesOut ? realPath(files[i]) : "");
      },
      [&](size_t) { isWhole = false; });
  // If a file has changed meanwhile, so has the key.
  if (cache && isWhole && cache->callsKey(files, into) == key)
    cache->store(key, into);
  return isWhole;
}

std::string callersOf(const Work &work) {
  return work.callers.empty() ? projectAround(work.command) : work.callers;
}

void readCallers(Batch &batch, unsigned threads) {
  auto isAsked = [](const Launch &launch) {
    return launch.fromCaller.has_value();
  };
  // Looking for a project's root once a folder is enough.
  std::map<std::array<llvm::StringRef, 4>, std::string> roots;
  auto rootOf = [&](const Work &work) -> const std::string & {
    const Command &command = work.command;
    auto [root, isNew] = roots.try_emplace(
        {work.callers.empty() ? command.project : work.callers, command.folder,
         command.directory, llvm::sys::path::parent_path(command.source)});
    if (isNew)
      root->second = callersOf(work);
    return root->second;
  };
  // By project: a name means another function in each.
  llvm::StringMap<CallsByFunction> projects;
  struct Asked {
    Work *work;
    const CallsByFunction *calls;
    std::string source; ///< without links
  };
  std::vector<Asked> asked;
  for (Work &work : batch.sources) {
    work.launches = work.model.outline.launches;
    if (!llvm::any_of(work.launches, isAsked))
      continue;
    CallsByFunction &calls = projects[rootOf(work)];
    asked.push_back({&work, &calls, realPath(work.command.source)});
    for (const Launch &launch : work.launches)
      if (isAsked(launch))
        calls.try_emplace(functionOf(launch, asked.back().source));
  }
  for (auto &project : projects)
    if (!addCallsOf(project.getKey(), threads, batch.cache.get(),
                    project.getValue()))
      project.getValue().clear();
  for (const auto &[work, calls, source] : asked) {
    work->launches.clear();
    for (const Launch &launch : work->model.outline.launches)
      llvm::append_range(work->launches, asCalled(launch, *calls, source));
  }
}

} // namespace warplint
