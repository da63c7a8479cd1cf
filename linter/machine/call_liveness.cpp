#include "machine/call_liveness.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {
namespace {

/// Returns true for a call of a function in the code of the same kernel.
bool isCallWithin(const MachineInstruction &instruction) {
  return instruction.mnemonic() == "CALL" && instruction.targets.size() == 1;
}

/// Runs the liveness of registers backward over all functions of a kernel at
/// once, until nothing changes.
class Liveness {
public:
  Liveness(const MachineFunction &function,
           const std::vector<std::vector<size_t>> &successors)
      : code_(function.instructions), successors_(successors),
        functionOf_(code_.size(), 0), written_(function.callees.size() + 1),
        read_(code_.size()), writes_(code_.size()) {
    for (const auto &[number, callee] : llvm::enumerate(function.callees))
      for (size_t i = callee.first; i < code_.size(); ++i)
        functionOf_[i] = number + 1;
    findUses();
  }

  CallLiveness run() {
    CallLiveness live;
    live.before.resize(code_.size());
    live.after.resize(code_.size());
    for (size_t i = 0; i < code_.size(); ++i)
      if (isCallWithin(code_[i]))
        live.results[i] = resultsOf(i);
    if (live.results.empty())
      return {};
    // The results of each function that its callers use.
    std::vector<RegisterSet> needed(written_.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = code_.size(); i-- > 0;)
        changed |= update(i, needed, live);
      for (auto &[call, results] : live.results) {
        RegisterSet &of = needed[calleeOf(call)];
        const RegisterSet all = of | (live.after[call] & results);
        changed |= all != of;
        of = all;
      }
    }
    addHeldAcross(live);
    return live;
  }

private:
  unsigned calleeOf(size_t call) const {
    return functionOf_[code_[call].targets.front()];
  }

  void findUses() {
    for (const auto &[i, one] : llvm::enumerate(code_)) {
      for (const auto &[number, use] :
           llvm::enumerate(one.uses[unsigned(RegisterFile::General)])) {
        const bool isBoth = use == RegisterUse::ReadAndWritten;
        if (number < read_[i].size() && !isCallWithin(one)) {
          read_[i][number] = isBoth || use == RegisterUse::Read;
          writes_[i][number] = isBoth || use == RegisterUse::Written;
        }
      }
      if (one.mnemonic() == "EXIT" || one.mnemonic() == "RET")
        read_[i].set(stackPointer);
      written_[functionOf_[i]] |= writes_[i];
    }
  }

  /// Returns the registers that the function writes, without those that it
  /// saves for its caller, as nvdisasm shows.
  RegisterSet resultsOf(size_t call) const {
    RegisterSet results = written_[calleeOf(call)];
    for (size_t number = 0; number < results.size(); ++number)
      if (code_[call].use(RegisterFile::General, number) == RegisterUse::Live)
        results.reset(number);
    return results;
  }

  bool update(size_t i, const std::vector<RegisterSet> &needed,
              CallLiveness &live) {
    const MachineInstruction &one = code_[i];
    RegisterSet after, before;
    if (one.mnemonic() == "RET")
      after = needed[functionOf_[i]];
    for (size_t next : successors_[i])
      if (!isCallWithin(one) || next == i + 1)
        after |= live.before[next];
    if (isCallWithin(one))
      before = (after & ~live.results[i]) | live.before[one.targets.front()];
    else
      before = (after & ~writes_[i]) | read_[i];
    // Lanes that skip an instruction keep the values from before.
    if (!one.guard.empty())
      before |= after;
    const bool changed = before != live.before[i] || after != live.after[i];
    live.before[i] = before;
    live.after[i] = after;
    return changed;
  }

  /// Adds what callers keep in registers that a function does not write, to all
  /// of its code; functions may call each other.
  void addHeldAcross(CallLiveness &live) const {
    std::vector<RegisterSet> held(written_.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[call, results] : live.results) {
        RegisterSet &to = held[calleeOf(call)];
        const RegisterSet all =
            to | ((live.after[call] | held[functionOf_[call]]) & ~results);
        changed |= all != to;
        to = all;
      }
    }
    for (size_t i = 0; i < code_.size(); ++i) {
      live.before[i] |= held[functionOf_[i]];
      live.after[i] |= held[functionOf_[i]];
    }
  }

  const std::vector<MachineInstruction> &code_;
  const std::vector<std::vector<size_t>> &successors_;
  std::vector<unsigned> functionOf_; ///< 0: the kernel itself, then callees
  std::vector<RegisterSet> written_; ///< by function
  std::vector<RegisterSet> read_, writes_;
};

} // namespace

CallLiveness callLiveness(const MachineFunction &function,
                          const std::vector<std::vector<size_t>> &successors) {
  if (!function.hasLiveness ||
      llvm::none_of(function.instructions, isCallWithin))
    return {};
  return Liveness(function, successors).run();
}

} // namespace warplint
