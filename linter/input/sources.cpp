#include "input/sources.h"
#include "base/failure.h"
#include "base/plural.h"
#include "base/regular_file.h"
#include "base/suggest.h"
#include "input/compiler.h"
#include "input/cuda_switch.h"
#include "input/database.h"
#include "input/header_command.h"
#include "input/kokkos_search.h"
#include "input/machine_code.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string absolute(llvm::StringRef name) {
  llvm::SmallString<256> result(name);
  fs::make_absolute(result);
  path::remove_dots(result, true);
  return result.str().str();
}

static std::vector<std::string> namesIn(llvm::StringRef folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
       !error && entry != end; entry.increment(error))
    names.push_back(path::filename(entry->path()).str());
  llvm::sort(names);
  return names;
}

/// Compares the first missing part of the path with its siblings.
static llvm::Error noSuchPath(llvm::StringRef typed) {
  llvm::SmallString<256> there;
  auto part = path::begin(typed), end = path::end(typed);
  for (; part != end; ++part) {
    llvm::SmallString<256> longer(there);
    path::append(longer, *part);
    if (!fs::exists(longer))
      break;
    there = longer;
  }
  if (fs::is_symlink_file(typed))
    return failure("'" + typed + "' is a link to nothing");
  std::string sentence = "'" + typed.str() + "' does not exist";
  if (part == end)
    return failure(sentence);
  std::string near = nearest(*part, namesIn(there));
  if (near.empty())
    return failure(sentence);
  path::append(there, near);
  for (++part; part != end; ++part)
    path::append(there, *part);
  return failure(sentence + "; did you mean '" + there.str() + "'?");
}

namespace {

/// The command that writes the database of a build folder: CMake's, and
/// Ninja's where another tool wrote its file, as PyTorch's extensions do.
std::string databaseCommand(llvm::StringRef build) {
  if (fs::exists(build + "/build.ninja") &&
      !fs::exists(build + "/CMakeCache.txt"))
    return ("ninja -C " + build + " -t compdb > " + build +
            "/compile_commands.json")
        .str();
  return ("cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON " + build).str();
}

/// Finds the databases that contain a source; reads each once.
class Databases {
public:
  explicit Databases(std::vector<std::string> &notes) : notes_(notes) {}

  /// Handles -p: only this database is used from now on.
  llvm::Error ask(llvm::StringRef typed) {
    if (!fs::exists(typed))
      return noSuchPath(typed);
    llvm::SmallString<256> file(typed);
    if (fs::is_directory(typed)) {
      path::append(file, "compile_commands.json");
      if (!isNamed(file))
        return failure("folder '" + typed +
                       "' has no compile_commands.json; '" +
                       databaseCommand(typed) + "' writes one");
    }
    auto database = readDatabase(file);
    if (!database)
      return database.takeError();
    asked_ = std::make_unique<Database>(std::move(*database));
    llvm::append_range(notes_, asked_->notes);
    return llvm::Error::success();
  }

  const Database *asked() const { return asked_.get(); }
  bool any() const { return asked_ || !used_.empty(); }

  /// Adds the notes of the databases that gave a command, or would have if
  /// their files still existed; others are of no interest to the user.
  void addNotes() {
    for (const auto &[file, database] : read_)
      if (database &&
          (used_.contains(database.get()) || database->commands.empty()))
        llvm::append_range(notes_, database->notes);
  }

  /// The commands of the nearest database that contains this source; `key` is
  /// its canonicalPath.
  llvm::ArrayRef<Command> commandsOf(llvm::StringRef source,
                                     const std::string &key) {
    if (asked_)
      return named(*asked_, key);
    for (llvm::StringRef name = path::parent_path(source); !name.empty();
         name = path::parent_path(name)) {
      const Folder &folder = folderAt(name);
      for (const Database *database : folder.databases) {
        auto commands = named(*database, key);
        if (commands.empty())
          continue;
        used_.insert(database);
        return commands;
      }
      if (folder.isRepository)
        break;
    }
    return {};
  }

