#include "run/kokkos_of_bare_sources.h"
#include "input/kokkos_search.h"
#include "input/search_flags.h"
#include "input/walk.h"
#include "source/shim.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

std::optional<KokkosInstallation> KokkosOfBareSources::search() {
  std::call_once(once_, [this] { installed_ = findKokkos(); });
  return installed_;
}

std::optional<KokkosInstallation>
KokkosOfBareSources::checkoutFor(const Command &command,
                                 llvm::ArrayRef<std::string> named) {
  for (const std::string &folder : named)
    if (auto found = kokkosOfCheckout(folder, folder_))
      return found;
  const std::string sources = "core/src";
  const std::string root =
      files_.nearestWith(sources + "/Kokkos_Core.hpp", command, graphs_.get());
  return root.empty() ? std::nullopt
                      : kokkosOfCheckout(pathIn(root, sources), folder_);
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
  if (!kokkos) {
    kokkos = checkoutFor(command, named);
    if (!kokkos)
      kokkos = search();
    std::lock_guard<std::mutex> lock(mutex_);
    if (!kokkos) {
      isMissing_ = true;
      return;
    }
    taken_.try_emplace(kokkos->include, *kokkos);
    after.push_back("-I" + kokkos->include);
    for (const std::string &folder : kokkos->further)
      after.push_back("-I" + folder);
  }
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
  if (isMissing_)
    notes.push_back("Kokkos was not found: Kokkos_ROOT or CMAKE_PREFIX_PATH "
                    "names the folder where it is installed, and '-- -IDIR' "
                    "that of its headers");
  for (const auto &[folder, kokkos] : taken_) {
    // Distributions have releases that today's projects cannot be built with.
    const bool isOld = installed_ && installed_->include == folder &&
                       kokkos.version && kokkos.version < 40'000;
    notes.push_back(
        "Kokkos " + kokkos.release() + " in '" + folder + "' was taken" +
        (kokkos.forCuda ? "" : ", configured for a host and read as for CUDA") +
        (isOld ? "; '-- -IDIR' takes a newer one, such as the 'core/src' of a "
                 "checkout"
               : ""));
  }
}

} // namespace warplint
