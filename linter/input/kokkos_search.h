// Recognises Kokkos: its headers by their names, and the sources that use it
// from host builds, which can be compiled for a GPU as well.
#pragma once
#include "input/command.h"
#include "input/files_of_projects.h"
#include "input/include_graph.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// True if a file is one of Kokkos' own headers, wherever they are installed.
bool isKokkosHeader(llvm::StringRef path);

/// True if the source mentions Kokkos, or includes it through headers of its
/// project. Includes inside #if count too.
bool usesKokkos(const Command &command, IncludeGraph &includes);

/// True if the source includes Kokkos, itself or through headers of its
/// project.
bool includesKokkos(const Command &command, IncludeGraph &includes);

/// The same where no flag leads to the headers of the project, as without a
/// build: of each name the one nearest to the source counts. Only a source that
/// mentions Kokkos is looked into.
bool includesKokkosByName(Command command, IncludeGraph &includes,
                          FilesOfProjects &files);

} // namespace warplint