  /// The databases that may contain the sources that include a header, the
  /// nearest first.
  std::vector<const Database *> near(llvm::StringRef file) {
    if (asked_)
      return {asked_.get()};
    std::vector<const Database *> found;
    for (llvm::StringRef name = path::parent_path(file); !name.empty();
         name = path::parent_path(name)) {
      const Folder &folder = folderAt(name);
      llvm::append_range(found, folder.databases);
      if (folder.isRepository)
        break;
    }
    return found;
  }

  bool isRepository(llvm::StringRef folder) {
    return folderAt(folder).isRepository;
  }

private:
  struct Folder {
    std::vector<const Database *> databases;
    bool isRepository = false; ///< folders above belong to others
  };

  static llvm::ArrayRef<Command> named(const Database &database,
                                       const std::string &key) {
    auto found = database.commands.find(key);
    if (found == database.commands.end())
      return {};
    return found->second;
  }

  const Folder &folderAt(llvm::StringRef name) {
    auto [place, isNew] = folders_.try_emplace(name.str());
    Folder &folder = place->second;
    if (!isNew)
      return folder;
    for (const std::string &file : databasesOfFolder(name))
      if (const Database *database = read(file))
        folder.databases.push_back(database);
    llvm::SmallString<256> git(name);
    path::append(git, ".git");
    folder.isRepository = fs::exists(git);
    return folder;
  }

  /// Returns none if it is broken; this adds a note only, since no user
  /// requested it. A link beside the sources to a database in the build folder
  /// is the same one.
  const Database *read(const std::string &file) {
    auto [place, isNew] = read_.try_emplace(canonicalPath(file));
    if (!isNew)
      return place->second.get();
    auto database = readDatabase(file);
    if (!database) {
      notes_.push_back(llvm::toString(database.takeError()) +
                       "; going on without it");
      return nullptr;
    }
    place->second = std::make_unique<Database>(std::move(*database));
    return place->second.get();
  }

  std::vector<std::string> &notes_;
  std::unique_ptr<Database> asked_;
  std::map<std::string, std::unique_ptr<Database>> read_;
  std::map<std::string, Folder> folders_; ///< by name
  std::set<const Database *> used_;
};

/// The sources of one path of the request.
struct Named {
  std::string typed;
  std::string place; ///< absolute; empty: all of a database
  bool isFolder = false;
  std::vector<std::string> sources; ///< absolute; CUDA or maybe CUDA
  std::vector<std::string> headers; ///< .cuh, of a folder
  std::vector<std::string> others;  ///< its other headers
  size_t skipped = 0;
};

} // namespace

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

static llvm::Expected<Named> readPath(llvm::StringRef typed,
                                      const Buffers &buffers,
                                      const Database *asked,
                                      std::vector<std::string> &notes) {
  const std::string place = absolute(typed);
  if (buffers.count(place))
    return Named{typed.str(), place, /*isFolder=*/false, {place}, {}, {}};
  if (!fs::exists(typed))
    return noSuchPath(typed);
  // Reading from a pipe or a terminal may block forever.
  if (!fs::is_directory(typed) && !fs::is_regular_file(typed))
    return failure("'" + typed + "' is neither a file nor a folder");
  Named named;
  named.typed = typed.str();
  named.place = place;
  named.isFolder = fs::is_directory(typed);
  if (!named.isFolder) {
    if (auto file = readRegularFile(typed.str());
        file && isMachineCode((*file)->getBuffer()))
      return failure("'" + typed +
                     "' is machine code, and only sources and PTX are read "
                     "here; 'warplint resources' reads machine code");
    named.sources.push_back(place);
    return named;
  }
  FolderContent content = walk(place);
  for (const std::string &reason : content.unreadable)
    notes.push_back("cannot read folder " + reason);
  named.sources = std::move(content.sources);
  named.headers = std::move(content.headers);
  named.others = std::move(content.others);
  // The requested database also has sources that were generated into a build
  // folder.
  if (asked) {
    std::string prefix = canonicalPath(place) + "/";
    for (const auto &[key, commands] : asked->commands)
      if (llvm::StringRef(key).starts_with(prefix))
        named.sources.push_back(commands.front().source);
  }
  return named;
}

