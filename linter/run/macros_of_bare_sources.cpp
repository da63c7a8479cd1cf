#include "run/macros_of_bare_sources.h"
#include "base/plural.h"
#include "input/command_flag.h"
#include "input/compiler.h"
#include "input/cuda_switch.h"
#include "input/kokkos_search.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

/// Returns true if a source includes Kokkos outside of conditions, itself or
/// through headers of its project.
static bool includesKokkosAnyway(const std::string &source,
                                 const IncludeFolders &folders,
                                 IncludeGraph &graph) {
  std::set<std::string> seen{source};
  std::vector<std::string> left{source};
  while (!left.empty()) {
    const std::string file = std::move(left.back());
    left.pop_back();
    for (const Directive &directive : graph.scan(file).directives) {
      if (!directive.isInclude() || directive.isConditional)
        continue;
      if (isKokkosHeader(directive.name))
        return true;
      std::string found = graph.find(directive, file, folders);
      if (!found.empty() && seen.insert(found).second)
        left.push_back(std::move(found));
    }
  }
  return false;
}

bool MacrosOfBareSources::addTo(Command &command) {
  if (!command.isBare || isPtxText(command.source) || !compilesCuda(command))
    return false;
  std::vector<std::string> &words = command.arguments;
  const IncludeFolders folders = includeFolders(command.directory, words);
  const std::set<std::string> asked =
      graphs_.get().cudaSwitches(command.source, folders);
  // Beside USE_CUDA, USE_GPU means another back end: OpenCL in LightGBM.
  auto isForCuda = [&](const std::string &macro) {
    return llvm::StringRef(macro).contains("CUDA") ||
           asked.count(macro + "_CUDA");
  };
  const bool anyForCuda = llvm::any_of(asked, isForCuda);
  const bool isOfKokkos =
      llvm::any_of(asked, isKokkosSwitch) &&
      isCxxSource(command.source) && // a CUDA source may do without
      includesKokkosAnyway(command.source, folders, graphs_.get());
  bool anyAdded = false;
  for (const std::string &macro : asked) {
    const bool isLeftOut =
        isKokkosSwitch(macro) ? !isOfKokkos : anyForCuda && !isForCuda(macro);
    if (isLeftOut || namesMacro(words, macro))
      continue;
    words.insert(words.end() - 1, "-D" + macro); // before the source
    std::lock_guard<std::mutex> lock(mutex_);
    ++defined_[macro];
    anyAdded = true;
  }
  return anyAdded;
}

void MacrosOfBareSources::addNote(std::vector<std::string> &notes) const {
  if (defined_.empty())
    return;
  std::string text = "no build says what is defined: ";
  for (const auto &[macro, sources] : defined_)
    text += (macro == defined_.begin()->first ? "'-D" : ", '-D") + macro +
            "' was added for " + counted(sources, "source");
  notes.push_back(text + "; '-p BUILD' takes a build's flags");
}

} // namespace warplint
