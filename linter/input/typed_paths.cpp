#include "input/typed_paths.h"
#include "base/failure.h"
#include "base/plural.h"
#include "base/regular_file.h"
#include "base/suggest.h"
#include "input/machine_code.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string absolutePath(llvm::StringRef name) {
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

llvm::Error noSuchPath(llvm::StringRef typed) {
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

static llvm::Expected<TypedPath> readPath(llvm::StringRef typed,
                                          const Buffers &buffers,
                                          const Database *asked,
                                          std::vector<std::string> &notes) {
  const std::string place = absolutePath(typed);
  if (buffers.count(place))
    return TypedPath{typed.str(), place, /*isFolder=*/false, {place}, {}, {}};
  if (!fs::exists(typed))
    return noSuchPath(typed);
  // Reading from a pipe or a terminal may block forever.
  if (!fs::is_directory(typed) && !fs::is_regular_file(typed))
    return failure("'" + typed + "' is neither a file nor a folder");
  TypedPath named;
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
  for (const auto &[library, sources] : content.testsOf) {
    llvm::StringRef inside = library;
    inside.consume_front(place + "/");
    notes.push_back((counted(sources, "source") +
                     " of the tests and examples of '" + inside +
                     "', another project, " + (sources == 1 ? "is" : "are") +
                     " left out: name that folder to read them")
                        .str());
  }
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

static void leaveOut(TypedPath &named,
                     llvm::function_ref<bool(llvm::StringRef)> skips) {
  if (!skips || !named.isFolder)
    return;
  const size_t before = named.sources.size();
  llvm::erase_if(named.sources, skips);
  named.skipped = before - named.sources.size();
  llvm::erase_if(named.headers, skips);
  llvm::erase_if(named.others, skips);
}

llvm::Expected<std::vector<TypedPath>>
readPaths(const SourceRequest &request, const Database *asked,
          llvm::function_ref<bool(llvm::StringRef)> skips,
          std::vector<std::string> &notes) {
  std::vector<TypedPath> result;
  std::vector<std::string> paths = request.paths;
  if (paths.empty() && asked) {
    TypedPath all;
    all.typed = request.database;
    all.isFolder = true;
    for (const auto &[key, commands] : asked->commands)
      all.sources.push_back(commands.front().source);
    leaveOut(all, skips);
    return std::vector<TypedPath>{std::move(all)};
  }
  if (paths.empty())
    paths.push_back(".");
  for (llvm::StringRef typed : paths) {
    auto named = readPath(typed, request.buffers, asked, notes);
    if (!named)
      return named.takeError();
    leaveOut(*named, skips);
    result.push_back(std::move(*named));
  }
  std::stable_partition(result.begin(), result.end(),
                        [](const TypedPath &named) { return !named.isFolder; });
  return result;
}

} // namespace warplint