/// Reads the paths of a request, files before folders, so that a file that is
/// named and also lies in a named folder counts as named.
static llvm::Expected<std::vector<Named>>
readPaths(const SourceRequest &request, const Database *asked,
          std::vector<std::string> &notes) {
  std::vector<Named> result;
  std::vector<std::string> paths = request.paths;
  if (paths.empty() && asked) {
    Named all;
    all.typed = request.database;
    all.isFolder = true;
    for (const auto &[key, commands] : asked->commands)
      all.sources.push_back(commands.front().source);
    return std::vector<Named>{std::move(all)};
  }
  if (paths.empty())
    paths.push_back(".");
  for (llvm::StringRef typed : paths) {
    auto named = readPath(typed, request.buffers, asked, notes);
    if (!named)
      return named.takeError();
    result.push_back(std::move(*named));
  }
  std::stable_partition(result.begin(), result.end(),
                        [](const Named &named) { return !named.isFolder; });
  return result;
}

static void leaveOut(Named &named,
                     llvm::function_ref<bool(llvm::StringRef)> skips) {
  if (!skips || !named.isFolder)
    return;
  const size_t before = named.sources.size();
  llvm::erase_if(named.sources, skips);
  named.skipped = before - named.sources.size();
  llvm::erase_if(named.headers, skips);
  llvm::erase_if(named.others, skips);
}

/// The commands that compile this source as CUDA, or for the host a source that
/// Kokkos can run on a GPU. Where no command is known, it runs in `directory`.
/// `mayBeBare`: the user has not named the build that tells which sources
/// count.
static std::vector<Command>
commandsFor(const std::string &source, const Named &named, bool mayBeBare,
            llvm::ArrayRef<Command> known, llvm::ArrayRef<std::string> extra,
            const std::string &directory, IncludeGraph &includes,
            KokkosByName &byName, std::vector<std::string> &unclear) {
  std::vector<Command> commands;
  for (const Command &command : known) {
    if (!compilesCuda(command) &&
        !(isCxxSource(source) && usesKokkos(command, includes)))
      continue;
    commands.push_back(withExtraFlags(command, extra));
    commands.back().source = source;
  }
  if (!known.empty())
    return commands;
  Command bare = bareCommand(source, directory, extra);
  if (named.isFolder)
    bare.folder = named.place;
  const bool isCertain =
      (!named.isFolder && !isHeader(source)) || isCudaSource(source);
  if (!isCertain && !(mayBeBare && isCxxSource(source)))
    return commands;
  const KokkosByName::Answer answer =
      isCertain || includesKokkos(bare, includes) ? KokkosByName::Yes
                                                  : byName.includesKokkos(bare);
  if (answer == KokkosByName::Yes)
    commands.push_back(std::move(bare));
  else if (answer == KokkosByName::Unclear)
    unclear.push_back(source);
  return commands;
}

/// The command that compiles a header by itself: that of a source which may
/// include it, else nvcc's defaults.
static Command headerCommand(const std::string &header,
                             const SourceRequest &request,
                             const std::string &directory, Databases &databases,
                             IncludeGraph &includes) {
  if (auto command = commandForHeader(header, databases.near(header), includes))
    return withExtraFlags(std::move(*command), request.extraFlags);
  return bareCommand(header, directory, request.extraFlags);
}

/// Says how to get a database, if there is a build folder near the sources and
/// no database: they are read without their build's flags then.
static void noteBuildWithout(const std::vector<std::string> &bare,
                             Databases &databases,
                             std::vector<std::string> &notes) {
  std::set<llvm::StringRef> seen; // with the folders above them
  for (const std::string &source : bare)
    for (llvm::StringRef folder = path::parent_path(source);
         !folder.empty() && seen.insert(folder).second;
         folder = path::parent_path(folder)) {
      for (const std::string &build : buildFoldersOf(folder))
        if (fs::exists(build + "/CMakeCache.txt") &&
            !fs::exists(build + "/compile_commands.json")) {
          notes.push_back("'" + build +
                          "' has no compile_commands.json, so its flags are "
                          "not used; '" +
                          databaseCommand(build) + "' writes one");
          return;
        }
      if (databases.isRepository(folder))
        break;
    }
}

