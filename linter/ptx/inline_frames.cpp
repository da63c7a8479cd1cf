#include "ptx/inline_frames.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace warplint {

constexpr unsigned deepestChain = 128;

InlineFrames::InlineFrames(const ptx::Module &module,
                           const ptx::Function &function) {
  std::map<std::tuple<unsigned, unsigned, unsigned>, int> seen;
  std::map<std::tuple<unsigned, unsigned, unsigned, std::string, int>, int>
      known;
  auto intern = [&](unsigned file, unsigned line, unsigned column,
                    std::string inlined, int caller) {
    auto [place, isNew] = known.try_emplace(
        std::tuple(file, line, column, inlined, caller), chains_.size());
    if (isNew) {
      auto path = module.files.find(file);
      Chain &chain = chains_.emplace_back();
      chain.frame.place = {path == module.files.end() ? "" : path->second, line,
                           column};
      chain.frame.function = std::move(inlined);
      chain.caller = caller;
      chain.depth = caller < 0 ? 0 : chains_[caller].depth + 1;
    }
    return place->second;
  };
  int current = -1;
  chain_.resize(function.statements.size(), -1);
  for (const auto &[i, s] : enumerate(function.statements)) {
    chain_[i] = current;
    if (s.kind != ptx::Statement::Loc)
      continue;
    const ptx::Location &l = function.locations[s.location];
    int caller = -1;
    std::string name;
    if (l.isInlined) {
      StringRef text = module.debugString(l.function, l.offset);
      name = (text.empty() ? l.function : text).str();
      auto found = seen.find({l.atFile, l.atLine, l.atColumn});
      caller =
          found != seen.end() && chains_[found->second].depth < deepestChain
              ? found->second
              : intern(l.atFile, l.atLine, l.atColumn, "", -1);
      // A repeated `.loc` of one place is not another call.
      const SourceFrame &at = chains_[caller].frame;
      if (at.place.line == l.line && at.place.column == l.column &&
          at.function == name)
        caller = chains_[caller].caller;
    }
    current = intern(l.file, l.line, l.column, std::move(name), caller);
    seen[{l.file, l.line, l.column}] = current;
  }
}

std::vector<SourceFrame> InlineFrames::of(size_t statement) const {
  std::vector<SourceFrame> result;
  for (int at = chain_[statement]; at >= 0; at = chains_[at].caller)
    if (chains_[at].frame.place.line)
      result.push_back(chains_[at].frame);
  return result;
}

} // namespace warplint
