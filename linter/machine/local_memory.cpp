#include "machine/local_memory.h"
#include "ptx/ptx_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using llvm::StringRef;

namespace warplint {
namespace {

using Line = std::tuple<unsigned, unsigned, unsigned>; ///< file, line, column

/// The pieces that a register may point to, by their start (`atBase`: the whole
/// variable), each with the constant offset from there, none if it is not
/// constant.
struct Piece {
  unsigned variable;
  int64_t start;
  auto operator<=>(const Piece &) const = default;
};
constexpr int64_t atBase = -1;
using Pointer = std::map<Piece, std::optional<int64_t>>;

bool merge(Pointer &into, const Pointer &from) {
  bool changed = false;
  for (const auto &[piece, distance] : from) {
    auto [it, isNew] = into.try_emplace(piece, distance);
    if (!isNew && it->second && it->second != distance) {
      it->second.reset();
      changed = true;
    }
    changed |= isNew;
  }
  return changed;
}

Pointer moved(const Pointer &pointer, std::optional<int64_t> by) {
  Pointer result;
  for (const auto &[piece, distance] : pointer) {
    std::optional<int64_t> sum;
    if (by && distance)
      sum = *distance + *by;
    // A constant added to the variable's address starts a piece.
    if (piece.start == atBase && by && distance)
      merge(result, {{{piece.variable, *sum}, 0}});
    else if (piece.start == atBase)
      merge(result, {{{piece.variable, distance.value_or(0)}, std::nullopt}});
    else
      merge(result, {{piece, sum}});
  }
  return result;
}

/// "st.local.v4.f32" moves 16 bytes.
unsigned bytesOf(StringRef opcode) {
  llvm::SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  unsigned count = 1, bits = 0;
  for (StringRef part : parts) {
    if (part == "v2" || part == "v4" || part == "v8")
      count = part[1] - '0';
    if (std::optional<ptx::Type> type = ptx::typeNamed(part))
      bits = type->bits * type->lanes;
  }
  return count * bits / 8;
}

class FunctionReader {
public:
  FunctionReader(const ptx::Module &module, const ptx::Function &text)
      : module_(module), text_(text) {
    for (const ptx::Variable &variable : text.variables)
      if (variable.space == ptx::Space::Local)
        variables_.push_back(&variable);
    firstParameter_ = variables_.size();
    if (!text.isKernel)
      for (const ptx::Variable &parameter : text.parameters)
        if (parameter.isArray)
          variables_.push_back(&parameter);
  }

  LocalMemory read() {
    memory_.function = text_.name.str();
    memory_.isKernel = text_.isKernel;
    // Loops carry pointers: a few rounds reach the fixed point.
    for (bool changed = true; changed;)
      changed = follow();
    collect();
    layOut();
    return std::move(memory_);
  }

private:
  // --- which register points where -----------------------------------------

  Pointer pointer(const ptx::Operand &operand) const {
    if (operand.kind != ptx::Operand::Name &&
        operand.kind != ptx::Operand::Address)
      return {};
    for (unsigned i = 0; i < variables_.size(); ++i)
      if (variables_[i]->name == operand.name)
        return moved({{{i, atBase}, 0}}, operand.value);
    auto found = registers_.find(operand.name);
    if (found == registers_.end())
      return {};
    return operand.value ? moved(found->second, operand.value) : found->second;
  }

  /// The variable's address, before any addition.
  Pointer base(const ptx::Operand &operand) const {
    if (operand.kind == ptx::Operand::Name && !operand.value)
      for (unsigned i = 0; i < variables_.size(); ++i)
        if (variables_[i]->name == operand.name)
          return {{{i, atBase}, 0}};
    return pointer(operand);
  }

  bool follow() {
    bool changed = false;
    for (const ptx::Statement &s : text_.statements) {
      if (s.kind != ptx::Statement::Instruction || s.operands.size() < 2 ||
          s.operands[0].kind != ptx::Operand::Name)
        continue;
      if (Pointer result = resultOf(s); !result.empty())
        changed |= merge(registers_[s.operands[0].name], result);
    }
    return changed;
  }

  Pointer resultOf(const ptx::Statement &s) const {
    StringRef opcode = s.name.split('.').first;
    Pointer result;
    if (opcode == "mov" || opcode == "cvta" || opcode == "cvt")
      return base(s.operands[1]);
    if ((opcode == "add" || opcode == "sub") && s.operands.size() == 3) {
      for (unsigned i : {1, 2}) {
        const ptx::Operand &other = s.operands[3 - i];
        std::optional<int64_t> by;
        if (other.kind == ptx::Operand::Integer)
          by = opcode == "sub" ? -other.value : other.value;
        merge(result, moved(base(s.operands[i]), by));
      }
      return result;
    }
    if (opcode == "selp")
      merge(result, base(s.operands[1]));
    if (opcode == "selp" && s.operands.size() > 2)
      merge(result, base(s.operands[2]));
    if (opcode == "mad" || opcode == "or" || opcode == "and" ||
        opcode == "lea" || opcode == "min" || opcode == "max")
      for (const ptx::Operand &operand : llvm::drop_begin(s.operands))
        merge(result, moved(base(operand), std::nullopt));
    return result;
  }

  // --- what is done with it --------------------------------------------------

  void collect() {
    std::map<StringRef, Pointer> passed;
    for (const ptx::Statement &s : text_.statements) {
      if (s.kind == ptx::Statement::Loc)
        readLocation(text_.locations[s.location]);
      if (s.kind != ptx::Statement::Instruction)
        continue;
      StringRef opcode = s.name.split('.').first;
      if (opcode == "call")
        readCall(s, passed);
      else if (opcode == "alloca") {
        memory_.hasAlloca = true;
        memory_.allocas.insert(here_.begin(), here_.end());
      } else if (s.name.starts_with("st.param") && s.operands.size() == 2)
        merge(passed[s.operands[0].name], base(s.operands[1]));
      else if (opcode == "ld" || opcode == "st" || opcode == "atom" ||
               opcode == "red")
        readAccess(s);
    }
  }