/// Returns the library whose kernels a text's templates make where a build
/// compiles them as CUDA; empty if there is none.
static llvm::StringRef kernelLibraryOf(llvm::StringRef text) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> all[] = {
      {"RAJA::", "RAJA"}, {"alpaka::", "alpaka"}, {"thrust::", "Thrust"}};
  for (const auto &[name, library] : all)
    if (text.contains(name))
      return library;
  return "";
}

/// Says where kernels are below a folder without a CUDA source.
static std::string kernelsElsewhere(const Named &named,
                                    const Buffers &buffers) {
  std::vector<llvm::StringRef> headers, users;
  llvm::StringRef library;
  for (const std::string &file : named.others)
    if (fileHasKernels(file, buffers))
      headers.push_back(file);
  for (const std::string &file : named.sources)
    if (auto text = readText(file, buffers)) {
      const llvm::StringRef own = kernelLibraryOf(text->getBuffer());
      if (own.empty())
        continue;
      users.push_back(file);
      if (library.empty())
        library = own;
    }
  std::string sentence;
  if (!headers.empty())
    sentence += "; " + counted(headers.size(), "header") +
                (headers.size() == 1 ? " has kernels: '"
                                     : " have kernels: first '") +
                headers.front().str() + "'; a header that is named is read";
  if (!users.empty())
    sentence += "; " + counted(users.size(), "C++ source") +
                (users.size() == 1 ? " uses " : " use ") + library.str() +
                ", which makes kernels where a build compiles " +
                (users.size() == 1 ? "it as CUDA: '"
                                   : "them as CUDA: first '") +
                users.front().str() + "'; '-p BUILD' takes such a build";
  return sentence;
}

/// Says why a path gave no source.
static std::string emptySentence(const Named &named, Databases &databases,
                                 const Buffers &buffers) {
  std::string typed = "'" + named.typed + "'";
  if (named.isFolder && named.skipped)
    return "no CUDA source under " + typed + " but what a configuration " +
           "skips (" + std::to_string(named.skipped) + ")";
  if (named.isFolder)
    return "no CUDA source (.cu, or C++ that is compiled with '-x cu' or "
           "includes Kokkos) under " +
           typed + kernelsElsewhere(named, buffers);
  const Command &command = databases
                               .commandsOf(named.sources.front(),
                                           canonicalPath(named.sources.front()))
                               .front();
  return typed + " is not compiled as CUDA: its command runs '" +
         command.arguments[compilerIndex(command.arguments)] +
         "' without '-x cu'";
}

/// Says which sources of a folder are not read although they may use Kokkos.
static void noteUnclear(const std::vector<std::string> &unclear,
                        const std::string &header,
                        std::vector<std::string> &notes) {
  if (!unclear.empty())
    notes.push_back(
        counted(unclear.size(), "C++ source") +
        (unclear.size() == 1 ? " that may include Kokkos is"
                             : " that may include Kokkos are") +
        " not read, since it is not clear which folder has '" + header +
        "': first '" +
        unclear.front() +
        "'; '-p BUILD' takes a build's flags, and '-- -IDIR' names the folder");
}

/// Says which C++ sources of a folder have kernels, or a header that launches
/// some, and are not read.
static void noteWithKernels(const std::vector<std::string> &sources,
                            bool isByHeader, std::vector<std::string> &notes) {
  if (sources.empty())
    return;
  const bool isOne = sources.size() == 1;
  const char *has = isOne ? " has kernels and is" : " have kernels and are";
  if (isByHeader)
    has = isOne ? " includes a header that launches kernels and is"
                : " include a header that launches kernels and are";
  notes.push_back(counted(sources.size(), "C++ source") + has +
                  " not read, since no build compiles " +
                  (isOne ? "it" : "them") + " as CUDA: " +
                  (isOne ? "'" : "first '") + sources.front() +
                  "'; '-p BUILD' takes a build's flags, and a source that is "
                  "named is read");
}

