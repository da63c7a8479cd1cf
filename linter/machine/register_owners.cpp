#include "machine/register_owners.h"
#include "base/plural.h"
#include "base/readable_name.h"
#include "base/regular_file.h"
#include "machine/live_registers.h"
#include "machine/operands.h"
#include "machine/register_reasons.h"
#include "ptx/ptx_kernels.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// "threadIdx.x" of "%tid.x" and "SR_TID.X".
std::string specialName(StringRef name) {
  std::string lower = name.lower();
  StringRef rest = lower;
  rest.consume_front("%");
  rest.consume_front("sr_");
  static const std::pair<StringRef, StringRef> names[] = {
      {"tid", "threadIdx"},
      {"ctaid", "blockIdx"},
      {"ntid", "blockDim"},
      {"nctaid", "gridDim"}};
  auto [first, dimension] = rest.split('.');
  for (auto &[known, source] : names)
    if (first == known)
      return (source + (dimension.empty() ? "" : "." + dimension)).str();
  return rest.str();
}

/// "tile" of `_ZZ6kernelPfE4tile`.
std::string variableName(const std::string &mangled) {
  const std::string name = demangle(mangled);
  const size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

/// True for the memory of a function's local variables, which the PTX names as
/// one: "__local_depot0".
bool isLocalDepot(const PtxObject &object) {
  return StringRef(object.symbol).starts_with("__local_depot");
}

/// "expensive" of `_Z9expensivef`.
std::string functionName(const std::string &mangled) {
  return mangled.empty() ? "" : shortKernelName(readableKernelName(mangled));
}

/// Returns true for "$__internal_4_$__cuda_sm3x_div_rn_noftz_f32_slowpath": a
/// function that ptxas adds, and whose code has the line of the call.
bool isOfPtxas(StringRef function) {
  return function.starts_with("$__internal_");
}

unsigned rankOf(RegisterKind kind) { return unsigned(kind); }

/// Names what the instructions of one kernel write.
class Namer {
public:
  Namer(const KernelCode &kernel, StatementFiles &files)
      : kernel_(kernel), files_(files), live_(kernel.code) {
    if (auto entry = kernel.ptx.kernel(kernel.code.name)) {
      entry_ = std::move(*entry);
      if (const SourceStatements *source = files.of(entry_.place.file))
        names_[kernel.code.name] = source->parametersAt(entry_.place.line);
    }
    findSlots();
  }

  const LiveRegisters &live() const { return live_; }

  /// What a register holds at an instruction.
  RegisterOwner ownerOf(size_t instruction, unsigned number) {
    return ownerOf(instruction, number, 0);
  }

  /// What an instruction spills to a word of the frame, or loads from it again.
  RegisterOwner spilled(size_t instruction, int offset) {
    const bool isStore =
        kernel_.code.instructions[instruction].mnemonic() == "STL";
    RegisterOwner best = isStore ? storedBy(instruction, offset)
                                 : reloadedBy(instruction, offset);
    // A zero is stored from no register: it is the first value of what others
    // store there.
    if (best.kind == RegisterKind::Unnamed)
      if (auto slot = slots_.find(offset); slot != slots_.end())
        for (const auto &[index, store] : slot->second) {
          RegisterOwner owner = storedBy(index, offset);
          if (rankOf(owner.kind) < rankOf(best.kind))
            best = std::move(owner);
        }
    return best;
  }

  /// The frames of an instruction that are in the user's code, innermost first.
  std::vector<SourceFrame> userFrames(size_t instruction) {
    std::vector<SourceFrame> frames = framesOf(instruction);
    return withoutLibraries(frames);
  }

  /// Of an instruction: what another one that differs in its registers alone,
  /// and is not from the same instruction of the PTX, has in common with it.
  std::string formOf(size_t instruction) const {
    std::string form = kernel_.code.instructions[instruction].opcode.str();
    for (const SourceFrame &frame : framesOf(instruction))
      form += formatv(";{0}:{1}:{2}", frame.place.file, frame.place.line,
                      frame.place.column);
    return form;
  }

  unsigned ptxLine(size_t instruction) const {
    const size_t index = kernel_.code.instructions[instruction].offset / 16;
    return index < kernel_.cubin.ptxLines.size() ? kernel_.cubin.ptxLines[index]
                                                 : 0;
  }

private:
  std::vector<SourceFrame> framesOf(size_t instruction) const {
    const unsigned line = ptxLine(instruction);
    return line ? kernel_.ptx.framesAt(line) : std::vector<SourceFrame>();
  }

  /// The frames in the user's code; in a library's kernel, all.
  static std::vector<SourceFrame>
  withoutLibraries(const std::vector<SourceFrame> &frames) {
    std::vector<SourceFrame> users;
    for (const SourceFrame &frame : frames)
      if (!isLibraryFile(frame.place.file))
        users.push_back(frame);
    return users.empty() ? frames : users;
  }

  RegisterOwner ownerOf(size_t instruction, unsigned number, unsigned depth) {
    if (number == stackPointer)
      return {RegisterKind::Stack, "stack pointer", "", 0, 32, false, {}, {}};
    std::vector<size_t> writers =
        live_.definitions(instruction, RegisterFile::General, number);
    // Nothing is in it yet: it is kept for what a guarded instruction writes.
    if (writers.empty())
      writers =
          live_.nextDefinitions(instruction, RegisterFile::General, number);
    RegisterOwner best;
    for (size_t writer : writers) {
      RegisterOwner owner = writtenBy(writer, number, depth);
      if (rankOf(owner.kind) < rankOf(best.kind))
        best = std::move(owner);
    }
    return best;
  }

  RegisterOwner writtenBy(size_t index, unsigned number, unsigned depth) {
    constexpr unsigned longestCopies = 6;
    const MachineInstruction &one = kernel_.code.instructions[index];
    if (one.mnemonic() == "CALL" && !isCallOfPtxas(one))
      return resultOf(one);
    if (isSpill(index, "LDL"))
      if (const auto offset = frameOffset(one.operands))
        return reloadedBy(
            index,
            *offset + 4 * int(number - destination(one).value_or(number)));
    if (auto known = parameterOf(one, number))
      return *known;
    const unsigned first = destination(one).value_or(number);
    const unsigned word = number >= first ? number - first : 0;
    const unsigned line = ptxLine(index);
    if (auto element = elementOf(index))
      return *element;
    if (auto condition = conditionOf(index))
      return *condition;
    RegisterOwner owner;
    if (auto origin = line ? kernel_.ptx.writtenAt(line, word) : std::nullopt)
      owner = named(*origin, kernel_.ptx.functionAt(line));
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

  bool isSpill(size_t index, StringRef mnemonic) const {
    const MachineInstruction &one = kernel_.code.instructions[index];
    return one.mnemonic() == mnemonic && kernel_.cubin.spills.count(one.offset);
  }

  /// Finds the instructions that spill to each word of the frame.
  void findSlots() {
    for (size_t i = 0; i < kernel_.code.instructions.size(); ++i) {
      if (!isSpill(i, "STL"))
        continue;
      const MachineInstruction &one = kernel_.code.instructions[i];
      const auto offset = frameOffset(one.operands);
      const std::vector<StringRef> operands = one.operandList();
      const auto number = registerIn(operands.back());
      for (unsigned word = 0; offset && number && word < wordsMoved(one);
           ++word)
        slots_[*offset + 4 * int(word)][i].number = *number + word;
    }
  }

  /// The value that a spill stores to a word of the frame; it may be one that
  /// was reloaded before.
  RegisterOwner storedBy(size_t index, int offset) {
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
    }
    return store.owner;
  }

  /// The value in a word of the frame: of the stores from which the control
  /// flow leads to the reload. Values that are not needed at once share a word.
  RegisterOwner reloadedBy(size_t index, int offset) {
    auto slot = slots_.find(offset);
    if (slot == slots_.end())
      return {};
    RegisterOwner best;
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
        RegisterOwner owner = storedBy(before, offset);
        if (rankOf(owner.kind) < rankOf(best.kind))
          best = std::move(owner);
        // Lanes that skip a store keep the value from before.
        if (!kernel_.code.instructions[before].guard.empty())
          open.push_back(before);
      }
    }
    return best;
  }

  /// What a register held when an instruction read it.
  RegisterOwner ownerBefore(size_t index, unsigned number, unsigned depth) {
    RegisterOwner best;
    for (size_t before : live_.predecessors(index)) {
      RegisterOwner owner = ownerOf(before, number, depth);
      if (rankOf(owner.kind) < rankOf(best.kind))
        best = std::move(owner);
    }
    return best;
  }

  static bool isConstant(const MachineInstruction &one) {
    return isPlainMove(one) && !copied(one) && !constantOffset(one.operands) &&
           !one.operands.contains("SR_");
  }

  StringRef calleeOf(const MachineInstruction &call) const {
    return call.targets.empty() ? StringRef()
                                : kernel_.code.functionAt(call.targets.front());
  }

  /// The call is a part of a statement, such as the slow path of its division.
  bool isCallOfPtxas(const MachineInstruction &call) const {
    return isOfPtxas(calleeOf(call));
  }

  RegisterOwner resultOf(const MachineInstruction &call) {
    RegisterOwner owner;
    owner.kind = RegisterKind::Result;
    StringRef name = calleeOf(call);
    name = name.substr(
        name.rfind('$') == StringRef::npos ? 0 : name.rfind('$') + 1);
    owner.name = name.empty() ? "a call" : functionName(name.str());
    return owner;
  }

  /// A parameter or the size of the block that the instruction reads from
  /// constant memory.
  std::optional<RegisterOwner> parameterOf(const MachineInstruction &one,
                                           unsigned number) {
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
    const unsigned at = *offset - kernel_.cubin.parameters;
    for (const auto &[index, parameter] : enumerate(entry_.parameters))
      if (at >= parameter.offset && at < parameter.offset + parameter.bytes) {
        owner.kind = RegisterKind::Parameter;
        owner.name = parameterName(kernel_.code.name, index);
        owner.place = entry_.place;
        return owner;
      }
    return std::nullopt;
  }

  std::string parameterName(const std::string &function, unsigned index) {
    auto found = names_.find(function);
    if (found == names_.end()) {
      std::vector<std::string> names;
      if (auto entry = kernel_.ptx.kernel(function))
        if (const SourceStatements *source = files_.of(entry->place.file))
          names = source->parametersAt(entry->place.line);
      found = names_.emplace(function, std::move(names)).first;
    }
    if (index < found->second.size() && !found->second[index].empty())
      return found->second[index];
    return "parameter " + std::to_string(index + 1);
  }

  std::string objectName(const PtxObject &object, const std::string &function) {
    if (object.parameter)
      return parameterName(function, *object.parameter);
    return object.symbol.empty() || isLocalDepot(object)
               ? ""
               : variableName(object.symbol);
  }

  /// The statement that names a value, and where it is.
  struct Named {
    const SourceStatement *statement = nullptr;
    const SourceStatements *source = nullptr;
    size_t frame = 0;
  };

  /// The innermost statement that assigns; a value that is returned belongs to
  /// the statement that calls.
  Named statementOf(const std::vector<SourceFrame> &frames) {
    Named last;
    for (const auto &[i, frame] : enumerate(frames)) {
      const SourceStatements *source = files_.of(frame.place.file);
      const SourceStatement *statement =
          source ? source->at(frame.place.line, frame.place.column) : nullptr;
      if (!statement)
        continue;
      last = {statement, source, i};
      if (statement->kind != SourceStatement::Return)
        return last;
    }
    return last;
  }

  void setPlace(RegisterOwner &owner, const std::vector<SourceFrame> &frames,
                size_t at) {
    if (at >= frames.size())
      return;
    owner.place = frames[at].place;
    for (const SourceFrame &frame : drop_begin(frames, at + 1))
      owner.callSites.insert(owner.callSites.begin(), frame.place);
    // The function that the kernel's own text calls.
    if (frames.size() > 1)
      owner.function = functionName(frames[frames.size() - 2].function);
  }

  RegisterOwner named(const ValueOrigin &origin, const std::string &function) {
    RegisterOwner owner;
    owner.bits = origin.bits;
    owner.isFloat = origin.isFloat;
    std::vector<SourceFrame> frames = withoutLibraries(origin.frames);
    Named named = statementOf(frames);
    bool isFinal = origin.isFinal;
    if (!named.statement && !origin.usedIn.empty()) {
      frames = withoutLibraries(origin.usedIn);
      named = statementOf(frames);
      isFinal = origin.isConvertedThere;
    }
    setPlace(owner, frames, named.frame);
    owner.name = objectName(origin.object, function);
    switch (origin.kind) {
    case ValueOrigin::Parameter:
      owner.kind = RegisterKind::Parameter;
      return owner;
    case ValueOrigin::Special:
      owner.kind = RegisterKind::Special;
      owner.name = specialName(origin.special);
      // `int i = threadIdx.x`
      if (!isFinal || !named.statement)
        return owner;
      break;
    case ValueOrigin::Address:
      owner.kind = RegisterKind::Address;
      if (owner.name.empty() && named.statement)
        owner.name = "`" + named.statement->text + "`";
      return owner;
    case ValueOrigin::Load:
      owner.kind = RegisterKind::Load;
      if (!isFinal) {
        if (owner.name.empty() && named.statement)
          owner.name = "`" + named.statement->text + "`";
        return owner;
      }
      break;
    default:
      break;
    }
    if (!named.statement)
      return owner;
    fromStatement(owner, origin, named, isFinal);
    return owner;
  }

  /// `isFinal`: the value is what the statement assigns.
  void fromStatement(RegisterOwner &owner, const ValueOrigin &origin,
                     const Named &named, bool isFinal) {
    const SourceStatement &statement = *named.statement;
    const bool isLoad = owner.kind == RegisterKind::Load;
    if (statement.kind == SourceStatement::Loop && origin.isInduction &&
        !origin.isFloat && !statement.names.empty()) {
      owner.kind = RegisterKind::Counter;
      owner.name = statement.names.front();
      return;
    }
    const bool assigns = statement.kind == SourceStatement::Assignment &&
                         !statement.names.empty();
    const StringRef type = statement.type;
    const bool isOtherType =
        !origin.isFloat && !isLoad &&
        (type.contains("float") || type.contains("double"));
    if (origin.kind == ValueOrigin::Index || (assigns && isOtherType)) {
      owner.kind = RegisterKind::Index;
      owner.name = "`" + statement.text + "`";
      return;
    }
    if (origin.kind == ValueOrigin::Constant) {
      owner.kind = RegisterKind::Constant;
      owner.name = "";
    }
    // `if (x > most) most = x;` is one instruction, with the place of the `if`.
    if (!assigns && origin.isSelected) {
      const std::vector<std::string> names =
          named.source->assignedUnder(statement);
      if (names.size() == 1) {
        owner.kind = RegisterKind::Variable;
        owner.name = names.front() +
                     named.source->extentsOf(names.front(), statement.line);
        return;
      }
    }
    if (!assigns) {
      if (owner.kind == RegisterKind::Unnamed)
        owner.kind = RegisterKind::Intermediate;
      if (owner.name.empty())
        owner.name = "`" + statement.text + "`";
      return;
    }
    const std::string &name = statement.names.front();
    owner.name = name + named.source->extentsOf(name, statement.line);
    owner.kind = isFinal ? RegisterKind::Variable : RegisterKind::Intermediate;
  }

  /// ptxas keeps conditions in a register where it lacks predicates: the name
  /// is that of the statement of the first.
  std::optional<RegisterOwner> conditionOf(size_t index) {
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

  /// ptxas may keep a local array in registers whose index the PTX computes:
  /// then an instruction of a store moves the value to an element.
  std::optional<RegisterOwner> elementOf(size_t index) {
    const MachineInstruction &one = kernel_.code.instructions[index];
    const unsigned line = ptxLine(index);
    if (!line || !(isPlainMove(one) || one.mnemonic() == "SEL") ||
        !isLocalDepot(kernel_.ptx.accessedAt(line)) ||
        kernel_.ptx.writtenAt(line))
      return std::nullopt;
    const std::vector<SourceFrame> frames = userFrames(index);
    const Named named = statementOf(frames);
    if (!named.statement || named.statement->names.empty() ||
        named.statement->kind != SourceStatement::Assignment)
      return std::nullopt;
    RegisterOwner owner;
    setPlace(owner, frames, named.frame);
    const std::string &name = named.statement->names.front();
    owner.kind = RegisterKind::Variable;
    owner.name = name + named.source->extentsOf(name, named.statement->line);
    return owner;
  }

  /// An instruction of a function that ptxas or libdevice adds, such as the
  /// slow path of a division.
  RegisterOwner ofFunction(size_t index) {
    RegisterOwner owner;
    const StringRef function = kernel_.code.functionAt(index);
    if (function.empty())
      return owner;
    owner.kind = RegisterKind::Intermediate;
    owner.name = functionName(function.substr(function.rfind('$') + 1).str());
    setPlace(owner, userFrames(index), 0);
    return owner;
  }

  /// An instruction whose line in the PTX writes no register: part of a store,
  /// a branch or a call.
  RegisterOwner ofStatement(size_t index) {
    RegisterOwner owner;
    const unsigned line = ptxLine(index);
    const std::vector<SourceFrame> frames = userFrames(index);
    const Named named = statementOf(frames);
    setPlace(owner, frames, named.frame);
    const PtxObject object = kernel_.ptx.accessedAt(line);
    const StringRef name = kernel_.code.instructions[index].mnemonic();
    if (object.isKnown() && !isLocalDepot(object) &&
        is_contained({"IMAD", "IADD3", "LEA", "IADD", "VIADD", "SHF", "LDC"},
                     name)) {
      owner.kind = RegisterKind::Address;
      owner.name = objectName(object, kernel_.ptx.functionAt(line));
      return owner;
    }
    if (!named.statement)
      return owner;
    owner.kind = RegisterKind::Intermediate;
    owner.name = named.statement->names.empty()
                     ? "`" + named.statement->text + "`"
                     : named.statement->names.front();
    return owner;
  }

  const KernelCode &kernel_;
  StatementFiles &files_;
  struct Store {
    unsigned number = 0; ///< of the register
    RegisterOwner owner;
    bool isKnown = false;
  };
  const LiveRegisters live_;
  /// By word of the frame, and instruction.
  std::map<int, std::map<size_t, Store>> slots_;
  PtxOrigins::Kernel entry_;
  std::map<std::string, std::vector<std::string>> names_; ///< of parameters
};

