#include "run/earlier_resources.h"
#include "base/failure.h"
#include "input/database.h"
#include "os/scratch.h"
#include "os/workers.h"
#include "run/compile_sources.h"
#include "run/resources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

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
  for (std::vector<std::string> words :
       {std::vector<std::string>{"git", "archive", "--format=tar", "-o",
                                 archive, changes.commit},
        std::vector<std::string>{"tar", "-xf", archive, "-C", folder}}) {
    if (auto program = sys::findProgramByName(words.front()))
      words.front() = *program;
    auto exit = scratch.run(words, changes.root, "output.txt", limit);
    if (!exit)
      return exit.takeError();
    if (!exit->hasSucceeded()) {
      auto text = MemoryBuffer::getFile(scratch.path("output.txt"));
      return failure(
          "'" + words.front() + "' fails: " +
          (text ? (*text)->getBuffer().split('\n').first.str() : ""));
    }
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
    then.toolkit = now.toolkit;
    then.translation = now.translation;
    then.trusted = now.trusted;
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

/// Adds the resources of one source at the commit, under its present name.
void addRows(const Work &now, const Work &then, const Options &options,
             size_t sources, ResourceReport &report) {
  if (then.command.source == now.command.source)
    return; // it is new
  const Compiled compiled = compile(then, options, sources);
  const CompiledSource source{then.command, then.arguments, then.toolkit,
                              then.model.kernels, compiled};
  const std::string name = shownHere(now.command.source);
  ResourceReport taken;
  addCompiled(source, taken);
  for (MissingReport &missing : taken.missing)
    report.missing.push_back({name, std::move(missing.why)});
  for (ResourceRow &row : taken.rows) {
    row.source = name;
    report.rows.push_back(std::move(row));
  }
}

} // namespace

Expected<ResourceComparison> worseThanAtCommit(const Batch &batch,
                                               const Changes &changes,
                                               ResourceReport now,
                                               const Options &options) {
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  if (Error error = checkOut(changes, *scratch))
    return error;
  const EarlierPaths paths(changes.root, scratch->path("then"));
  std::vector<ResourceReport> reports(batch.sources.size());
  forEachInParallel(
      batch.sources.size(), options.limits.threads,
      [&](size_t i) {
        const Work &work = batch.sources[i];
        addRows(work, paths.work(work), options, batch.sources.size(),
                reports[i]);
      },
      [&](size_t i) {
        reports[i].missing.push_back(
            {shownHere(batch.sources[i].command.source),
             "reading what nvcc made of it ended in a crash"});
      });
  ResourceReport earlier;
  for (ResourceReport &report : reports) {
    append_range(earlier.rows, report.rows);
    append_range(earlier.missing, report.missing);
  }
  // Kernels of sources that are not compared are not new.
  erase_if(now.rows, [&](const ResourceRow &row) {
    return any_of(earlier.missing, [&](const MissingReport &missing) {
      return missing.source == row.source;
    });
  });
  ResourceComparison result =
      compareResources(earlier, now, [](const ResourceRow &) { return true; });
  erase_if(result.changes,
           [](const ResourceChange &change) { return !isWorse(change); });
  result.missing.clear();
  for (const MissingReport &missing : earlier.missing)
    result.missing.push_back(
        "'" + missing.source +
        "' is not compared with what it was: " + missing.why);
  return result;
}

} // namespace warplint
