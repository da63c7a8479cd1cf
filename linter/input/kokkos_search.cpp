#include "input/kokkos_search.h"
#include "input/translate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace path = llvm::sys::path;

static bool includesIt(const ScannedFile &file) {
  return llvm::any_of(file.directives, [](const Directive &directive) {
    return directive.isInclude() &&
           path::filename(directive.name).starts_with("Kokkos_");
  });
}

bool usesKokkos(const Command &command, IncludeGraph &includes) {
  return includes.scan(command.source).mentionsKokkos ||
         includesKokkos(command, includes);
}

bool includesKokkos(const Command &command, IncludeGraph &includes) {
  IncludeFolders folders;
  if (auto full = fullArguments(command))
    folders = includeFolders(command.directory, *full);
  else
    llvm::consumeError(full.takeError()); // reading the source reports it
  return includes.reaches(command.source, folders, includesIt);
}

bool includesKokkosByName(Command command, IncludeGraph &includes,
                          FilesOfProjects &files) {
  if (!includes.scan(command.source).mentionsKokkos)
    return false;
  std::vector<std::string> &words = command.arguments;
  constexpr unsigned mostSteps = 8; // a header that is found may lack others
  for (unsigned step = 0; step < mostSteps; ++step) {
    bool isSame = true;
    for (const std::string &header : includes.missing(
             command.source, includeFolders(command.directory, words))) {
      if (!path::has_extension(header)) // of the C++ library
        continue;
      const std::string folder = files.nearestWith(header, command);
      if (folder.empty() || llvm::is_contained(words, "-I" + folder))
        continue;
      words.insert(words.end() - 1, "-I" + folder); // before the source
      isSame = false;
    }
    if (isSame)
      return false;
    if (includesKokkos(command, includes))
      return true;
  }
  return false;
}

bool isKokkosHeader(llvm::StringRef path) {
  // The atomics and the mdspan that Kokkos ships.
  if (path.contains("/desul/atomics/") || path.contains("/__p0009_bits/") ||
      path.contains("/__p2642_bits/"))
    return true;
  llvm::StringRef name = llvm::sys::path::filename(path);
  return (name.starts_with("Kokkos_") || name.starts_with("KokkosExp_") ||
          name.starts_with("KokkosCore_")) &&
         (name.ends_with(".hpp") || name.ends_with(".h"));
}

} // namespace warplint
