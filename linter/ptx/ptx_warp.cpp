// Lowers instructions across the lanes of a warp or the warps of a block, and
// instructions that IR cannot express.
#include "ptx/ptx_lowering.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Intrinsics.h"

using llvm::StringRef;
using llvm::Value;

namespace warplint::ptx {

/// Calls LLVM's intrinsic of that name; null if no overload takes these
/// arguments.
Value *Lowering::intrinsic(StringRef name, llvm::ArrayRef<Value *> arguments) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic || llvm::Intrinsic::isOverloaded(id))
    return nullptr;
  llvm::Function *callee =
      llvm::Intrinsic::getOrInsertDeclaration(&symbols_.module, id);
  if (callee->arg_size() != arguments.size())
    return nullptr;
  for (auto [parameter, given] : llvm::zip(callee->args(), arguments))
    if (parameter.getType() != given->getType())
      return nullptr;
  return builder_.CreateCall(callee, arguments);
}

/// Calls a declared function "ptx.<name>". An opcode over other types gets a
/// separate function, with a number appended to its name.
Value *Lowering::opaque(StringRef name, llvm::Type *result,
                        llvm::ArrayRef<Value *> arguments, bool isPure) {
  llvm::SmallVector<llvm::Type *, 8> types;
  for (Value *each : arguments)
    types.push_back(each->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  std::string base = ("ptx." + name).str();
  std::string candidate = base;
  llvm::Function *callee = nullptr;
  for (unsigned n = 1; (callee = symbols_.module.getFunction(candidate)) &&
                       callee->getFunctionType() != type;
       ++n)
    candidate = base + "." + std::to_string(n);
  if (!callee) {
    callee = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                    candidate, symbols_.module);
    callee->setDoesNotThrow();
    if (isPure) {
      callee->setDoesNotAccessMemory();
      callee->setWillReturn();
    } else {
      callee->setConvergent();
    }
  }
  return builder_.CreateCall(callee, arguments);
}

/// `shfl.sync.down.b32 %r3|%p1, %r1, %r2, 31, -1;` Without `.sync`, there is no
/// mask.
void Lowering::lowerShuffle(const Statement &s, const Opcode &op) {
  bool isSync = op.modifier(0) == "sync";
  size_t inputs = isSync ? 5 : 4;
  if (!expectOperands(s, inputs))
    return;
  const Operand &to = s.operands[0];
  bool hasPredicate =
      to.kind == Operand::Pair && readPredicates_.contains(to.parts[1].name);
  std::string name = ("llvm.nvvm.shfl." + (isSync ? "sync." : llvm::Twine()) +
                      op.modifier(isSync) + ".i32" + (hasPredicate ? "p" : ""))
                         .str();
  llvm::SmallVector<Value *, 4> values;
  if (isSync)
    values.push_back(read(s.operands[4], integer(32)));
  for (size_t i = 1; i < 4; ++i)
    values.push_back(read(s.operands[i], integer(32)));
  Value *result = intrinsic(name, values);
  if (!result)
    return lowerUnknown(s, op);
  if (!hasPredicate)
    return write(to, result);
  write(to.parts[0], builder_.CreateExtractValue(result, 0));
  write(to.parts[1], builder_.CreateExtractValue(result, 1));
}

/// `vote.sync.ballot.b32 %r1, %p1, -1;`, and without `.sync` and its mask.
void Lowering::lowerVote(const Statement &s, const Opcode &op) {
  bool isSync = op.modifier(0) == "sync";
  if (!expectOperands(s, isSync ? 3 : 2))
    return;
  std::string name = ("llvm.nvvm.vote." + op.modifier(isSync)).str();
  llvm::SmallVector<Value *, 2> values;
  if (isSync) {
    name += ".sync";
    values.push_back(read(s.operands[2], integer(32)));
  }
  values.push_back(readPredicate(s.operands[1]));
  if (Value *result = intrinsic(name, values))
    return write(s.operands[0], result);
  lowerUnknown(s, op);
}

