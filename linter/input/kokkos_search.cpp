#include "input/kokkos_search.h"
#include "input/includes.h"
#include "input/search_flags.h"
#include "input/translate.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

namespace warplint {

namespace path = llvm::sys::path;

/// Those of -I and -iquote: with -isystem a project says that it is not its
/// own.
static std::vector<std::string> includeFolders(const Command &command) {
  auto full = fullArguments(command);
  if (!full) {
    llvm::consumeError(full.takeError()); // whoever reads the source says it
    return {};
  }
  std::vector<std::string> folders;
  for (SearchFlag &flag : searchFlags(command.directory, *full))
    if (flag.name == "-I" || flag.name == "-iquote")
      folders.push_back(std::move(flag.path));
  return folders;
}

const KokkosSearch::File &KokkosSearch::read(const std::string &file,
                                             const Folders &folders,
                                             Files &files) {
  auto [place, isNew] = files.try_emplace(file);
  File &result = place->second;
  if (!isNew)
    return result;
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    return result;
  result.mentionsKokkos = (*text)->getBuffer().contains("Kokkos");
  for (llvm::StringRef include : includesIn((*text)->getBuffer())) {
    llvm::StringRef name = include.drop_front();
    result.includesKokkos |= path::filename(name).starts_with("Kokkos_");
    if (std::string found = findIncluded(include, file, folders);
        !found.empty())
      result.includes.push_back(std::move(found));
  }
  return result;
}

bool KokkosSearch::uses(const Command &command) {
  const Folders folders = includeFolders(command);
  Files &files = files_[folders];
  if (read(command.source, folders, files).mentionsKokkos)
    return true;
  std::set<std::string> seen{command.source};
  std::vector<std::string> waiting{command.source};
  while (!waiting.empty()) {
    const File &file = read(waiting.back(), folders, files);
    waiting.pop_back();
    if (file.includesKokkos)
      return true;
    for (const std::string &include : file.includes)
      if (seen.insert(include).second)
        waiting.push_back(include);
  }
  return false;
}

bool isKokkosHeader(llvm::StringRef path) {
  // Its atomics and its mdspan, which it brings along.
  if (path.contains("/desul/atomics/") || path.contains("/__p0009_bits/") ||
      path.contains("/__p2642_bits/"))
    return true;
  llvm::StringRef name = llvm::sys::path::filename(path);
  return (name.starts_with("Kokkos_") || name.starts_with("KokkosExp_") ||
          name.starts_with("KokkosCore_")) &&
         (name.ends_with(".hpp") || name.ends_with(".h"));
}

} // namespace warplint
