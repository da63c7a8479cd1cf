#include "run/macros_of_bare_sources.h"
#include "base/plural.h"
#include "input/command_flag.h"
#include "input/compiler.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

bool MacrosOfBareSources::addTo(Command &command) {
  if (!command.isBare || isPtxText(command.source) || !compilesCuda(command))
    return false;
  std::vector<std::string> &words = command.arguments;
  const std::set<std::string> asked = graphs_.get().cudaSwitches(
      command.source, includeFolders(command.directory, words));
  // Beside USE_CUDA, USE_GPU means another back end: OpenCL in LightGBM.
  auto isForCuda = [&](const std::string &macro) {
    return llvm::StringRef(macro).contains("CUDA") ||
           asked.count(macro + "_CUDA");
  };
  const bool anyForCuda = llvm::any_of(asked, isForCuda);
  bool anyAdded = false;
  for (const std::string &macro : asked) {
    if ((anyForCuda && !isForCuda(macro)) || namesMacro(words, macro))
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
