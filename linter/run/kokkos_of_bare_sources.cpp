#include "run/kokkos_of_bare_sources.h"
#include "input/kokkos_search.h"
#include "input/walk.h"
#include "source/shim.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

const std::optional<KokkosInstallation> &KokkosOfBareSources::search() {
  isNeeded_ = true;
  std::call_once(once_, [this] { found_ = findKokkos(); });
  return found_;
}

void KokkosOfBareSources::addTo(Command &command) {
  if (!command.isBare || isPtxText(command.source) ||
      !includesKokkos(command, graphs_.get()))
    return;
  const IncludeFolders folders =
      includeFolders(command.directory, command.arguments);
  std::vector<std::string> named = folders.project;
  llvm::append_range(named, folders.system);
  std::vector<std::string> before,
      after = {"--extended-lambda", "--expt-relaxed-constexpr"};
  std::optional<KokkosInstallation> kokkos = kokkosAmong(named);
  if (!kokkos && (kokkos = search()))
    after.push_back("-I" + kokkos->include);
  if (!kokkos)
    return;
  if (!kokkos->forCuda)
    before = kokkosFlags();
  std::vector<std::string> &words = command.arguments;
  const bool hasStandard = llvm::any_of(words, [](llvm::StringRef word) {
    return word.ltrim('-').split('=').first == "std";
  });
  // Kokkos 5.0 is the first release that needs it.
  if (kokkos->version >= 50'000 && !hasStandard)
    before.push_back("-std=c++20");
  words.insert(words.end() - 1, after.begin(), after.end()); // the source
  words.insert(words.begin() + 1, before.begin(), before.end());
}

void KokkosOfBareSources::addNote(std::vector<std::string> &notes) const {
  if (!isNeeded_)
    return;
  if (!found_)
    notes.push_back("Kokkos was not found: Kokkos_ROOT or CMAKE_PREFIX_PATH "
                    "names the folder where it is installed, and '-- -IDIR' "
                    "that of its headers");
  else
    notes.push_back("Kokkos " + found_->release() + " in '" + found_->include +
                    "' was taken" +
                    (found_->forCuda
                         ? ""
                         : ", configured for a host and read as for CUDA"));
}

} // namespace warplint