struct Owned {
  RegisterOwner owner;
  /// The lines of the PTX that write it, by what such instructions share.
  std::map<std::string, std::set<unsigned>> forms;

  /// How many copies of the code wrote its values.
  unsigned copies() const {
    size_t most = 0;
    for (auto &[form, lines] : forms)
      most = std::max(most, lines.size());
    return most;
  }
};

std::vector<Owned> ownersAt(size_t peak, Namer &namer) {
  std::map<std::tuple<RegisterKind, std::string, std::string>, Owned> owners;
  for (unsigned number : namer.live().at(peak, RegisterFile::General)) {
    const RegisterOwner owner = namer.ownerOf(peak, number);
    Owned &known = owners[{owner.kind, owner.name, owner.function}];
    RegisterOwner &all = known.owner;
    if (!all.registers) {
      all = owner;
    } else if (owner.place.line &&
               (!all.place.line || owner.place < all.place)) {
      all.place = owner.place;
      all.callSites = owner.callSites;
    }
    ++all.registers;
    for (size_t writer :
         namer.live().definitions(peak, RegisterFile::General, number))
      known.forms[namer.formOf(writer)].insert(namer.ptxLine(writer));
  }
  std::vector<Owned> sorted;
  for (auto &[key, owned] : owners)
    sorted.push_back(std::move(owned));
  stable_sort(sorted, [](const Owned &a, const Owned &b) {
    return a.owner.registers > b.owner.registers;
  });
  return sorted;
}

