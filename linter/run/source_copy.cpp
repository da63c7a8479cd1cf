#include "run/source_copy.h"
#include "base/failure.h"
#include "base/folders.h"
#include "input/translate.h"
#include "run/callers.h"
#include "run/lint.h"
#include "run/read_sources.h"
#include "run/resources.h"
#include "run/run_cache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <mutex>

using namespace llvm;

namespace warplint {

namespace {

std::string absoluteIn(StringRef name, StringRef folder) {
  SmallString<256> path(name);
  sys::path::make_absolute(folder, path);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

Error writeText(const std::string &path, StringRef text) {
  if (auto old = MemoryBuffer::getFile(path);
      old && (*old)->getBuffer() == text)
    return Error::success();
  if (std::error_code error =
          sys::fs::create_directories(sys::path::parent_path(path)))
    return failure("'" + path + "' cannot be written: " + error.message());
  std::error_code error;
  raw_fd_ostream out(path, error);
  if (error)
    return failure("'" + path + "' cannot be written: " + error.message());
  out << text;
  return Error::success();
}

} // namespace

Expected<SourceCopies> SourceCopies::create() {
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  return SourceCopies(std::move(*scratch));
}

/// A file keeps its whole path, so that "../common.h" leads to a copy too.
std::string SourceCopies::copyOf(StringRef path) const {
  return scratch_.path("copy") + path.str();
}

Error SourceCopies::write(const Work &work,
                          const std::map<std::string, std::string> &texts) {
  std::set<std::string> files = work.model.outline.userFiles;
  files.insert(work.command.source);
  for (const std::string &file : files) {
    auto changed = texts.find(file);
    auto text = changed == texts.end() ? readText(file, {}) : nullptr;
    if (changed == texts.end() && !text)
      return failure("'" + file + "' cannot be read");
    if (Error error = writeText(copyOf(file), changed == texts.end()
                                                  ? text->getBuffer()
                                                  : StringRef(changed->second)))
      return error;
  }
  return Error::success();
}

/// Where the command names a folder of headers, their copies come first. What
/// has no copy is found beside the original.
Work SourceCopies::copyOf(const Work &work) const {
  Work copy;
  const std::string &directory = work.command.directory;
  copy.command = work.command;
  copy.command.source = copyOf(work.command.source);
  copy.settings = work.settings;
  copy.toolkit = work.toolkit;
  copy.callers = callersOf(work);
  copy.trusted = work.trusted;
  copy.translation = work.translation;
  std::vector<std::string> &words = copy.arguments;
  for (size_t i = 0; i < work.arguments.size(); ++i) {
    const std::string &word = work.arguments[i];
    if (absoluteIn(word, directory) == work.command.source) {
      words.push_back(copy.command.source);
      continue;
    }
    for (StringRef flag : {"-include", "-isystem", "-I"}) {
      if (!StringRef(word).starts_with(flag))
        continue;
      const bool isApart = word == flag;
      if (isApart && i + 1 >= work.arguments.size())
        break;
      const StringRef name = isApart ? StringRef(work.arguments[i + 1])
                                     : StringRef(word).drop_front(flag.size());
      const std::string there = copyOf(absoluteIn(name, directory));
      if (sys::fs::exists(there))
        words.insert(words.end(), {flag.str(), there});
      break;
    }
    words.push_back(word);
  }
  std::set<std::string> folders = {folderOf(work.command.source)};
  for (const std::string &file : work.model.outline.userFiles)
    folders.insert(folderOf(file));
  for (const std::string &folder : folders)
    words.insert(words.end(), {"-I", folder});
  copy.translation.clang = translate(words, work.toolkit).clang;
  return copy;
}

void SourceCopies::backToOriginals(std::vector<Finding> &findings) const {
  const std::string root = scratch_.path("copy");
  auto back = [&](Place &place) {
    if (StringRef(place.file).starts_with(root))
      place.file.erase(0, root.size());
  };
  for (Finding &finding : findings) {
    back(finding.place);
    for (Place &place : finding.callSites)
      back(place);
    for (FindingKernel &kernel : finding.kernels)
      back(kernel.place);
  }
}

CopyResult SourceCopies::lint(const Batch &batch, size_t source,
                              const Options &options,
                              const std::map<std::string, std::string> &texts) {
  CopyResult result;
  const Work &original = batch.sources[source];
  if (Error error = write(original, texts)) {
    result.whyNot = toString(std::move(error));
    return result;
  }
  Options uncached = options;
  uncached.cache = {};
  Batch copies;
  copies.resourceDir = batch.resourceDir;
  copies.cache = std::make_shared<RunCache>(uncached, batch.resourceDir);
  copies.sources.push_back(copyOf(original));
  copies.sources.front().lists = copies.cache->lists();
  for (const Launch &launch : launchesElsewhere(batch, source))
    copies.launches[launch.kernel].push_back({launch, size_t(-1)});
  readSources(copies, Want::Models, uncached);
  const SourceOutline &outline = copies.sources.front().model.outline;
  if (!outline.whyNot.empty())
    result.whyNot = outline.whyNot;
  else if (outline.errors.size() > original.model.outline.errors.size())
    result.whyNot = "Clang stopped: " + outline.errors.front().text;
  if (!result.whyNot.empty())
    return result;
  std::mutex one;
  auto take = [&](const CompiledSource &seen,
                  const std::vector<CostedKernel> &) {
    std::lock_guard<std::mutex> lock(one);
    result.compiled = seen.compiled;
    result.kernels = seen.kernels;
    addCompiled(seen, result.resources);
  };
  Outcomes outcomes =
      warplint::lint(copies, uncached, {.see = SeeSource(take)});
  SourceOutcome &outcome = outcomes.sources.front();
  result.findings = std::move(outcome.linted.findings);
  backToOriginals(result.findings);
  result.whyNot = outcome.notLinted.empty() ? result.compiled.whyNot
                                            : "linting it " + outcome.notLinted;
  for (const CompiledUnit &unit : result.compiled.units)
    if (result.whyNot.empty())
      result.whyNot = unit.whyNot;
  return result;
}

} // namespace warplint
