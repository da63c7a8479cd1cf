#include "machine/register_values.h"
#include "machine/operands.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {
namespace {

/// Returns true for "$__internal_4_$__cuda_sm3x_div_rn_noftz_f32_slowpath": a
/// function that ptxas adds, and whose code has the line of the call.
bool isOfPtxas(StringRef function) {
  return function.starts_with("$__internal_");
}

} // namespace

RegisterValues::RegisterValues(const KernelCode &kernel, StatementFiles &files)
    : kernel_(kernel), live_(kernel.code),
      names_(kernel.ptx, kernel.code.name, files) {
  findSlots();
}

RegisterOwner RegisterValues::spilled(size_t instruction, int offset) {
  const bool isStore =
      kernel_.code.instructions[instruction].mnemonic() == "STL";
  RegisterOwner best =
      isStore ? storedBy(instruction, offset) : reloadedBy(instruction, offset);
  // A zero is stored from no register, and another constant may have the line
  // of its neighbour: it is the first value of what others store there.
  auto slot = slots_.find(offset);
  if (slot == slots_.end())
    return best;
  const auto isConstantStore = [&](size_t at) {
    auto store = slot->second.find(at);
    return store != slot->second.end() && store->second.isConstant;
  };
  if (best.kind != RegisterKind::Unnamed && !isConstantStore(instruction))
    return best;
  RegisterOwner others;
  for (const auto &[index, store] : slot->second)
    if (RegisterOwner owner = storedBy(index, offset);
        !store.isConstant && rankOf(owner.kind) < rankOf(others.kind))
      others = std::move(owner);
  if (rankOf(others.kind) <= rankOf(best.kind))
    best = std::move(others);
  return best;
}

std::string RegisterValues::formOf(size_t instruction) const {
  std::string form = kernel_.code.instructions[instruction].opcode.str();
  const unsigned line = ptxLine(instruction);
  if (!line)
    return form;
  for (const SourceFrame &frame : kernel_.ptx.framesAt(line))
    form += formatv(";{0}:{1}:{2}", frame.place.file, frame.place.line,
                    frame.place.column);
  return form;
}

unsigned RegisterValues::ptxLine(size_t instruction) const {
  const size_t index = kernel_.code.instructions[instruction].offset / 16;
  return index < kernel_.cubin.ptxLines.size() ? kernel_.cubin.ptxLines[index]
                                               : 0;
}

RegisterOwner RegisterValues::ownerOf(size_t instruction, unsigned number,
                                      unsigned depth) {
  if (number == stackPointer)
    return {RegisterKind::Stack, "stack pointer", "", 0, 32, false, {}, {}};
  std::vector<size_t> writers =
      live_.definitions(instruction, RegisterFile::General, number);
  // Nothing is in it yet: it is kept for what a guarded instruction writes.
  if (writers.empty())
    writers = live_.nextDefinitions(instruction, RegisterFile::General, number);
  // ptxas may give what sets a constant the line of another one.
  std::stable_partition(writers.begin(), writers.end(), [&](size_t writer) {
    return !isConstant(kernel_.code.instructions[writer]);
  });
  RegisterOwner best;
  for (size_t writer : writers) {
    RegisterOwner owner = writtenBy(writer, number, depth);
    if (rankOf(owner.kind) < rankOf(best.kind))
      best = std::move(owner);
  }
  return best;
}

