#include "run/earlier_resources.h"
#include "base/failure.h"
#include "input/database.h"
#include "input/translate.h"
#include "input/trusted_programs.h"
#include "os/scratch.h"
#include "os/workers.h"
#include "run/callers.h"
#include "run/compile_sources.h"
#include "run/git.h"
#include "run/read_sources.h"
#include "run/resources.h"
#include "run/worse_kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {
namespace {

/// Extracts the commit into the folder "then" of `scratch`.
Error checkOut(const Changes &changes, Scratch &scratch) {
  constexpr std::chrono::minutes limit(5);
  const std::string archive = scratch.path("then.tar"),
                    folder = scratch.path("then");
  if (std::error_code error = sys::fs::create_directory(folder))
    return failure("'" + folder + "' cannot be made");
  Git git(scratch, changes.root);
  auto archived =
      git.run({"archive", "--format=tar", "-o", archive, changes.commit});
  if (!archived)
    return failure("'git archive' fails: " + toString(archived.takeError()));
  const std::string tar = programNamed("tar");
  if (tar.empty())
    return failure("'--diff' needs tar, and there is none on the PATH");
  auto exit = scratch.run({tar, "-xf", archive, "-C", folder}, changes.root,
                          "output.txt", limit);
  if (!exit)
    return exit.takeError();
  if (!exit->hasSucceeded()) {
    auto text = MemoryBuffer::getFile(scratch.path("output.txt"));
    return failure("'" + tar + "' fails: " +
                   (text ? (*text)->getBuffer().split('\n').first.str() : ""));
  }
  return Error::success();
}

/// Maps present paths to those of the extracted commit. Files that the commit
/// does not have, such as generated ones, keep their present path.
class EarlierPaths {
public:
  EarlierPaths(std::string now, std::string then)
      : now_(std::move(now) + "/"), then_(std::move(then) + "/") {}

  std::string path(StringRef name, StringRef directory) const {
    SmallString<256> absolute(name);
    sys::path::make_absolute(directory, absolute);
    StringRef inside = absolute;
    const std::string canonical = canonicalPath(absolute);
    if (!inside.consume_front(now_)) {
      inside = canonical;
      if (!inside.consume_front(now_))
        return name.str();
    }
    std::string old = then_ + inside.str();
    return sys::fs::exists(old) ? old : absolute.str().str();
  }

  /// A copy of the work as it was at the commit, without a model.
  Work work(const Work &now) const {
    Work then;
    then.command = now.command;
    then.command.source = path(now.command.source, now.command.directory);
    then.settings = now.settings;
    then.toolkit = now.toolkit;
    then.callers = callersOf(now);
    then.trusted = now.trusted;
    then.lists = now.lists;
    then.arguments = now.arguments;
    std::vector<std::string> &words = then.arguments;
    for (size_t i = 0; i < words.size(); ++i) {
      if (isSource(words[i], now.command)) {
        words[i] = then.command.source;
        continue;
      }
      for (StringRef flag : {"-include", "-isystem", "-iquote", "-I"}) {
        if (!StringRef(words[i]).starts_with(flag))
          continue;
        const bool isApart = words[i] == flag && i + 1 < words.size();
        std::string &value = words[i + isApart];
        StringRef name = isApart ? StringRef(value)
                                 : StringRef(value).drop_front(flag.size());
        value = (isApart ? "" : flag.str()) + path(name, now.command.directory);
        i += isApart;
        break;
      }
    }
    then.translation = now.translation;
    then.translation.clang = translate(words, now.toolkit).clang;
    return then;
  }

private:
  static bool isSource(StringRef word, const Command &command) {
    SmallString<256> absolute(word);
    sys::path::make_absolute(command.directory, absolute);
    sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
    return absolute == command.source;
  }

  std::string now_, then_;
};

/// The sources of `batch` that were there at the commit, read as they were, and
/// where each stands in `batch`.
struct Earlier {
  Batch batch;
  std::vector<size_t> now;
};

Earlier readEarlier(const Batch &batch, const EarlierPaths &paths,
                    const Options &options) {
  Earlier earlier;
  earlier.batch.resourceDir = batch.resourceDir;
  earlier.batch.cache = batch.cache;
  for (size_t i = 0; i < batch.sources.size(); ++i) {
    Work then = paths.work(batch.sources[i]);
    if (then.command.source == batch.sources[i].command.source)
      continue; // it is new
    earlier.now.push_back(i);
    earlier.batch.sources.push_back(std::move(then));
  }
  readSources(earlier.batch, Want::Models, options);
  return earlier;
}

/// The resources of one source at the commit, under its present name.
ResourceReport resourcesOf(const Work &then, const std::string &name,
                           const Options &options, size_t sources) {
  const Compiled compiled = compile(then, options, sources);
  const CompiledSource source{then.command, then.arguments, then.toolkit,
                              then.model.kernels, compiled};
  ResourceReport taken;
  addCompiled(source, taken);
  for (MissingReport &missing : taken.missing)
    missing.source = name;
  for (ResourceRow &row : taken.rows)
    row.source = name;
  return taken;
}

ResourceReport resourcesOf(const Earlier &earlier, const Batch &batch,
                           const Options &options) {
  const std::vector<Work> &sources = earlier.batch.sources;
  std::vector<ResourceReport> reports(sources.size());
  auto name = [&](size_t i) {
    return shownHere(batch.sources[earlier.now[i]].command.source);
  };
  forEachInParallel(
      sources.size(), options.limits.threads,
      [&](size_t i) {
        reports[i] = resourcesOf(sources[i], name(i), options, sources.size());
      },
      [&](size_t i) {
        reports[i].missing.push_back(
            {name(i), "reading what nvcc made of it ended in a crash"});
      });
  ResourceReport all;
  for (ResourceReport &report : reports) {
    append_range(all.rows, report.rows);
    append_range(all.missing, report.missing);
  }
  return all;
}

} // namespace

Error addWorseThanAtCommit(const Batch &batch, const Changes &changes,
                           ResourceReport now, const Options &options,
                           Outcomes &outcomes) {
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  if (Error error = checkOut(changes, *scratch))
    return error;
  const EarlierPaths paths(changes.root, scratch->path("then"));
  const Earlier earlier = readEarlier(batch, paths, options);
  const ResourceReport then = resourcesOf(earlier, batch, options);
  // Kernels of sources that are not compared are not new.
  erase_if(now.rows, [&](const ResourceRow &row) {
    return any_of(then.missing, [&](const MissingReport &missing) {
      return missing.source == row.source;
    });
  });
  ResourceComparison comparison =
      compareResources(then, now, [](const ResourceRow &) { return true; });
  erase_if(comparison.changes,
           [](const ResourceChange &change) { return !isWorse(change); });
  addWorseKernels(comparison, batch, earlier.batch, outcomes);
  for (const MissingReport &missing : then.missing)
    outcomes.notes.push_back(
        "'" + missing.source +
        "' is not compared with what it was: " + missing.why);
  return Error::success();
}

} // namespace warplint
