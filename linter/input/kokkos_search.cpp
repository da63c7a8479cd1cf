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
  for (unsigned level = 0; level < mostMissingLevels; ++level) {
    const bool isSame =
        addFoldersOfMissing(command, includes, [&](const std::string &header) {
          return path::has_extension(header) // else of the C++ library
                     ? files.nearestWith(header, command)
                     : "";
        }).empty();
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