/// Returns true for C++ that a build may compile with '-x cu', for its own
/// kernels or for those that a header next to it launches.
static bool mayBeCuda(const std::string &source, IncludeGraph &includes) {
  return isCxxSource(source) &&
         (includes.scan(source).hasKernels ||
          includes.reaches(source, {}, [](const ScannedFile &file) {
            return file.launches;
          }));
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

llvm::Expected<Sources>
findSources(const SourceRequest &request,
            llvm::function_ref<bool(llvm::StringRef)> skips) {
  Sources sources;
  Databases databases(sources.notes);
  if (!request.database.empty())
    if (llvm::Error error = databases.ask(request.database))
      return error;
  auto paths = readPaths(request, databases.asked(), sources.notes);
  if (!paths)
    return paths.takeError();

  const std::string directory = absolute(".");
  CanonicalPaths canonical;
  IncludeGraph includes(request.buffers);
  FilesOfProjects files;
  KokkosByName byName(includes, files);
  std::map<std::string, bool> isCuda; ///< by canonicalPath
  std::vector<std::string> empty, bare, headers, unclear, withKernels;
  for (Named &named : *paths) {
    leaveOut(named, skips);
    bool hasCuda = false;
    for (const std::string &source : named.sources) {
      auto [place, isNew] = isCuda.try_emplace(canonical.of(source), false);
      // Of several names of one file, that of a CUDA source counts.
      if (isNew || (!place->second && isCudaSource(source))) {
        llvm::ArrayRef<Command> known =
            databases.commandsOf(source, place->first);
        std::vector<Command> commands =
            commandsFor(source, named, !databases.asked(), known,
                        request.extraFlags, directory, includes, byName,
                        unclear);
        const bool isAlone = commands.empty() && known.empty() &&
                             !named.isFolder && isHeader(source);
        if (isAlone)
          headers.push_back(source);
        place->second = !commands.empty() || isAlone;
        if (!place->second && known.empty() && !databases.asked() &&
            mayBeCuda(source, includes))
          withKernels.push_back(source);
        if (known.empty() && !commands.empty() && !isPtxText(source))
          bare.push_back(source);
        llvm::append_range(sources.commands, std::move(commands));
      }
      hasCuda |= place->second;
    }
    // A library of headers alone is linted as if they were named.
    if (!hasCuda && !named.headers.empty())
      llvm::append_range(headers, named.headers);
    else if (!hasCuda)
      empty.push_back(emptySentence(named, databases, request.buffers));
    else
      for (const auto *found : {&named.headers, &named.others})
        llvm::append_range(sources.headers, *found);
  }
  // A header counts through the sources that include it, if there are any.
  const size_t others = sources.commands.size();
  for (const std::string &header : headers)
    if (!isIncluded(header, llvm::ArrayRef(sources.commands).take_front(others),
                    includes))
      sources.commands.push_back(
          headerCommand(header, request, directory, databases, includes));
  // Another name of the file may be read, or a source that includes it.
  llvm::erase_if(withKernels, [&](const std::string &source) {
    return isCuda[canonical.of(source)] ||
           llvm::is_contained(unclear, source) ||
           isIncluded(source, sources.commands, includes);
  });
  databases.addNotes();
  noteUnclear(unclear, byName.unclear(), empty);
  const auto byHeader =
      std::stable_partition(withKernels.begin(), withKernels.end(),
                            [&](const std::string &source) {
                              return includes.scan(source).hasKernels;
                            });
  noteWithKernels({withKernels.begin(), byHeader}, false, empty);
  noteWithKernels({byHeader, withKernels.end()}, true, empty);
  if (sources.commands.empty() && !request.mayBeNone)
    return failure(llvm::join(empty, "; "));
  llvm::append_range(sources.notes, empty);
  if (!bare.empty() && !databases.any())
    noteBuildWithout(bare, databases, sources.notes);
  // If there is a build, tell the user about sources outside it.
  if (!bare.empty() && databases.any()) {
    llvm::sort(bare);
    sources.notes.push_back(
        counted(bare.size(), "source") + (bare.size() == 1 ? " is" : " are") +
        " in no compile database and read with nvcc's defaults: " +
        (bare.size() == 1 ? "'" : "first '") + bare.front() + "'");
  }
  sortAndMerge(sources.commands);
  return sources;
}

} // namespace warplint
