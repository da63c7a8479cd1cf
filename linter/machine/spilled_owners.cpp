#include "machine/spilled_owners.h"
#include "machine/operands.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// Adds the line of an instruction, in the user's code. Code without a line,
/// which the compiler moved, has that of the code before it, as in a debugger.
void addLine(size_t instruction, RegisterValues &values,
             std::set<unsigned> &lines) {
  for (size_t i = instruction + 1; i-- > 0;) {
    const std::vector<SourceFrame> frames = values.userFrames(i);
    if (frames.empty())
      continue;
    lines.insert(frames.front().place.line);
    return;
  }
}

} // namespace

std::vector<SpilledOwner> spillsOf(const KernelCode &kernel,
                                   RegisterValues &values) {
  struct Spilled {
    SpilledOwner owner;
    std::set<int> words;
    std::set<unsigned> stored, loaded;
  };
  std::map<std::pair<std::string, RegisterKind>, Spilled> spilled;
  for (const auto &[i, one] : enumerate(kernel.code.instructions)) {
    const bool isStore = one.mnemonic() == "STL";
    const auto offset = frameOffset(one.operands);
    if ((!isStore && one.mnemonic() != "LDL") || !offset ||
        !kernel.cubin.spills.count(one.offset))
      continue;
    for (unsigned word = 0; word < wordsMoved(one); ++word) {
      const int at = *offset + 4 * int(word);
      const RegisterOwner owner = values.spilled(i, at);
      Spilled &found = spilled[{owner.name, owner.kind}];
      found.owner.name = owner.name;
      found.owner.kind = owner.kind;
      found.words.insert(at);
      addLine(i, values, isStore ? found.stored : found.loaded);
      found.owner.inLoop |= !isStore && values.live().isInLoop(i);
    }
  }
  std::vector<SpilledOwner> result;
  for (auto &[key, found] : spilled) {
    found.owner.bytes = 4 * found.words.size();
    found.owner.stored.assign(found.stored.begin(), found.stored.end());
    found.owner.loaded.assign(found.loaded.begin(), found.loaded.end());
    result.push_back(std::move(found.owner));
  }
  stable_sort(result, [](const SpilledOwner &a, const SpilledOwner &b) {
    return a.bytes > b.bytes;
  });
  return result;
}

} // namespace warplint
