#include "machine/liveness.h"
#include "machine/operands.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

/// The registers that a function by NVIDIA's ABI keeps for its caller: read
/// from what nvdisasm 13.2 shows behind calls, and ptxas keeps there.
bool isKept(unsigned general) {
  return general == stackPointer || general == 2 ||
         (general >= 16 && (general < 32 || general % 8 >= 4));
}

constexpr unsigned firstArgument = 4, lastArgument = 15;
constexpr unsigned returnAddress = 20; ///< and the next register

RegisterSet clobberedByAbi() {
  RegisterSet clobbered;
  for (unsigned number = 0; number < 255; ++number) {
    if (!isKept(number))
      clobbered.add(RegisterFile::General, number);
    clobbered.add(RegisterFile::Uniform, number);
  }
  for (unsigned number = 0; number < 7; ++number) {
    clobbered.add(RegisterFile::Predicate, number);
    clobbered.add(RegisterFile::UniformPredicate, number);
  }
  return clobbered;
}

/// Runs the liveness of registers backward over all functions of a kernel at
/// once, until nothing changes. An instruction is looked at again only if one
/// behind it has changed: code in the order of its control flow takes one pass
/// and one more for each level of loops.
class Solver {
public:
  Solver(const MachineFunction &function, const MachineFlow &flow)
      : function_(function), code_(function.instructions), flow_(flow),
        functionOf_(code_.size(), 0), uses_(code_.size()) {
    for (const auto &[number, callee] : enumerate(function.callees))
      for (size_t i = callee.first; i < code_.size(); ++i)
        functionOf_[i] = number + 1;
    results_.resize(function.callees.size() + 1);
    needed_.resize(results_.size());
    held_.resize(results_.size());
  }

  Liveness run() {
    Liveness live;
    if (!findUses(live.unknownOpcode))
      return live;
    live.before.resize(code_.size());
    live.after.resize(code_.size());
    solve(live);
    addHeldAcross(live);
    for (size_t i = 0; i < code_.size(); ++i)
      live.written.push_back(isCall(code_[i]) ? uses_[i].written & live.after[i]
                                              : uses_[i].written);
    return live;
  }

private:
  unsigned calleeOf(size_t call) const {
    return functionOf_[code_[call].targets.front()];
  }

  bool findUses(std::string &unknown) {
    for (const auto &[i, one] : enumerate(code_)) {
      auto uses = usesOf(one);
      if (!uses) {
        unknown = one.opcode.str();
        return false;
      }
      uses_[i] = *uses;
      const StringRef name = one.mnemonic();
      if (name == "EXIT" || name == "RET")
        uses_[i].read.add(RegisterFile::General, stackPointer);
      if (isCall(one) && !isCallWithin(one))
        addAbi(i);
      results_[functionOf_[i]] |= uses_[i].written;
    }
    for (const MachineCallee &callee : function_.callees)
      removeSaved(callee.first);
    for (size_t i = 0; i < code_.size(); ++i)
      if (isCallWithin(code_[i]))
        uses_[i].written = results_[calleeOf(i)];
    return true;
  }

  /// The function of a call is elsewhere: its arguments are those of the ABI's
  /// registers that the code before the call sets.
  void addAbi(size_t call) {
    static const RegisterSet clobbered = clobberedByAbi();
    uses_[call].written |= clobbered;
    RegisterSet &read = uses_[call].read;
    read.add(RegisterFile::General, stackPointer);
    read.add(RegisterFile::General, returnAddress);
    read.add(RegisterFile::General, returnAddress + 1);
    for (size_t i = call; i-- > 0 && !isCall(code_[i]);) {
      if (!is_contained(flow_.successors[i], i + 1))
        break;
      for (unsigned number = firstArgument; number <= lastArgument; ++number)
        if (uses_[i].written.has(RegisterFile::General, number))
          read.add(RegisterFile::General, number);
      if (flow_.successors[i].size() > 1 || flow_.predecessors[i].size() > 1)
        break;
    }
  }

