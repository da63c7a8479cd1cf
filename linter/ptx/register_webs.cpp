#include "ptx/register_webs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

StringRef firstPart(StringRef opcode) {
  return opcode.take_until([](char c) { return c == '.'; });
}

static bool writesRegister(const ptx::Statement &s) {
  const StringRef name = firstPart(s.name);
  if (name == "call")
    return false; // its result is loaded by ld.param
  return !is_contained({"st",
                        "red",
                        "bra",
                        "brx",
                        "ret",
                        "exit",
                        "bar",
                        "barrier",
                        "membar",
                        "fence",
                        "cp",
                        "prefetch",
                        "prefetchu",
                        "trap",
                        "discard",
                        "applypriority",
                        "stmatrix",
                        "sust",
                        "sured",
                        "nanosleep",
                        "brkpt",
                        "pmevent",
                        "griddepcontrol",
                        "setmaxnreg",
                        "wgmma"},
                       name);
}

RegisterWebs::RegisterWebs(const ptx::Function &function)
    : function_(function) {
  readOperands();
  joinCopies();
  collect();
}

std::optional<size_t> RegisterWebs::statementAt(unsigned line) const {
  auto found = byLine_.find(line);
  if (found == byLine_.end())
    return std::nullopt;
  return found->second;
}

std::optional<RegisterWebs::Declared>
RegisterWebs::declared(StringRef name, unsigned scope) const {
  for (int owner = int(scope); owner >= 0;
       owner = function_.scopes[owner].parent) {
    const ptx::Scope &in = function_.scopes[owner];
    const ptx::Type *type = nullptr;
    if (auto found = in.registers.find(name); found != in.registers.end())
      type = &found->second;
    else if (auto range = in.ranges.find(name.rtrim("0123456789"));
             range != in.ranges.end() && range->getKey().size() != name.size())
      type = &range->second.first;
    if (type)
      return Declared{type, name.str() + "#" + std::to_string(owner)};
  }
  return std::nullopt;
}

std::optional<unsigned> RegisterWebs::numberOf(StringRef name,
                                               unsigned scope) const {
  const std::optional<Declared> found = declared(name, scope);
  const auto number = found ? numbers_.find(found->key) : numbers_.end();
  if (number == numbers_.end())
    return std::nullopt;
  return number->second;
}

void RegisterWebs::addRegisters(const ptx::Operand &operand, unsigned scope,
                                std::vector<unsigned> &into) {
  if (operand.kind == ptx::Operand::Name ||
      operand.kind == ptx::Operand::Address)
    if (auto found = declared(operand.name, scope)) {
      const ptx::Type &type = *found->type;
      auto [place, isNew] =
          numbers_.try_emplace(std::move(found->key), registers_.size());
      if (isNew)
        registers_.push_back(
            {type.kind == ptx::Type::Pred ? 0 : type.bits * type.lanes,
             type.isFloat()});
      into.push_back(place->second);
    }
  for (const ptx::Operand &part : operand.parts)
    addRegisters(part, scope, into);
}

void RegisterWebs::readOperands() {
  const size_t count = function_.statements.size();
  writes_.resize(count);
  reads_.resize(count);
  addressed_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const ptx::Statement &s = function_.statements[i];
    if (s.kind != ptx::Statement::Instruction)
      continue;
    byLine_.try_emplace(s.line, i);
    const bool writes = writesRegister(s);
    for (const auto &[at, operand] : enumerate(s.operands)) {
      if (at == 0 && writes && operand.kind != ptx::Operand::Address)
        addRegisters(operand, s.scope, writes_[i]);
      else if (operand.kind == ptx::Operand::Address)
        addRegisters(operand, s.scope, addressed_[i]);
      else
        addRegisters(operand, s.scope, reads_[i]);
    }
    erase_if(writes_[i], [&](unsigned r) { return registers_[r].bits == 0; });
  }
}

/// The register that a copy reads; none for another statement.
std::optional<unsigned> RegisterWebs::copied(size_t i) const {
  const ptx::Statement &s = function_.statements[i];
  const StringRef name = firstPart(s.name);
  if ((name == "mov" || name == "cvta") && writes_[i].size() == 1 &&
      reads_[i].size() == 1 && s.operands.size() == 2 &&
      bits(writes_[i][0]) == bits(reads_[i][0]))
    return reads_[i][0];
  return std::nullopt;
}

void RegisterWebs::joinCopies() {
  webs_.grow(registers_.size());
  for (size_t i = 0; i < writes_.size(); ++i)
    if (auto from = copied(i))
      webs_.join(writes_[i][0], *from);
  webs_.compress();
}

void RegisterWebs::collect() {
  definitions_.resize(webs_.getNumClasses());
  uses_.resize(definitions_.size());
  isCopied_.resize(definitions_.size());
  for (size_t i = 0; i < writes_.size(); ++i) {
    if (auto from = copied(i)) {
      // cvta changes no bits: the pointer stays the parameter.
      if (firstPart(function_.statements[i].name) == "mov")
        isCopied_[webOf(*from)] = true;
      continue;
    }
    for (unsigned number : writes_[i])
      definitions_[webOf(number)].push_back(i);
    for (const std::vector<unsigned> *list : {&reads_[i], &addressed_[i]})
      for (unsigned number : *list)
        uses_[webOf(number)].push_back(i);
  }
}

} // namespace warplint
