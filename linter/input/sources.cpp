#include "input/sources.h"
#include "base/failure.h"
#include "base/plural.h"
#include "input/compiler.h"
#include "input/cuda_switch.h"
#include "input/header_command.h"
#include "input/kokkos_search.h"
#include "input/source_databases.h"
#include "input/typed_paths.h"
#include "input/unread_sources.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warplint {

/// The arguments without outputs: commands that differ only there are the same.
static std::vector<std::string> withoutOutputs(const Command &command) {
  std::vector<std::string> words;
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const std::string &word = command.arguments[i];
    if (llvm::is_contained({"-o", "-MF", "-MT", "-MQ", "--output-file"}, word))
      ++i;
    else
      words.push_back(word);
  }
  return words;
}

static Command withExtraFlags(Command command,
                              llvm::ArrayRef<std::string> extra) {
  // After `--` all words are sources.
  auto end = llvm::find(command.arguments, "--");
  command.arguments.insert(end, extra.begin(), extra.end());
  command.typed = extra.vec();
  return command;
}

static Command bareCommand(const std::string &source,
                           const std::string &directory,
                           llvm::ArrayRef<std::string> extra) {
  Command command{source,
                  directory,
                  {"nvcc"},
                  /*isBare=*/true,
                  /*isTrusted=*/true};
  llvm::append_range(command.arguments, extra);
  command.typed = extra.vec();
  // nvcc would compile it as host code, or not at all.
  if (!isCudaSource(source) && !isPtxText(source))
    llvm::append_range(command.arguments, llvm::ArrayRef({"-x", "cu"}));
  command.arguments.push_back(source);
  return command;
}

static void sortAndMerge(std::vector<Command> &commands) {
  llvm::stable_sort(commands, [](const Command &a, const Command &b) {
    return std::tie(a.source, a.directory, a.arguments) <
           std::tie(b.source, b.directory, b.arguments);
  });
  std::set<std::tuple<std::string, std::string, std::vector<std::string>>> seen;
  llvm::erase_if(commands, [&](const Command &command) {
    return !seen.insert({command.source, command.directory,
                         withoutOutputs(command)})
                .second;
  });
}

namespace {

/// Reads the paths of one request; what it finds out about the sources on the
/// way becomes notes at its end.
class SourceFinder {
public:
  explicit SourceFinder(const SourceRequest &request)
      : request_(request), includes_(request.buffers) {}

  llvm::Expected<Sources>
  sources(llvm::function_ref<bool(llvm::StringRef)> skips);

private:
  void read(const TypedPath &path);
  bool read(const std::string &source, const TypedPath &path,
            const std::string &key);
  std::vector<Command> commandsOf(const std::string &source,
                                  const TypedPath &path,
                                  llvm::ArrayRef<Command> known);
  void readHeaders();
  void noteWhatIsNotRead();
  void noteBareSources();