  void readAccess(const ptx::Statement &s) {
    const bool isParameter = s.name.starts_with("ld.param");
    for (const ptx::Operand &operand : s.operands) {
      if (operand.kind == ptx::Operand::Address && !isParameter)
        for (const auto &[piece, distance] : pointer(operand)) {
          LocalPiece &known = touched(piece);
          known.places.insert(here_.begin(), here_.end());
          known.isDynamic |= !distance;
          if (distance && *distance >= 0)
            known.used =
                std::max(known.used, unsigned(*distance) + bytesOf(s.name));
        }
      else if (s.name.starts_with("st"))
        for (const auto &[piece, distance] : base(operand))
          touched(piece).isStored = true;
    }
  }

  void readCall(const ptx::Statement &s, std::map<StringRef, Pointer> &passed) {
    const ptx::Operand *callee = nullptr;
    for (const ptx::Operand &operand : s.operands) {
      if (operand.kind == ptx::Operand::Name && !callee)
        callee = &operand;
      if (operand.kind != ptx::Operand::List || !callee)
        continue;
      for (const ptx::Operand &argument : operand.parts) {
        Pointer pointers = base(argument);
        merge(pointers, passed[argument.name]);
        for (const auto &[piece, distance] : pointers) {
          LocalPiece &known = touched(piece);
          known.places.insert(here_.begin(), here_.end());
          if (!llvm::is_contained(known.passedTo, callee->name))
            known.passedTo.push_back(callee->name.str());
        }
      }
    }
    passed.clear();
    if (!callee)
      return;
    if (callee->name.starts_with("%")) {
      memory_.callsThroughPointers = true;
      memory_.pointerCalls.insert(here_.begin(), here_.end());
    } else if (!llvm::is_contained(memory_.calls, callee->name))
      memory_.calls.push_back(callee->name.str());
  }

  LocalPiece &touched(Piece piece) {
    if (piece.start == atBase)
      piece.start = 0;
    return pieces_[piece];
  }

  /// An earlier `.loc` named the place of an inlined call, and names the call
  /// that it was inlined into in turn.
  void readLocation(const ptx::Location &location) {
    here_.clear();
    const ptx::Location *at = &location;
    for (unsigned depth = 0; at && depth < 64; ++depth) {
      addPlace(at->file, at->line, at->column);
      if (!at->isInlined)
        break;
      auto caller = last_.find({at->atFile, at->atLine, at->atColumn});
      if (caller == last_.end())
        addPlace(at->atFile, at->atLine, at->atColumn);
      at = caller == last_.end() ? nullptr : caller->second;
    }
    last_[{location.file, location.line, location.column}] = &location;
  }

  void addPlace(unsigned file, unsigned line, unsigned column) {
    auto name = module_.files.find(file);
    if (line && name != module_.files.end())
      here_.insert({name->second, line, column});
  }

  // --- the whole -------------------------------------------------------------

  /// Places variables one after the other, each with its alignment.
  void layOut() {
    for (unsigned i = 0; i < variables_.size(); ++i) {
      const ptx::Variable &variable = *variables_[i];
      auto first = pieces_.lower_bound({i, 0});
      auto end = pieces_.lower_bound({i + 1, 0});
      // Parameters read only at constant offsets need no memory.
      if (i >= firstParameter_ && first == end)
        continue;
      const unsigned alignment = std::max(variable.align, 1u);
      const unsigned start = llvm::alignTo(memory_.bytes, alignment);
      memory_.alignment = std::max(memory_.alignment, alignment);
      memory_.bytes = start + variable.bytes();
      for (auto it = first; it != end; ++it) {
        LocalPiece &piece = it->second;
        const uint64_t next = std::next(it) == end ? variable.bytes()
                                                   : std::next(it)->first.start;
        if (uint64_t(it->first.start) >= variable.bytes())
          continue;
        piece.offset = start + it->first.start;
        piece.bytes = std::min(next, variable.bytes()) - it->first.start;
        piece.isParameter = i >= firstParameter_;
        memory_.pieces.push_back(std::move(piece));
      }
    }
  }

  const ptx::Module &module_;
  const ptx::Function &text_;
  std::vector<const ptx::Variable *> variables_; ///< parameters after locals
  unsigned firstParameter_ = 0;
  std::map<StringRef, Pointer> registers_;
  std::map<Piece, LocalPiece> pieces_;
  std::map<Line, const ptx::Location *> last_;
  std::set<Place> here_;
  LocalMemory memory_;
};

} // namespace

llvm::Expected<std::vector<LocalMemory>> readLocalMemory(StringRef ptx) {
  llvm::Expected<ptx::Module> module = ptx::parsePtx(ptx);
  if (!module)
    return module.takeError();
  std::vector<LocalMemory> all;
  for (const ptx::Function &function : module->functions)
    if (function.isDefined)
      all.push_back(FunctionReader(*module, function).read());
  return all;
}

std::vector<LocalMemory> reachedFrom(StringRef kernel,
                                     const std::vector<LocalMemory> &all) {
  std::vector<LocalMemory> reached;
  std::vector<std::string> names{kernel.str()};
  for (size_t i = 0; i < names.size(); ++i)
    for (const LocalMemory &memory : all)
      if (memory.function == names[i]) {
        for (const std::string &callee : memory.calls)
          if (!llvm::is_contained(names, callee))
            names.push_back(callee);
        reached.push_back(memory);
        break;
      }
  return reached;
}

} // namespace warplint