/// True if the loop around a place is not unrolled for certain.
bool isInLoopAsWritten(const Place &place, const KernelCode &kernel,
                       StatementFiles &files) {
  const SourceStatements *source = files.of(place.file);
  const SourceStatement *loop =
      source ? source->loopAround(place.line, place.column) : nullptr;
  return loop &&
         kernel.ptx.countsByOne(kernel.code.name, {place.file, loop->line, 0});
}

/// The lines of the user's code, with the most registers of each.
std::vector<LineRegisters> linesOf(const KernelCode &kernel, Namer &namer) {
  std::map<std::pair<std::string, unsigned>, unsigned> most;
  for (size_t i = 0; i < kernel.code.instructions.size(); ++i) {
    const std::vector<SourceFrame> frames = namer.userFrames(i);
    if (frames.empty())
      continue;
    const Place &place = frames.front().place;
    unsigned &line = most[{place.file, place.line}];
    line = std::max(line, namer.live().count(i, RegisterFile::General));
  }
  std::vector<LineRegisters> lines;
  for (auto &[place, live] : most)
    lines.push_back({{place.first, place.second, 0}, live});
  return lines;
}

/// Adds the line of an instruction, in the user's code. Code without a line,
/// which the compiler moved, has that of the code before it, as in a debugger.
void addLine(size_t instruction, Namer &namer, std::set<unsigned> &lines) {
  for (size_t i = instruction + 1; i-- > 0;) {
    const std::vector<SourceFrame> frames = namer.userFrames(i);
    if (frames.empty())
      continue;
    lines.insert(frames.front().place.line);
    return;
  }
}

