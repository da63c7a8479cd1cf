#include "input/unread_sources.h"
#include "base/plural.h"
#include "input/compiler.h"
#include "input/cuda_switch.h"
#include "input/walk.h"
#include <algorithm>

namespace warplint {

/// Returns the library whose kernels a text's templates make where a build
/// compiles them as CUDA; empty if there is none.
static llvm::StringRef kernelLibraryOf(llvm::StringRef text) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> all[] = {
      {"RAJA::", "RAJA"},
      {"alpaka::", "alpaka"},
      {"amrex::ParallelFor", "AMReX"},
      {"thrust::", "Thrust"}};
  for (const auto &[name, library] : all)
    if (text.contains(name))
      return library;
  return "";
}

std::string emptySentence(const TypedPath &named, SourceDatabases &databases) {
  std::string typed = "'" + named.typed + "'";
  if (named.isFolder && named.skipped)
    return "no CUDA source under " + typed + " but what a configuration " +
           "skips (" + std::to_string(named.skipped) + ")";
  if (named.isFolder)
    return "no CUDA source (.cu, or C++ that is compiled with '-x cu' or "
           "includes Kokkos) under " +
           typed;
  const Command &command = databases
                               .commandsOf(named.sources.front(),
                                           canonicalPath(named.sources.front()))
                               .front();
  return typed + " is not compiled as CUDA: its command runs '" +
         command.arguments[compilerIndex(command.arguments)] +
         "' without '-x cu'";
}

void noteKernelsElsewhere(const TypedPath &named, const Buffers &buffers,
                          std::vector<std::string> &notes) {
  if (!named.isFolder || named.skipped)
    return;
  std::vector<llvm::StringRef> headers, users;
  llvm::StringRef library;
  for (const std::string &file : named.others)
    if (fileHasKernels(file, buffers))
      headers.push_back(file);
  for (const std::string &file : named.sources)
    if (auto text = readText(file, buffers)) {
      const llvm::StringRef own = kernelLibraryOf(text->getBuffer());
      if (own.empty())
        continue;
      users.push_back(file);
      if (library.empty())
        library = own;
    }
  if (!headers.empty())
    notes.push_back(
        counted(headers.size(), "header") +
        (headers.size() == 1 ? " has kernels: '" : " have kernels: first '") +
        headers.front().str() + "'; a header that is named is read");
  if (!users.empty())
    notes.push_back(
        counted(users.size(), "C++ source") +
        (users.size() == 1 ? " uses " : " use ") + library.str() +
        ", which makes kernels where a build compiles " +
        (users.size() == 1 ? "it as CUDA: '" : "them as CUDA: first '") +
        users.front().str() + "'; '-p BUILD' takes such a build");
}

void noteUnclear(llvm::ArrayRef<std::string> sources, llvm::StringRef header,
                 std::vector<std::string> &notes) {
  if (sources.empty())
    return;
  notes.push_back(counted(sources.size(), "C++ source") +
                  (sources.size() == 1 ? " that may include Kokkos is"
                                       : " that may include Kokkos are") +
                  " not read, since it is not clear which folder has '" +
                  header.str() + "': first '" + sources.front() +
                  "'; '-p BUILD' takes a build's flags, and '-- -IDIR' names "
                  "the folder");
}

bool mayBeCuda(const std::string &source, IncludeGraph &includes) {
  return isCxxSource(source) &&
         (includes.scan(source).hasKernels ||
          includes.reaches(source, {}, [](const ScannedFile &file) {
            return file.launches;
          }));
}

/// Notes sources that have kernels themselves, or a header that launches some.
static void noteWithKernels(llvm::ArrayRef<std::string> sources,
                            bool isByHeader, std::vector<std::string> &notes) {
  if (sources.empty())
    return;
  const bool isOne = sources.size() == 1;
  const char *has = isOne ? " has kernels and is" : " have kernels and are";
  if (isByHeader)
    has = isOne ? " includes a header that launches kernels and is"
                : " include a header that launches kernels and are";
  notes.push_back(counted(sources.size(), "C++ source") + has +
                  " not read, since no build compiles " +
                  (isOne ? "it" : "them") +
                  " as CUDA: " + (isOne ? "'" : "first '") + sources.front() +
                  "'; '-p BUILD' takes a build's flags, and a source that is "
                  "named is read");
}

void noteWithKernels(std::vector<std::string> sources, IncludeGraph &includes,
                     std::vector<std::string> &notes) {
  const auto byHeader = std::stable_partition(
      sources.begin(), sources.end(), [&](const std::string &source) {
        return includes.scan(source).hasKernels;
      });
  const size_t own = byHeader - sources.begin();
  noteWithKernels(llvm::ArrayRef(sources).take_front(own), false, notes);
  noteWithKernels(llvm::ArrayRef(sources).drop_front(own), true, notes);
}

} // namespace warplint
