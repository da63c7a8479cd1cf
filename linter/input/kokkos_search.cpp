#include "input/kokkos_search.h"
#include "input/library_includes.h"
#include "input/search_flags.h"
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

/// False for the headers of the C library, and for those of C++, which have no
/// extension.
static bool mayBeOfProject(const std::string &header) {
  return path::has_extension(header) && !isHeaderOfC(header);
}

const std::vector<std::string> &
KokkosByName::mayInclude(const std::string &file, const ProjectFiles &project,
                         Known &known) {
  auto [place, isNew] = known.included.try_emplace(file);
  if (isNew)
    for (const Directive &directive : includes_.scan(file).directives) {
      if (!directive.isInclude() || !mayBeOfProject(directive.name))
        continue;
      if (std::string found = includes_.find(directive, file, {});
          !found.empty())
        place->second.push_back(std::move(found));
      else
        for (llvm::StringRef folder : project.foldersWith(directive.name))
          place->second.push_back(plainPathIn(folder, directive.name));
    }
  return place->second;
}

/// Returns true if `file` reaches Kokkos where every file of a name counts.
bool KokkosByName::mayReach(const std::string &file,
                            const ProjectFiles &project) {
  Known &known = known_[&project];
  std::map<std::string, std::string> from{{file, ""}}; // the one before it
  std::vector<std::string> left{file};
  while (!left.empty()) {
    const std::string next = std::move(left.back());
    left.pop_back();
    auto answer = known.mayReach.find(next);
    if (answer == known.mayReach.end() ? includesIt(includes_.scan(next))
                                       : answer->second) {
      for (std::string on = next; !on.empty(); on = from[on])
        known.mayReach[on] = true;
      return true;
    }
    if (answer != known.mayReach.end())
      continue;
    for (const std::string &included : mayInclude(next, project, known))
      if (from.try_emplace(included, next).second)
        left.push_back(included);
  }
  for (const auto &[seen, before] : from)
    known.mayReach[seen] = false;
  return false;
}

/// Returns true if a header that `command` does not lead to may lead to Kokkos.
/// What the source itself uses comes from some header, wherever that lies.
bool KokkosByName::isUnclear(const Command &command,
                             const ProjectFiles &project) {
  for (const std::string &header : includes_.missing(
           command.source,
           includeFolders(command.directory, command.arguments),
           command.arguments)) {
    if (!mayBeOfProject(header))
      continue;
    const std::vector<llvm::StringRef> folders = project.foldersWith(header);
    const bool mayLead =
        folders.empty() ? includes_.scan(command.source).usesKokkos
                        : llvm::any_of(folders, [&](llvm::StringRef folder) {
                            return mayReach(plainPathIn(folder, header),
                                            project);
                          });
    if (!mayLead)
      continue;
    if (unclear_.empty())
      unclear_ = header;
    return true;
  }
  return false;
}

KokkosByName::Answer KokkosByName::includesKokkos(const Command &bare) {
  const ProjectFiles &project = files_.around(bare);
  if (!includes_.scan(bare.source).usesKokkos &&
      !mayReach(bare.source, project))
    return No;
  Command command = bare;
  for (unsigned level = 0; level < mostMissingLevels; ++level) {
    const bool isSame =
        addFoldersOfMissing(
            command, includes_, [&](const std::string &header) {
              return mayBeOfProject(header)
                         ? files_.nearestWith(header, command,
                                             includes_)
                         : "";
            }).empty();
    if (isSame)
      return isUnclear(command, project) ? Unclear : No;
    if (warplint::includesKokkos(command, includes_))
      return Yes;
  }
  return No;
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
