#include "machine/live_registers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

/// True if the next instruction is not executed after this one.
bool endsBlock(const MachineInstruction &instruction) {
  if (!instruction.guard.empty())
    return false;
  const StringRef name = instruction.mnemonic();
  if (name == "BRA" || name == "JMP")
    // A branch with a condition among its operands, or one that only some lanes
    // take, goes on behind it.
    return !instruction.hasSuffix("DIV") && !instruction.hasSuffix("CONV") &&
           instruction.operandList().size() == 1;
  return is_contained(
      {"EXIT", "RET", "BRX", "JMX", "BRXU", "JMXU", "KILL", "BPT", "BSYNC"},
      name);
}

/// "B0" of `BSSY B0, ...` and `BSYNC B0`.
StringRef barrierOf(const MachineInstruction &instruction) {
  return instruction.operands.take_while(isAlnum);
}

MachineFlow flowOf(const MachineFunction &function) {
  const size_t count = function.instructions.size();
  MachineFlow flow;
  flow.successors.resize(count);
  flow.predecessors.resize(count);
  auto connect = [&](size_t from, size_t to) {
    flow.successors[from].push_back(to);
    flow.predecessors[to].push_back(from);
  };
  // Where the lanes that wait at a BSYNC go on.
  std::map<StringRef, std::vector<size_t>> reconverge;
  for (const MachineInstruction &instruction : function.instructions)
    if (instruction.mnemonic() == "BSSY")
      append_range(reconverge[barrierOf(instruction)], instruction.targets);
  for (size_t i = 0; i < count; ++i) {
    const MachineInstruction &instruction = function.instructions[i];
    const StringRef name = instruction.mnemonic();
    if (i + 1 < count && !endsBlock(instruction))
      connect(i, i + 1);
    if (name == "BSYNC") {
      // A barrier register serves many places in turn. The code behind it is
      // the right one, unless ptxas moved that.
      const std::vector<size_t> &targets = reconverge[barrierOf(instruction)];
      if (i + 1 < count && (targets.empty() || is_contained(targets, i + 1)))
        connect(i, i + 1);
      else
        for (size_t target : targets)
          connect(i, target);
    } else if (isCall(instruction)
                   ? isCallWithin(instruction)
                   : !is_contained({"RET", "BSSY", "WARPSYNC"}, name)) {
      // WARPSYNC.COLLECTIVE names the end of what it begins.
      for (size_t target : instruction.targets)
        connect(i, target);
    }
  }
  return flow;
}

} // namespace

LiveRegisters::LiveRegisters(const MachineFunction &function)
    : function_(function), flow_(flowOf(function)),
      inLoop_(function.instructions.size()),
      live_(livenessOf(function, flow_)) {
  findLoops();
}

/// The strongly connected parts of the control flow, without calls, by Tarjan's
/// algorithm with a stack of its own.
void LiveRegisters::findLoops() {
  const std::vector<std::vector<size_t>> &successors = flow_.successors;
  const size_t count = successors.size();
  std::vector<size_t> index(count, 0), low(count, 0), open, path,
      edge(count, 0);
  BitVector isOpen(count);
  size_t next = 1;
  auto enter = [&](size_t i) {
    index[i] = low[i] = next++;
    open.push_back(i);
    isOpen.set(i);
    path.push_back(i);
  };
  for (size_t root = 0; root < count; ++root) {
    if (index[root])
      continue;
    enter(root);
    while (!path.empty()) {
      const size_t i = path.back();
      if (edge[i] < successors[i].size()) {
        const size_t to = successors[i][edge[i]++];
        if (isCall(function_.instructions[i]) && to != i + 1)
          continue;
        if (!index[to])
          enter(to);
        else if (isOpen[to])
          low[i] = std::min(low[i], index[to]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back()] = std::min(low[path.back()], low[i]);
      if (low[i] != index[i])
        continue;
      const bool isAlone = open.back() == i && !is_contained(successors[i], i);
      for (size_t member = count; member != i; open.pop_back()) {
        member = open.back();
        isOpen.reset(member);
        inLoop_[member] = !isAlone;
      }
    }
  }
  // ptxas ends the code with a branch to itself, which nothing reaches.
  for (size_t i = 0; i < count; ++i)
    if (is_contained(successors[i], i) && flow_.predecessors[i].size() == 1)
      inLoop_[i] = false;
}

RegisterSet LiveRegisters::allAt(size_t instruction) const {
  return live_.before[instruction] | live_.after[instruction] |
         live_.written[instruction];
}

std::vector<unsigned> LiveRegisters::at(size_t instruction,
                                        RegisterFile file) const {
  return allAt(instruction).numbers(file);
}

unsigned LiveRegisters::count(size_t instruction, RegisterFile file) const {
  return allAt(instruction).count(file);
}

std::optional<size_t> LiveRegisters::peak() const {
  if (!unknownOpcode().empty())
    return std::nullopt;
  std::optional<size_t> peak;
  unsigned most = 0;
  for (size_t i = 0; i < function_.instructions.size(); ++i)
    if (const unsigned live = count(i, RegisterFile::General);
        !peak || live > most) {
      peak = i;
      most = live;
    }
  return peak;
}

std::vector<size_t> LiveRegisters::definitions(size_t instruction,
                                               RegisterFile file,
                                               unsigned number) const {
  if (live_.written[instruction].has(file, number))
    return {instruction};
  std::vector<size_t> found, open = {instruction};
  BitVector isSeen(function_.instructions.size());
  isSeen.set(instruction);
  while (!open.empty()) {
    const size_t at = open.back();
    open.pop_back();
    for (size_t before : flow_.predecessors[at]) {
      if (isSeen[before])
        continue;
      isSeen.set(before);
      const MachineInstruction &one = function_.instructions[before];
      // The function of a call begins with what is live before the call.
      const bool isArgument = isCall(one) && at != before + 1;
      if (!isArgument && !live_.after[before].has(file, number))
        continue;
      const bool isDefined =
          !isArgument && live_.written[before].has(file, number);
      if (isDefined)
        found.push_back(before);
      // An instruction that some lanes skip leaves them the value from before.
      if (!isDefined || !one.guard.empty())
        open.push_back(before);
    }
  }
  sort(found);
  return found;
}

std::vector<size_t> LiveRegisters::nextDefinitions(size_t instruction,
                                                   RegisterFile file,
                                                   unsigned number) const {
  std::vector<size_t> found, open = {instruction};
  BitVector isSeen(function_.instructions.size());
  while (!open.empty()) {
    const size_t at = open.back();
    open.pop_back();
    for (size_t next : flow_.successors[at]) {
      if (isSeen[next])
        continue;
      isSeen.set(next);
      if (live_.written[next].has(file, number))
        found.push_back(next);
      else if (live_.before[next].has(file, number))
        open.push_back(next);
    }
  }
  sort(found);
  return found;
}

} // namespace warplint