RegisterOwner RegisterValues::writtenBy(size_t index, unsigned number,
                                        unsigned depth) {
  constexpr unsigned longestCopies = 6;
  const MachineInstruction &one = kernel_.code.instructions[index];
  if (one.mnemonic() == "CALL" && !isCallOfPtxas(one))
    return resultOf(one);
  if (isSpill(index, "LDL"))
    if (const auto offset = frameOffset(one.operands))
      return reloadedBy(
          index, *offset + 4 * int(number - destination(one).value_or(number)));
  if (auto known = parameterOf(one, number))
    return *known;
  const unsigned first = destination(one).value_or(number);
  const unsigned word = number >= first ? number - first : 0;
  const unsigned line = ptxLine(index);
  if (isPlainMove(one) || one.mnemonic() == "SEL")
    if (auto element = line ? names_.elementAt(line) : std::nullopt)
      return *element;
  if (auto condition = conditionOf(index))
    return *condition;
  RegisterOwner owner;
  if (auto written = names_.writtenAt(line, word))
    owner = std::move(*written);
  else if (line && !isOfPtxas(kernel_.code.functionAt(index)))
    owner = ofStatement(index);
  if (owner.kind == RegisterKind::Unnamed)
    owner = ofFunction(index);
  if (auto source = copied(one);
      source && depth < longestCopies &&
      rankOf(owner.kind) > rankOf(RegisterKind::Counter)) {
    RegisterOwner from = ownerBefore(index, *source, depth + 1);
    if (rankOf(from.kind) < rankOf(owner.kind))
      owner = std::move(from);
  }
  if (owner.kind == RegisterKind::Intermediate && isConstant(one))
    owner.kind = RegisterKind::Constant;
  return owner;
}

bool RegisterValues::isSpill(size_t index, StringRef mnemonic) const {
  const MachineInstruction &one = kernel_.code.instructions[index];
  return one.mnemonic() == mnemonic && kernel_.cubin.spills.count(one.offset);
}

/// Finds the instructions that spill to each word of the frame.
void RegisterValues::findSlots() {
  for (size_t i = 0; i < kernel_.code.instructions.size(); ++i) {
    if (!isSpill(i, "STL"))
      continue;
    const MachineInstruction &one = kernel_.code.instructions[i];
    const auto offset = frameOffset(one.operands);
    const std::vector<StringRef> operands = one.operandList();
    const auto number = registerIn(operands.back());
    for (unsigned word = 0; offset && number && word < wordsMoved(one); ++word)
      slots_[*offset + 4 * int(word)][i].number = *number + word;
  }
}

/// The value that a spill stores to a word of the frame; it may be one that
/// was reloaded before.
RegisterOwner RegisterValues::storedBy(size_t index, int offset) {
  auto slot = slots_.find(offset);
  if (slot == slots_.end())
    return {};
  auto found = slot->second.find(index);
  if (found == slot->second.end())
    return {};
  Store &store = found->second;
  if (!store.isKnown) {
    store.isKnown = true; // while it is found, too
    store.owner = ownerBefore(index, store.number, 0);
    store.isConstant = isConstantBefore(index, store.number);
  }
  return store.owner;
}

/// The value in a word of the frame: of the stores from which the control
/// flow leads to the reload. Values that are not needed at once share a word.
RegisterOwner RegisterValues::reloadedBy(size_t index, int offset) {
  auto slot = slots_.find(offset);
  if (slot == slots_.end())
    return {};
  RegisterOwner best, constant;
  std::vector<size_t> open = {index};
  BitVector isSeen(kernel_.code.instructions.size());
  while (!open.empty()) {
    const size_t at = open.back();
    open.pop_back();
    for (size_t before : live_.predecessors(at)) {
      if (isSeen[before])
        continue;
      isSeen.set(before);
      if (!slot->second.count(before)) {
        open.push_back(before);
        continue;
      }
      const RegisterOwner owner = storedBy(before, offset);
      RegisterOwner &to = slot->second[before].isConstant ? constant : best;
      if (rankOf(owner.kind) < rankOf(to.kind))
        to = owner;
      // Lanes that skip a store keep the value from before.
      if (!kernel_.code.instructions[before].guard.empty())
        open.push_back(before);
    }
  }
  return rankOf(constant.kind) < rankOf(best.kind) ? constant : best;
}

/// The value of a register when an instruction read it.
RegisterOwner RegisterValues::ownerBefore(size_t index, unsigned number,
                                          unsigned depth) {
  RegisterOwner best;
  for (size_t before : live_.predecessors(index)) {
    RegisterOwner owner = ownerOf(before, number, depth);
    if (rankOf(owner.kind) < rankOf(best.kind))
      best = std::move(owner);
  }
  return best;
}