  /// A function may begin with stores of registers that it loads again before
  /// it returns: to its callers they are neither arguments nor results.
  void removeSaved(size_t first) {
    const unsigned function = functionOf_[first];
    std::map<int, RegisterSet> loaded; // by place in the frame
    for (size_t i = first; i < code_.size() && functionOf_[i] == function; ++i)
      if (const auto offset = frameOffset(code_[i].operands);
          offset && code_[i].mnemonic() == "LDL")
        loaded[*offset] |= uses_[i].written;
    RegisterSet written;
    for (size_t i = first; i < code_.size() && functionOf_[i] == function;
         ++i) {
      if (flow_.successors[i].size() != 1 || isCall(code_[i]))
        return;
      const auto offset = frameOffset(code_[i].operands);
      if (offset && code_[i].mnemonic() == "STL") {
        RegisterSet saved = (uses_[i].read & loaded[*offset]).without(written);
        saved.remove(RegisterFile::General, stackPointer);
        uses_[i].read = uses_[i].read.without(saved);
        results_[function] = results_[function].without(saved);
      }
      written |= uses_[i].written;
    }
  }

  void solve(Liveness &live) {
    std::vector<std::vector<size_t>> returns(needed_.size());
    for (size_t i = 0; i < code_.size(); ++i)
      if (code_[i].mnemonic() == "RET")
        returns[functionOf_[i]].push_back(i);
    BitVector isOpen(code_.size(), true);
    while (isOpen.any())
      for (size_t i = code_.size(); i-- > 0;) {
        if (!isOpen[i])
          continue;
        isOpen.reset(i);
        if (!update(i, live))
          continue;
        for (size_t before : flow_.predecessors[i])
          isOpen.set(before);
        if (!isCallWithin(code_[i]))
          continue;
        const unsigned callee = calleeOf(i);
        const RegisterSet needed =
            needed_[callee] | (live.after[i] & uses_[i].written);
        if (needed == needed_[callee])
          continue;
        needed_[callee] = needed;
        for (size_t at : returns[callee])
          isOpen.set(at);
      }
  }

  /// Returns true if something is live that was not.
  bool update(size_t i, Liveness &live) const {
    const MachineInstruction &one = code_[i];
    RegisterSet after;
    if (one.mnemonic() == "RET")
      after = needed_[functionOf_[i]];
    for (size_t next : flow_.successors[i])
      if (!isCallWithin(one) || next == i + 1)
        after |= live.before[next];
    RegisterSet before = after.without(uses_[i].written) | uses_[i].read;
    if (isCallWithin(one))
      before |= live.before[one.targets.front()];
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
  void addHeldAcross(Liveness &live) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < code_.size(); ++i) {
        if (!isCallWithin(code_[i]))
          continue;
        RegisterSet &to = held_[calleeOf(i)];
        const RegisterSet all =
            to |
            (live.after[i] | held_[functionOf_[i]]).without(uses_[i].written);
        changed |= all != to;
        to = all;
      }
    }
    for (size_t i = 0; i < code_.size(); ++i) {
      live.before[i] |= held_[functionOf_[i]];
      live.after[i] |= held_[functionOf_[i]];
    }
  }

  const MachineFunction &function_;
  const std::vector<MachineInstruction> &code_;
  const MachineFlow &flow_;
  std::vector<unsigned> functionOf_; ///< 0: the kernel itself, then callees
  std::vector<RegisterUses> uses_;
  // By function: what it writes, what its callers use of that, and what they
  // hold in other registers.
  std::vector<RegisterSet> results_, needed_, held_;
};

} // namespace

bool isCall(const MachineInstruction &instruction) {
  return instruction.mnemonic() == "CALL" || instruction.mnemonic() == "JCAL";
}

bool isCallWithin(const MachineInstruction &instruction) {
  return isCall(instruction) && instruction.targets.size() == 1 &&
         !registerIn(instruction.operandList().front());
}

Liveness livenessOf(const MachineFunction &function, const MachineFlow &flow) {
  return Solver(function, flow).run();
}

} // namespace warplint