std::vector<SpilledOwner> spillsOf(const KernelCode &kernel, Namer &namer) {
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
      const RegisterOwner owner = namer.spilled(i, at);
      Spilled &found = spilled[{owner.name, owner.kind}];
      found.owner.name = owner.name;
      found.owner.kind = owner.kind;
      found.words.insert(at);
      addLine(i, namer, isStore ? found.stored : found.loaded);
      found.owner.inLoop |= !isStore && namer.live().isInLoop(i);
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

} // namespace

const SourceStatements *StatementFiles::of(const std::string &file) {
  auto [place, isNew] = files_.try_emplace(file);
  if (!isNew || file.empty())
    return place->second.get();
  SmallString<256> path(file);
  sys::path::make_absolute(directory_, path);
  if (auto buffer = readRegularFile(path.str().str()))
    place->second = std::make_unique<SourceStatements>((*buffer)->getBuffer());
  return place->second.get();
}

RegisterReport registersOf(const KernelCode &kernel, StatementFiles &files) {
  RegisterReport report;
  Namer namer(kernel, files);
  const LiveRegisters &live = namer.live();
  if (!live.unknownOpcode().empty()) {
    report.whyNot = "which registers the machine instruction '" +
                    live.unknownOpcode() + "' writes is not known";
    return report;
  }
  const auto peak = live.peak();
  if (!peak) {
    report.whyNot = "the machine code of the function is empty";
    return report;
  }
  report.live = live.count(*peak, RegisterFile::General);
  report.predicates = live.count(*peak, RegisterFile::Predicate);
  report.uniform = live.count(*peak, RegisterFile::Uniform);
  std::vector<SourceFrame> frames = namer.userFrames(*peak);
  if (!frames.empty()) {
    report.place = frames.front().place;
    for (const SourceFrame &frame : drop_begin(frames))
      report.callSites.insert(report.callSites.begin(), frame.place);
  }
  if (StringRef callee = kernel.code.functionAt(*peak); !callee.empty())
    report.function = functionName(callee.rsplit('$').second.str());
  std::vector<unsigned> copies;
  for (Owned &owned : ownersAt(*peak, namer)) {
    // The parts of a float4 come from such instructions, too.
    copies.push_back(isInLoopAsWritten(owned.owner.place, kernel, files)
                         ? 1
                         : owned.copies());
    report.owners.push_back(std::move(owned.owner));
  }
  report.lines = linesOf(kernel, namer);
  if (!kernel.cubin.spills.empty())
    report.spills = spillsOf(kernel, namer);
  report.reasons =
      reasonsOf(report, copies, kernel.usage, kernel.limits, files);
  return report;
}

} // namespace warplint
