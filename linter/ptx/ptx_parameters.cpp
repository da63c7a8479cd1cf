// Infers the types of a kernel's parameters from their uses: PTX gives a
// pointer and a 64-bit number the same type.
#include "ptx/ptx_lowering.h"

using llvm::StringRef;

namespace warplint::ptx {

namespace {

/// Ignores the scope of registers: this decides only how an argument is typed,
/// and its value is the same number either way.
class Uses {
public:
  explicit Uses(const Function &f);
  ParameterUse of(const Variable &parameter) const;

private:
  void define(const Statement &s, const Opcode &op);
  void findPointers();
  bool isNumber(StringRef name) const;

  llvm::StringMap<StringRef> loaded_; ///< register to the parameter it holds
  /// The terms that an address may be the sum of: register to the terms of each
  /// instruction that writes it.
  llvm::StringMap<llvm::SmallVector<llvm::SmallVector<StringRef, 2>, 1>> sums_;
  llvm::StringSet<>
      products_; ///< registers that hold results of other operations
  llvm::SmallVector<StringRef> bases_;
  llvm::StringSet<> pointers_, addressTaken_;
};

Uses::Uses(const Function &f) {
  for (const Statement &s : f.statements) {
    if (s.kind != Statement::Instruction)
      continue;
    Opcode op(s.name);
    bool isParameterLoad = op.name == "ld" && op.space() == Space::Param;
    for (const Operand &o : s.operands) {
      if (o.kind == Operand::Address && isParameterLoad)
        continue;
      if (o.kind == Operand::Name || o.kind == Operand::Address)
        addressTaken_.insert(o.name);
      if (o.kind == Operand::Address && op.space() != Space::Param &&
          !op.isTexture())
        bases_.push_back(o.name);
    }
    define(s, op);
  }
  findPointers();
}

void Uses::define(const Statement &s, const Opcode &op) {
  if (s.operands.size() < 2 || s.operands[0].kind != Operand::Name)
    return;
  StringRef to = s.operands[0].name;
  const Operand &from = s.operands[1];
  if (op.name == "ld") {
    if (op.space() == Space::Param && !from.value)
      loaded_[to] = from.name;
    else
      products_.insert(to);
  } else if (op.name == "cvta") {
    bases_.push_back(from.name);
    sums_[to].push_back({from.name});
  } else if (op.name == "add" || op.name == "sub") {
    llvm::SmallVector<StringRef, 2> terms = {from.name};
    if (op.name == "add" && s.operands.size() > 2)
      terms.push_back(s.operands[2].name);
    sums_[to].push_back(terms);
  } else if (op.name == "mov" || op.name == "selp") {
    sums_[to].push_back({from.name});
    if (op.name == "selp" && s.operands.size() > 2)
      sums_[to].push_back({s.operands[2].name});
  } else if (op.name == "mad" && op.has("wide") && s.operands.size() > 3) {
    sums_[to].push_back({s.operands[3].name});
  } else {
    products_.insert(to);
  }
}

bool Uses::isNumber(StringRef name) const { return products_.contains(name); }

/// Traces each address back to its pointer. The pointer in a sum is the first
/// term that is not the result of other arithmetic.
void Uses::findPointers() {
  llvm::StringSet<> seen;
  while (!bases_.empty()) {
    StringRef name = bases_.pop_back_val();
    if (!seen.insert(name).second)
      continue;
    if (auto parameter = loaded_.find(name); parameter != loaded_.end())
      pointers_.insert(parameter->second);
    auto sum = sums_.find(name);
    if (sum == sums_.end())
      continue;
    for (llvm::ArrayRef<StringRef> terms : sum->second)
      for (StringRef term : terms)
        if (!term.empty() && !isNumber(term)) {
          bases_.push_back(term);
          break;
        }
  }
}

ParameterUse Uses::of(const Variable &parameter) const {
  if (parameter.isArray || addressTaken_.contains(parameter.name))
    return ParameterUse::Memory;
  bool isWide = parameter.type.bits == 64 && !parameter.type.isFloat();
  if (isWide && (parameter.isPointer || pointers_.contains(parameter.name)))
    return ParameterUse::Pointer;
  return ParameterUse::Number;
}

} // namespace

std::vector<ParameterUse> parameterUses(const Function &f) {
  Uses uses(f);
  std::vector<ParameterUse> each;
  for (const Variable &v : f.parameters)
    each.push_back(v.space == Space::Reg ? ParameterUse::Number : uses.of(v));
  return each;
}

} // namespace warplint::ptx