/// True if a register that an instruction reads has constants alone.
bool RegisterValues::isConstantBefore(size_t index, unsigned number) const {
  return all_of(live_.predecessors(index), [&](size_t before) {
    return all_of(
        live_.definitions(before, RegisterFile::General, number),
        [&](size_t i) { return isConstant(kernel_.code.instructions[i]); });
  });
}

bool RegisterValues::isConstant(const MachineInstruction &one) {
  return isPlainMove(one) && !copied(one) && !constantOffset(one.operands) &&
         !one.operands.contains("SR_");
}

StringRef RegisterValues::calleeOf(const MachineInstruction &call) const {
  return call.targets.empty() ? StringRef()
                              : kernel_.code.functionAt(call.targets.front());
}

/// The call is a part of a statement, such as the slow path of its division.
bool RegisterValues::isCallOfPtxas(const MachineInstruction &call) const {
  return isOfPtxas(calleeOf(call));
}

RegisterOwner RegisterValues::resultOf(const MachineInstruction &call) {
  RegisterOwner owner;
  owner.kind = RegisterKind::Result;
  StringRef name = calleeOf(call);
  name =
      name.substr(name.rfind('$') == StringRef::npos ? 0 : name.rfind('$') + 1);
  owner.name = name.empty() ? "a call" : functionName(name.str());
  return owner;
}

/// A parameter or the size of the block that the instruction reads from
/// constant memory.
std::optional<RegisterOwner>
RegisterValues::parameterOf(const MachineInstruction &one, unsigned number) {
  const auto special = one.operands.find("SR_");
  RegisterOwner owner;
  owner.kind = RegisterKind::Special;
  if (isPlainMove(one) && special != StringRef::npos) {
    owner.name = specialName(one.operands.substr(special));
    return owner;
  }
  auto offset = constantOffset(one.operands);
  if (!isPlainMove(one) || !offset || !kernel_.cubin.parameters)
    return std::nullopt;
  *offset += 4 * (number - destination(one).value_or(number));
  if (*offset < kernel_.cubin.parameters)
    return std::nullopt; // the PTX says which special register it is
  return names_.parameterAt(*offset - kernel_.cubin.parameters);
}

/// ptxas keeps conditions in a register where it lacks predicates: the name
/// is that of the statement of the first.
std::optional<RegisterOwner> RegisterValues::conditionOf(size_t index) {
  const MachineInstruction &one = kernel_.code.instructions[index];
  const std::vector<StringRef> operands = one.operandList();
  unsigned mask = 0;
  if (one.mnemonic() != "P2R" || operands.empty() ||
      operands.back().getAsInteger(0, mask) || !mask)
    return std::nullopt;
  const unsigned number = countr_zero(mask);
  for (size_t before : live_.predecessors(index))
    for (size_t writer :
         live_.definitions(before, RegisterFile::Predicate, number)) {
      RegisterOwner owner = ofStatement(writer);
      if (owner.kind != RegisterKind::Unnamed)
        return owner;
    }
  return std::nullopt;
}

/// An instruction of a function that ptxas or libdevice adds, such as the
/// slow path of a division.
RegisterOwner RegisterValues::ofFunction(size_t index) {
  RegisterOwner owner;
  const StringRef function = kernel_.code.functionAt(index);
  if (function.empty())
    return owner;
  owner.kind = RegisterKind::Intermediate;
  owner.name = functionName(function.substr(function.rfind('$') + 1).str());
  ValueNames::setPlace(owner, userFrames(index), 0);
  return owner;
}

RegisterOwner RegisterValues::ofStatement(size_t index) {
  const StringRef name = kernel_.code.instructions[index].mnemonic();
  return names_.ofStatement(
      ptxLine(index),
      is_contained({"IMAD", "IADD3", "LEA", "IADD", "VIADD", "SHF", "LDC"},
                   name));
}

} // namespace warplint