/// `match.any.sync.b32 %r1, %r2, -1;` and `match.all.sync.b32 %r1|%p1, ...`
void Lowering::lowerMatch(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 3))
    return;
  if (op.types.empty())
    return lowerUnknown(s, op);
  bool isAll = op.modifier(0) == "all";
  Type type = op.types.back();
  std::string name = ("llvm.nvvm.match." + op.modifier(0) + ".sync.i" +
                      llvm::Twine(type.bits) + (isAll ? "p" : ""))
                         .str();
  Value *result = intrinsic(name, {read(s.operands[2], integer(32)),
                                   read(s.operands[1], integer(type.bits))});
  if (!result)
    return lowerUnknown(s, op);
  if (!isAll)
    return write(s.operands[0], result);
  const Operand &to = s.operands[0];
  bool isPair = to.kind == Operand::Pair;
  write(isPair ? to.parts[0] : to, builder_.CreateExtractValue(result, 0));
  if (isPair)
    write(to.parts[1], builder_.CreateExtractValue(result, 1));
}

/// `redux.sync.add.s32 %r1, %r2, -1;`
void Lowering::lowerReduce(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 3))
    return;
  StringRef how = op.modifier(1);
  if (op.types.empty() || op.types.back().isFloat())
    return lowerUnknown(s, op);
  bool isUnsigned =
      !op.types.back().isSigned() && (how == "min" || how == "max");
  std::string name =
      ("llvm.nvvm.redux.sync." + llvm::Twine(isUnsigned ? "u" : "") + how)
          .str();
  Value *result = intrinsic(name, {read(s.operands[1], integer(32)),
                                   read(s.operands[2], integer(32))});
  if (!result)
    return lowerUnknown(s, op);
  write(s.operands[0], result);
}

void Lowering::lowerActiveMask(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 1))
    return;
  if (Value *result = intrinsic("llvm.nvvm.activemask", {}))
    return write(s.operands[0], result);
  lowerUnknown(s, op);
}

void Lowering::lowerElect(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 2))
    return;
  Value *result =
      intrinsic("llvm.nvvm.elect.sync", {read(s.operands[1], integer(32))});
  const Operand &to = s.operands[0];
  if (!result || to.kind != Operand::Pair)
    return lowerUnknown(s, op);
  write(to.parts[0], builder_.CreateExtractValue(result, 0));
  write(to.parts[1], builder_.CreateExtractValue(result, 1));
}

/// `bar` is `barrier` that all lanes of a warp reach together (`.aligned`).
void Lowering::lowerBarrier(const Statement &s, const Opcode &op) {
  size_t at = op.modifier(0) == "cta" ? 1 : 0;
  StringRef how = op.modifier(at);
  bool isAligned = op.name == "bar" || op.has("aligned");
  std::string suffix = isAligned ? ".aligned" : "";
  if (how == "warp") {
    if (!expectOperands(s, 1))
      return;
    intrinsic("llvm.nvvm.bar.warp.sync", {read(s.operands[0], integer(32))});
    return;
  }
  if (how == "cluster") {
    std::string name = ("llvm.nvvm.barrier.cluster." + op.modifier(1)).str();
    name += op.has("relaxed") ? ".relaxed" : "";
    if (!intrinsic(name + suffix, {}))
      lowerUnknown(s, op);
    return;
  }
  bool isReduction = how == "red";
  size_t first = isReduction ? 1 : 0;
  if (!expectOperands(s, first + 1))
    return;
  llvm::SmallVector<Value *, 3> values;
  size_t last = s.operands.size() - (isReduction ? 1 : 0);
  for (size_t i = first; i < last; ++i)
    values.push_back(read(s.operands[i], integer(32)));
  std::string name = ("llvm.nvvm.barrier.cta." + how).str();
  if (isReduction)
    name += ("." + op.modifier(at + 1)).str();
  name += suffix + (values.size() > 1 ? ".count" : ".all");
  if (isReduction)
    values.push_back(readPredicate(s.operands.back()));
  Value *result = intrinsic(name, values);
  if (!result)
    return lowerUnknown(s, op);
  if (isReduction)
    write(s.operands[0], result);
}

