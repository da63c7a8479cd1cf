// Recognises Kokkos: its headers by their names, and the sources that use it
// from host builds, which can be compiled for a GPU as well.
#pragma once
#include "input/command.h"
#include "input/files_of_projects.h"
#include "input/include_graph.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

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
/// build: of each name the one nearest to the source counts.
class KokkosByName {
public:
  /// Both must outlive this object.
  KokkosByName(IncludeGraph &includes, FilesOfProjects &files)
      : includes_(includes), files_(files) {}

  enum Answer { No, Unclear, Yes };

  /// Unclear if only a header that was not found can tell. Looks at each file
  /// of a project once, whatever the number of sources.
  Answer includesKokkos(const Command &bare);

  /// The header that made the first answer unclear.
  const std::string &unclear() const { return unclear_; }

private:
  /// What is known of the files of one project.
  struct Known {
    std::map<std::string, bool> mayReach;
    std::map<std::string, std::vector<std::string>> included;
  };

  bool mayReach(const std::string &file, const ProjectFiles &project);
  const std::vector<std::string> &mayInclude(const std::string &file,
                                             const ProjectFiles &project,
                                             Known &known);
  bool isUnclear(const Command &command, const ProjectFiles &project);

  IncludeGraph &includes_;
  FilesOfProjects &files_;
  std::map<const ProjectFiles *, Known> known_;
  std::string unclear_;
};

} // namespace warplint