  const SourceRequest &request_;
  Sources found_;
  SourceDatabases databases_{found_.notes};
  const std::string directory_ = absolutePath(".");
  CanonicalPaths canonical_;
  IncludeGraph includes_;
  FilesOfProjects files_;
  KokkosByName byName_{includes_, files_};
  std::map<std::string, bool> isCuda_; ///< by canonicalPath
  /// Headers that are read by themselves unless a source includes them.
  std::vector<std::string> headers_;
  /// Without a command of a build.
  std::vector<std::string> bare_;
  std::vector<std::string> unclear_, withKernels_; ///< not read
  /// Why there are no sources; notes, if there are some elsewhere.
  std::vector<std::string> empty_;
};

llvm::Expected<Sources>
SourceFinder::sources(llvm::function_ref<bool(llvm::StringRef)> skips) {
  if (!request_.database.empty())
    if (llvm::Error error = databases_.ask(request_.database))
      return error;
  auto paths = readPaths(request_, databases_.asked(), skips, found_.notes);
  if (!paths)
    return paths.takeError();
  for (const TypedPath &path : *paths)
    read(path);
  readHeaders();
  databases_.addNotes();
  noteWhatIsNotRead();
  if (found_.commands.empty() && !request_.mayBeNone)
    return failure(llvm::join(empty_, "\nnote: "));
  llvm::append_range(found_.notes, empty_);
  noteBareSources();
  sortAndMerge(found_.commands);
  return std::move(found_);
}

void SourceFinder::read(const TypedPath &path) {
  bool hasCuda = false;
  for (const std::string &source : path.sources) {
    auto [known, isNew] = isCuda_.try_emplace(canonical_.of(source), false);
    // Of several names of one file, that of a CUDA source counts.
    if (isNew || (!known->second && isCudaSource(source)))
      known->second = read(source, path, known->first);
    hasCuda |= known->second;
  }
  // A library of headers alone is linted as if they were named.
  if (!hasCuda && !path.headers.empty())
    llvm::append_range(headers_, path.headers);
  else if (!hasCuda) {
    empty_.push_back(emptySentence(path, databases_));
    noteKernelsElsewhere(path, request_.buffers, empty_);
  } else
    for (const auto *found : {&path.headers, &path.others})
      llvm::append_range(found_.headers, *found);
}

/// Returns true if the source is CUDA; `key` is its canonicalPath.
bool SourceFinder::read(const std::string &source, const TypedPath &path,
                        const std::string &key) {
  llvm::ArrayRef<Command> known = databases_.commandsOf(source, key);
  std::vector<Command> commands = commandsOf(source, path, known);
  if (commands.empty() && known.empty() && !path.isFolder && isHeader(source)) {
    headers_.push_back(source);
    return true;
  }
  const bool isCuda = !commands.empty();
  if (known.empty() && isCuda && !isPtxText(source))
    bare_.push_back(source);
  if (known.empty() && !isCuda && !databases_.asked() &&
      mayBeCuda(source, includes_))
    withKernels_.push_back(source);
  llvm::append_range(found_.commands, std::move(commands));
  return isCuda;
}

/// The commands that compile this source as CUDA, or for the host a source that
/// Kokkos can run on a GPU. Where no command is `known`, it runs in the current
/// folder, unless the user has named the build that tells which sources count.
std::vector<Command> SourceFinder::commandsOf(const std::string &source,
                                              const TypedPath &path,
                                              llvm::ArrayRef<Command> known) {
  std::vector<Command> commands;
  for (const Command &command : known) {
    if (!compilesCuda(command) &&
        !(isCxxSource(source) && usesKokkos(command, includes_)))
      continue;
    commands.push_back(withExtraFlags(command, request_.extraFlags));
    commands.back().source = source;
  }
  if (!known.empty())
    return commands;
  Command bare = bareCommand(source, directory_, request_.extraFlags);
  if (path.isFolder)
    bare.folder = path.place;
  const bool isCertain =
      (!path.isFolder && !isHeader(source)) || isCudaSource(source);
  if (!isCertain && (databases_.asked() || !isCxxSource(source)))
    return commands;
  const KokkosByName::Answer answer =
      isCertain || includesKokkos(bare, includes_)
          ? KokkosByName::Yes
          : byName_.includesKokkos(bare);
  if (answer == KokkosByName::Yes)
    commands.push_back(std::move(bare));
  else if (answer == KokkosByName::Unclear)
    unclear_.push_back(source);
  return commands;
}

/// Gives a header the command that compiles it by itself: that of a source
/// which may include it, else nvcc's defaults. It counts through the sources
/// that include it, if there are any.
void SourceFinder::readHeaders() {
  const size_t sources = found_.commands.size();
  for (const std::string &header : headers_) {
    if (isIncluded(header, llvm::ArrayRef(found_.commands).take_front(sources),
                   includes_))
      continue;
    auto command = commandForHeader(header, databases_.near(header), includes_);
    found_.commands.push_back(
        command ? withExtraFlags(std::move(*command), request_.extraFlags)
                : bareCommand(header, directory_, request_.extraFlags));
  }
}

void SourceFinder::noteWhatIsNotRead() {
  noteUnclear(unclear_, byName_.unclear(), empty_);
  // Another name of the file may be read, or a source that includes it.
  llvm::erase_if(withKernels_, [&](const std::string &source) {
    return isCuda_[canonical_.of(source)] ||
           llvm::is_contained(unclear_, source) ||
           isIncluded(source, found_.commands, includes_);
  });
  noteWithKernels(withKernels_, includes_, empty_);
}

void SourceFinder::noteBareSources() {
  if (bare_.empty())
    return;
  if (!databases_.any())
    return databases_.addNoteOfBuildWithout(bare_);
  // There is a build: tell the user about sources outside it.
  const std::string &first = *std::min_element(bare_.begin(), bare_.end());
  found_.notes.push_back(
      counted(bare_.size(), "source") + (bare_.size() == 1 ? " is" : " are") +
      " in no compile database and read with nvcc's defaults: " +
      (bare_.size() == 1 ? "'" : "first '") + first + "'");
}

} // namespace

llvm::Expected<Sources>
findSources(const SourceRequest &request,
            llvm::function_ref<bool(llvm::StringRef)> skips) {
  return SourceFinder(request).sources(skips);
}

} // namespace warplint