/// Returns true if the first operand, though a register, is an input.
static bool hasNoResult(StringRef name) {
  static const llvm::StringSet<> names = {
      "nanosleep", "setmaxnreg",   "griddepcontrol", "bar",
      "barrier",   "cp",           "pmevent",        "st",
      "red",       "stmatrix",     "sust",           "sured",
      "prefetch",  "prefetchu",    "discard",        "membar",
      "fence",     "stackrestore", "call",           "applypriority"};
  return names.contains(name);
}

void Lowering::lowerUnknown(const Statement &s, const Opcode &op) {
  llvm::ArrayRef<Operand> inputs = s.operands;
  const Operand *to = nullptr;
  if (!inputs.empty() && !hasNoResult(op.name) &&
      (inputs[0].kind == Operand::Name || inputs[0].kind == Operand::Pair ||
       inputs[0].kind == Operand::List)) {
    to = &inputs[0];
    // wgmma reads and writes its accumulators.
    if (op.name != "wgmma")
      inputs = inputs.drop_front();
  }
  llvm::SmallVector<Space, 2> spaces;
  for (StringRef each : op.modifiers)
    if (Space space = spaceOf(each); space != Space::Generic)
      spaces.push_back(space);
  llvm::SmallVector<Value *, 8> values;
  size_t addresses = 0;
  auto add = [&](auto &self, const Operand &o) -> void {
    if (o.kind == Operand::Address && op.isTexture()) {
      Operand handle;
      handle.name = o.name;
      values.push_back(read(handle, integer(64)));
    } else if (o.kind == Operand::Address) {
      size_t i = addresses++;
      bool isBarrier = i >= 2 && op.text.contains("mbarrier");
      values.push_back(pointer(o, isBarrier           ? Space::Shared
                                  : spaces.empty()    ? Space::Generic
                                  : i < spaces.size() ? spaces[i]
                                                      : spaces.back()));
    } else if (o.kind == Operand::Name && o.name != "_") {
      Register *r = findRegister(o.name);
      values.push_back(read(o, r ? r->slot->getAllocatedType()
                                 : integer(symbolAddress(o.name) ? 64 : 32)));
    } else if (o.kind == Operand::Integer) {
      bool isShort = llvm::isInt<32>(o.value) || llvm::isUInt<32>(o.value);
      values.push_back(read(o, integer(isShort ? 32 : 64)));
    } else if (o.kind == Operand::Real) {
      values.push_back(
          read(o, o.isDouble ? builder_.getDoubleTy() : builder_.getFloatTy()));
    }
    for (const Operand &part : o.parts)
      self(self, part);
  };
  for (const Operand &o : inputs)
    add(add, o);

  llvm::SmallVector<const Operand *, 8> results;
  if (to && to->kind == Operand::Name)
    results.push_back(to);
  else if (to)
    for (const Operand &part : to->parts)
      results.push_back(&part);
  llvm::erase_if(results, [](const Operand *o) {
    return o->kind != Operand::Name || o->name == "_";
  });
  llvm::SmallVector<llvm::Type *, 8> types;
  for (const Operand *o : results)
    types.push_back(typeOf(*o));
  llvm::Type *type = types.empty() ? llvm::Type::getVoidTy(context_)
                     : types.size() == 1
                         ? types[0]
                         : llvm::StructType::get(context_, types);
  auto known = table().find(op.name);
  bool isPure = known != table().end() && known->second.isSelectable;
  Value *value = opaque(op.text, type, values, isPure);
  for (auto [i, o] : llvm::enumerate(results))
    write(*o,
          types.size() == 1 ? value : builder_.CreateExtractValue(value, i));
}

} // namespace warplint::ptx
