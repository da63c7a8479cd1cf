#include "input/database.h"
#include "base/failure.h"
#include "base/parse_json.h"
#include "base/regular_file.h"
#include "input/compiler.h"
#include "input/search_flags.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <optional>

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string canonicalPath(llvm::StringRef name) {
  llvm::SmallString<256> real;
  if (!fs::real_path(name, real))
    return real.str().str();
  real = name;
  fs::make_absolute(real);
  path::remove_dots(real, true);
  return real.str().str();
}

std::string projectOf(llvm::StringRef folder) {
  for (llvm::StringRef at = folder; !at.empty(); at = path::parent_path(at))
    if (fs::exists(at + "/.git"))
      return at.str();
  return folder.str();
}

bool isBelow(llvm::StringRef file, llvm::StringRef folder) {
  return folder != "/" && file.starts_with((folder + "/").str());
}

std::string CanonicalPaths::of(llvm::StringRef name) {
  const llvm::StringRef file = path::filename(name);
  if (file == "." || file == ".." || !path::is_absolute(name) ||
      fs::get_file_type(name, /*Follow=*/false) != fs::file_type::regular_file)
    return canonicalPath(name);
  const llvm::StringRef folder = path::parent_path(name);
  auto [place, isNew] = folders_.try_emplace(folder.str());
  if (isNew)
    place->second = canonicalPath(folder);
  llvm::SmallString<256> real(place->second);
  path::append(real, file);
  return real.str().str();
}

/// One object of the database; none if it is malformed.
static std::optional<Command> readEntry(const llvm::json::Value &value,
                                        llvm::StringRef folder) {
  const llvm::json::Object *entry = value.getAsObject();
  if (!entry)
    return std::nullopt;
  auto file = entry->getString("file");
  if (!file || file->empty())
    return std::nullopt;
  Command command;
  command.directory =
      plainPathIn(folder, entry->getString("directory").value_or(folder));
  command.source = plainPathIn(command.directory, *file);
  if (const llvm::json::Array *words = entry->getArray("arguments")) {
    for (const llvm::json::Value &word : *words) {
      auto text = word.getAsString();
      if (!text)
        return std::nullopt;
      command.arguments.push_back(text->str());
    }
  } else if (auto line = entry->getString("command")) {
    command.arguments = splitCommandLine(*line);
  }
  if (command.arguments.empty())
    return std::nullopt;
  return command;
}

static std::string counted(size_t count, llvm::StringRef one,
                           llvm::StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

static llvm::Error unreadable(llvm::StringRef file, const llvm::Twine &reason) {
  return failure("cannot read compile database '" + file + "': " + reason);
}

llvm::Expected<Database> readDatabase(llvm::StringRef file) {
  auto buffer = readRegularFile(file);
  if (!buffer && isNamed(file) && !fs::exists(file))
    return unreadable(file, "it links to a file that is not there");
  if (!buffer)
    return unreadable(file, buffer.getError().message());
  return readDatabase(file, (*buffer)->getBuffer());
}

llvm::Expected<Database> readDatabase(llvm::StringRef file,
                                      llvm::StringRef text) {
  // Names in a legacy encoding must not make the other entries unreadable.
  auto json = parseJson(llvm::json::isUTF8(text) ? text.str()
                                                 : llvm::json::fixUTF8(text));
  if (!json)
    return unreadable(file, llvm::toString(json.takeError()));
  const llvm::json::Array *entries = json->getAsArray();
  if (!entries)
    return unreadable(file, "it is not a list of commands");

  Database database;
  database.file = file.str();
  std::string folder = path::parent_path(plainPathIn("", file)).str();
  // A link beside the sources leads to the database of a build folder.
  const std::string project = projectOf(path::parent_path(canonicalPath(file)));
  CanonicalPaths canonical;
  size_t gone = 0, broken = 0, homeless = 0;
  std::string firstGone, firstHomeless;
  for (const llvm::json::Value &value : *entries) {
    auto command = readEntry(value, folder);
    if (!command) {
      ++broken;
      continue;
    }
    if (!fs::exists(command->source)) {
      if (!gone++)
        firstGone = command->source;
      continue;
    }
    // The build folder may be deleted while its sources still exist.
    if (!fs::is_directory(command->directory)) {
      if (!homeless++)
        firstHomeless = command->directory;
      command->directory = folder;
    }
    command->project = project;
    command->database = database.file;
    std::string key = canonical.of(command->source);
    database.commands[key].push_back(std::move(*command));
  }
  auto note = [&](const llvm::Twine &sentence) {
    database.notes.push_back(("'" + file + "' " + sentence).str());
  };
  if (gone)
    note("names " +
         counted(gone, "file that is gone:", "files that are gone, first") +
         " '" + firstGone + "'");
  if (homeless)
    note("has " +
         counted(homeless, "command whose folder is gone:",
                 "commands whose folder is gone, first") +
         " '" + firstHomeless + "'");
  if (broken)
    note("has " + counted(broken, "entry", "entries") +
         " without 'file' or command, left out");
  return database;
}

/// build*/ and cmake-build-*/ (CLion's) below `folder`.
static std::vector<std::string> buildFolders(llvm::StringRef folder,
                                             bool anyName) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end && !error;
       entry.increment(error)) {
    llvm::StringRef name = path::filename(entry->path());
    bool isBuild = name.starts_with("build") || name.starts_with("cmake-build");
    if ((anyName ? !name.starts_with(".") : isBuild) &&
        fs::is_directory(entry->path()))
      found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> buildFoldersOf(llvm::StringRef folder) {
  return buildFolders(folder, /*anyName=*/false);
}

bool isNamed(llvm::StringRef file) {
  fs::file_status status;
  return !fs::status(file, status, /*follow=*/false);
}

std::vector<std::string> databasesOfFolder(llvm::StringRef folder) {
  auto inside = [](llvm::StringRef place) {
    llvm::SmallString<256> name(place);
    path::append(name, "compile_commands.json");
    return name.str().str();
  };
  struct Dated {
    std::string file;
    llvm::sys::TimePoint<> time;
  };
  std::vector<Dated> built;
  auto consider = [&](llvm::StringRef place) {
    fs::file_status status;
    std::string file = inside(place);
    if (!isNamed(file))
      return;
    fs::status(file, status); // of no time at all if it cannot be opened
    built.push_back({file, status.getLastModificationTime()});
  };
  for (const std::string &build : buildFolders(folder, false)) {
    consider(build);
    for (const std::string &preset : buildFolders(build, true))
      consider(preset);
  }
  std::stable_sort(
      built.begin(), built.end(),
      [](const Dated &a, const Dated &b) { return a.time > b.time; });

  std::vector<std::string> result;
  if (isNamed(inside(folder)))
    result.push_back(inside(folder));
  for (Dated &dated : built)
    result.push_back(std::move(dated.file));
  return result;
}

} // namespace warplint
