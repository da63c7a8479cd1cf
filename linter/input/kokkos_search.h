// Commands of host builds to whether their source uses Kokkos, so that on
// another day it is compiled for a GPU: in its own words, or through a header
// of its project, as a class whose kernels are in a header does.
#pragma once
#include "input/command.h"
#include "llvm/ADT/StringRef.h"
#include <map>

namespace warplint {

/// Whether a file is one of Kokkos' own headers, wherever they were installed.
bool isKokkosHeader(llvm::StringRef path);

/// Reads each file once, however many sources include it.
class KokkosSearch {
public:
  /// Whether the source speaks of Kokkos, or includes it through headers in
  /// their own folders or in those of -I. What is behind #if counts as well.
  bool uses(const Command &command);

private:
  struct File {
    bool mentionsKokkos = false;
    std::vector<std::string> includes; ///< found files
    bool includesKokkos = false;
  };
  using Files = std::map<std::string, File>;
  using Folders = std::vector<std::string>;

  static const File &read(const std::string &path, const Folders &folders,
                          Files &files);

  std::map<Folders, Files> files_;
};

} // namespace warplint
