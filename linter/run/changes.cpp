#include "run/changes.h"
#include "base/failure.h"
#include "base/folders.h"
#include "findings/worse_kernel.h"
#include "input/database.h"
#include "input/include_graph.h"
#include "input/translate.h"
#include "os/scratch.h"
#include "run/git.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {
namespace {

/// Git's hash of an empty tree, the same in every repository.
constexpr const char *emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

Expected<std::string> commitOf(Git &git, StringRef revision) {
  auto commit = git.line({"rev-parse", "--verify", "--quiet",
                          "--end-of-options", (revision + "^{commit}").str()});
  if (commit) {
    auto base = git.line({"merge-base", *commit, "HEAD"});
    if (base)
      return base;
    // A shallow clone may lack the merge base.
    consumeError(base.takeError());
    return commit;
  }
  consumeError(commit.takeError());
  if (revision == "HEAD")
    return std::string(emptyTree);
  return failure("'--diff " + revision + "': there is no such revision here");
}

/// Replaces the names of a diff by canonical paths. Names are relative to one
/// of `roots`, with or without git's prefix.
ChangedLines located(const ChangedLines &named, ArrayRef<std::string> roots) {
  ChangedLines result;
  for (const auto &[name, ranges] : named) {
    std::string place;
    for (const std::string &root : roots)
      for (StringRef spelling : {withoutPrefix(name), StringRef(name)}) {
        SmallString<256> path(spelling);
        sys::path::make_absolute(root, path);
        if (place.empty() && sys::fs::exists(path))
          place = canonicalPath(path);
      }
    if (!place.empty())
      result[place] = ranges;
  }
  return result;
}

Expected<Changes> changesOnInput(Git &git) {
  Changes changes;
  auto root = git.line({"rev-parse", "--show-toplevel"});
  if (!root)
    consumeError(root.takeError()); // a diff needs no repository
  changes.root = root ? canonicalPath(*root) : currentFolder();
  auto text = MemoryBuffer::getSTDIN();
  if (!text)
    return failure("standard input cannot be read: " +
                   text.getError().message());
  auto named = readUnifiedDiff((*text)->getBuffer());
  if (!named)
    return failure("'--diff -': " + toString(named.takeError()));
  changes.lines = located(*named, {changes.root, currentFolder()});
  return changes;
}

} // namespace

Expected<Changes> changesSince(StringRef diff) {
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  Git git(*scratch, currentFolder());
  if (diff == "-")
    return changesOnInput(git);
  Changes changes;
  auto root = git.line({"rev-parse", "--show-toplevel"});
  if (!root)
    return failure("'--diff " + diff + "' needs a git repository here: " +
                   toString(root.takeError()));
  changes.root = canonicalPath(*root);
  auto commit = commitOf(git, diff);
  if (!commit)
    return commit.takeError();
  changes.commit = *commit;
  auto text = git.run({"-C", changes.root, "diff", "--no-color",
                       "--no-ext-diff", "--no-textconv", "--unified=0",
                       "--src-prefix=a/", "--dst-prefix=b/", *commit, "--"});
  if (!text)
    return failure("git cannot say what changed: " +
                   toString(text.takeError()));
  auto named = readUnifiedDiff(*text);
  if (!named)
    return failure("git's diff cannot be read: " + toString(named.takeError()));
  changes.lines = located(*named, {changes.root});
  return changes;
}

void keepChanged(std::vector<Command> &commands, const Changes &changes) {
  std::set<std::string> files;
  for (const auto &[file, ranges] : changes.lines)
    files.insert(file);
  IncludeGraph includes;
  erase_if(commands, [&](const Command &command) {
    if (files.count(canonicalPath(command.source)))
      return false;
    auto arguments = fullArguments(command);
    if (!arguments) {
      consumeError(arguments.takeError()); // reported when it is read
      return false;
    }
    const Translation translation = translate(*arguments, std::nullopt);
    return !includes.mayRead(
        command.source, includeFolders(command.directory, translation.clang),
        files, changes.root);
  });
}

void keepChanged(std::vector<Finding> &findings, const Changes &changes) {
  std::map<std::string, std::string> canonical; // by the path in findings
  auto isChanged = [&](const Place &place) {
    auto [name, isNew] = canonical.try_emplace(place.file);
    if (isNew)
      name->second = canonicalPath(place.file);
    auto file = changes.lines.find(name->second);
    return file != changes.lines.end() &&
           any_of(file->second, [&](const LineRange &range) {
             return range.first <= place.line && place.line <= range.last;
           });
  };
  erase_if(findings, [&](const Finding &finding) {
    return finding.check != worseKernel().info.id &&
           !isChanged(finding.place) && none_of(finding.callSites, isChanged);
  });
}

} // namespace warplint
