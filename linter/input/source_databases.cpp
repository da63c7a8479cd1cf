#include "input/source_databases.h"
#include "base/failure.h"
#include "input/typed_paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The command that writes the database of a build folder: CMake's, and
/// Ninja's where another tool wrote its file, as PyTorch's extensions do.
static std::string databaseCommand(llvm::StringRef build) {
  if (fs::exists(build + "/build.ninja") &&
      !fs::exists(build + "/CMakeCache.txt"))
    return ("ninja -C " + build + " -t compdb > " + build +
            "/compile_commands.json")
        .str();
  return ("cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON " + build).str();
}

static llvm::ArrayRef<Command> commandsIn(const Database &database,
                                          const std::string &key) {
  auto found = database.commands.find(key);
  if (found == database.commands.end())
    return {};
  return found->second;
}

llvm::Error SourceDatabases::ask(llvm::StringRef typed) {
  if (!fs::exists(typed))
    return noSuchPath(typed);
  llvm::SmallString<256> file(typed);
  if (fs::is_directory(typed)) {
    path::append(file, "compile_commands.json");
    if (!isNamed(file))
      return failure("folder '" + typed + "' has no compile_commands.json; '" +
                     databaseCommand(typed) + "' writes one");
  }
  auto database = readDatabase(file);
  if (!database)
    return database.takeError();
  asked_ = std::make_unique<Database>(std::move(*database));
  llvm::append_range(notes_, asked_->notes);
  return llvm::Error::success();
}

llvm::ArrayRef<Command> SourceDatabases::commandsOf(llvm::StringRef source,
                                                    const std::string &key) {
  if (asked_)
    return commandsIn(*asked_, key);
  for (llvm::StringRef name = path::parent_path(source); !name.empty();
       name = path::parent_path(name)) {
    const Folder &folder = folderAt(name);
    for (const Database *database : folder.databases) {
      auto commands = commandsIn(*database, key);
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

std::vector<const Database *> SourceDatabases::near(llvm::StringRef file) {
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

void SourceDatabases::addNotes() {
  for (const auto &[file, database] : read_)
    if (database &&
        (used_.contains(database.get()) || database->commands.empty()))
      llvm::append_range(notes_, database->notes);
}

void SourceDatabases::addNoteOfBuildWithout(
    llvm::ArrayRef<std::string> sources) {
  std::set<llvm::StringRef> seen; // with the folders above them
  for (const std::string &source : sources)
    for (llvm::StringRef folder = path::parent_path(source);
         !folder.empty() && seen.insert(folder).second;
         folder = path::parent_path(folder)) {
      for (const std::string &build : buildFoldersOf(folder))
        if (fs::exists(build + "/CMakeCache.txt") &&
            !fs::exists(build + "/compile_commands.json")) {
          notes_.push_back("'" + build +
                           "' has no compile_commands.json, so its flags are "
                           "not used; '" +
                           databaseCommand(build) + "' writes one");
          return;
        }
      if (folderAt(folder).isRepository)
        break;
    }
}

const SourceDatabases::Folder &SourceDatabases::folderAt(llvm::StringRef name) {
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

/// Returns null if it is broken; this adds a note only, since no user requested
/// it. A link beside the sources to a database in the build folder is the same
/// one.
const Database *SourceDatabases::read(const std::string &file) {
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

} // namespace warplint
