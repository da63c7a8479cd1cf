// Lowers loads, stores, atomics and copies.
#include "ir/open_atomics.h"
#include "ptx/ptx_lowering.h"

using llvm::StringRef;
using llvm::Value;

namespace warplint::ptx {

void markParameter(llvm::Instruction *i) {
  i->setMetadata("ptx.param", llvm::MDNode::get(i->getContext(), {}));
}

/// Makes one access of the whole width for any number of registers.
llvm::Type *Lowering::accessType(const Opcode &op) {
  Type type = op.types.back();
  llvm::Type *element = type.lanes > 1 || type.kind == Type::Pred
                            ? integer(type.bits * type.lanes)
                            : ir(type);
  if (op.vector == 1)
    return element;
  return llvm::FixedVectorType::get(element, op.vector);
}

static llvm::Align alignOf(llvm::Type *type) {
  uint64_t bytes = (type->getPrimitiveSizeInBits() + 7) / 8;
  return llvm::Align(llvm::PowerOf2Ceil(bytes));
}

static llvm::AtomicOrdering orderingOf(const Opcode &op) {
  if (op.has("acq_rel"))
    return llvm::AtomicOrdering::AcquireRelease;
  if (op.has("acquire"))
    return llvm::AtomicOrdering::Acquire;
  if (op.has("release"))
    return llvm::AtomicOrdering::Release;
  if (op.has("sc"))
    return llvm::AtomicOrdering::SequentiallyConsistent;
  if (op.has("relaxed") || op.has("mmio"))
    return llvm::AtomicOrdering::Monotonic;
  return llvm::AtomicOrdering::NotAtomic;
}

static llvm::SyncScope::ID scopeOf(const Opcode &op,
                                   llvm::LLVMContext &context) {
  StringRef name = op.has("sys")       ? ""
                   : op.has("cta")     ? "block"
                   : op.has("cluster") ? "cluster"
                                       : "device";
  return name.empty() ? llvm::SyncScope::ID(llvm::SyncScope::System)
                      : context.getOrInsertSyncScopeID(name);
}

void Lowering::writeLoaded(const Operand &o, Value *value, const Opcode &op) {
  bool isSigned = op.types.back().isSigned();
  if (op.vector == 1)
    return write(o, value, isSigned);
  if (o.kind != Operand::List || o.parts.size() != op.vector)
    return fail("'" + op.text + "' needs as many registers as its vector");
  for (auto [i, part] : llvm::enumerate(o.parts))
    if (part.name != "_")
      write(part, builder_.CreateExtractElement(value, i), isSigned);
}

/// Reads a scalar parameter as a value: no memory is involved.
bool Lowering::loadParameter(const Statement &s, const Opcode &op) {
  const Operand &address = s.operands[1];
  llvm::Type *type = accessType(op);
  unsigned index = 0;
  if (findVariable(address.name, index)) {
    llvm::AllocaInst *kept = localVariable(index);
    if (kept->getAllocatedType()->isArrayTy() || address.value || op.vector > 1)
      return false;
    writeLoaded(s.operands[0],
                coerce(builder_.CreateLoad(kept->getAllocatedType(), kept),
                       type, op.types.back().isSigned()),
                op);
    return true;
  }
  auto found = parameters_.find(address.name);
  if (found == parameters_.end() ||
      function_.hasParamAttribute(found->second, llvm::Attribute::ByVal))
    return false;
  Value *value = function_.getArg(found->second);
  if (value->getType()->isPointerTy())
    value = builder_.CreatePtrToInt(value, integer(64));
  unsigned bits = value->getType()->getPrimitiveSizeInBits();
  uint64_t skipped = static_cast<uint64_t>(address.value) * 8;
  if (skipped >= bits) {
    fail("'" + address.name + "' is shorter than what is read of it");
    return true;
  }
  if (skipped)
    value = builder_.CreateLShr(coerce(value, integer(bits), false), skipped);
  writeLoaded(s.operands[0], coerce(value, type, op.types.back().isSigned()),
              op);
  return true;
}

bool Lowering::storeParameter(const Statement &s, const Opcode &op) {
  const Operand &address = s.operands[0];
  llvm::AllocaInst *kept = nullptr;
  unsigned index = 0;
  if (findVariable(address.name, index))
    kept = localVariable(index);
  else if (auto found = returns_.find(address.name); found != returns_.end())
    kept = returnSlots_[found->second];
  if (!kept || kept->getAllocatedType()->isArrayTy() || address.value ||
      op.vector > 1)
    return false;
  Value *value = read(s.operands[1], accessType(op));
  builder_.CreateStore(coerce(value, kept->getAllocatedType(), false), kept);
  return true;
}

void Lowering::lowerLoad(const Statement &s, const Opcode &op) {
  if (op.types.empty())
    return lowerUnknown(s, op);
  if (!expectOperands(s, 2))
    return;
  if (s.operands[1].kind != Operand::Address)
    return fail("'" + s.name + "' reads from something that is no address");
  bool isParameter = op.space() == Space::Param;
  if (isParameter && loadParameter(s, op))
    return;
  llvm::Type *type = accessType(op);
  llvm::LoadInst *load =
      builder_.CreateAlignedLoad(type, pointer(s.operands[1], op.space()),
                                 alignOf(type), op.has("volatile"));
  llvm::AtomicOrdering ordering = orderingOf(op);
  if (ordering != llvm::AtomicOrdering::NotAtomic) {
    // IR has no atomic vectors; volatile keeps these accesses unchanged.
    if (type->isVectorTy())
      load->setVolatile(true);
    else
      load->setAtomic(ordering, scopeOf(op, context_));
  }
  if (op.has("nc") || op.name == "ldu")
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(context_, {}));
  // An address in a register makes this an ordinary access.
  if (isParameter && !StringRef(s.operands[1].name).starts_with("%"))
    markParameter(load);
  writeLoaded(s.operands[0], load, op);
}

void Lowering::lowerStore(const Statement &s, const Opcode &op) {
  if (op.types.empty() || op.has("async") || op.has("bulk"))
    return lowerUnknown(s, op);
  if (!expectOperands(s, 2))
    return;
  if (s.operands[0].kind != Operand::Address)
    return fail("'" + s.name + "' writes to something that is no address");
  bool isParameter = op.space() == Space::Param;
  if (isParameter && storeParameter(s, op))
    return;
  llvm::Type *type = accessType(op);
  const Operand &from = s.operands[1];
  Value *value = nullptr;
  if (op.vector == 1) {
    value = read(from, type);
  } else {
    if (from.kind != Operand::List || from.parts.size() != op.vector)
      return fail("'" + op.text + "' needs as many registers as its vector");
    value = llvm::PoisonValue::get(type);
    llvm::Type *element = llvm::cast<llvm::VectorType>(type)->getElementType();
    for (auto [i, part] : llvm::enumerate(from.parts))
      value = builder_.CreateInsertElement(value, read(part, element), i);
  }
  llvm::StoreInst *store =
      builder_.CreateAlignedStore(value, pointer(s.operands[0], op.space()),
                                  alignOf(type), op.has("volatile"));
  llvm::AtomicOrdering ordering = orderingOf(op);
  if (ordering != llvm::AtomicOrdering::NotAtomic) {
    if (type->isVectorTy())
      store->setVolatile(true);
    else
      store->setAtomic(ordering, scopeOf(op, context_));
  }
  if (isParameter)
    markParameter(store);
}

static std::optional<llvm::AtomicRMWInst::BinOp> operationOf(const Opcode &op,
                                                             Type type) {
  for (StringRef each : op.modifiers) {
    auto found = atomicOperation(each, type.isFloat(), type.isSigned());
    if (found)
      return found;
  }
  return std::nullopt;
}

Value *Lowering::atomic(const Opcode &op, Value *address, Type type,
                        llvm::ArrayRef<Value *> values) {
  llvm::AtomicOrdering ordering = orderingOf(op);
  if (ordering == llvm::AtomicOrdering::NotAtomic)
    ordering = llvm::AtomicOrdering::Monotonic;
  llvm::SyncScope::ID scope = scopeOf(op, context_);
  llvm::MaybeAlign align = alignOf(values[0]->getType());
  if (values.size() == 2) {
    Value *pair = builder_.CreateAtomicCmpXchg(
        address, values[0], values[1], align, ordering,
        llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
    return builder_.CreateExtractValue(pair, 0);
  }
  return builder_.CreateAtomicRMW(*operationOf(op, type), address, values[0],
                                  align, ordering, scope);
}

void Lowering::lowerAtomic(const Statement &s, const Opcode &op) {
  bool hasResult = op.name == "atom", isSwap = op.has("cas");
  size_t addressAt = hasResult ? 1 : 0, values = isSwap ? 2 : 1;
  if (op.types.empty() || op.vector > 1 || op.has("async") ||
      op.types.back().bits == 128 ||
      (!isSwap && !operationOf(op, op.types.back())))
    return lowerUnknown(s, op);
  if (!expectOperands(s, addressAt + 1 + values))
    return;
  if (s.operands[addressAt].kind != Operand::Address)
    return fail("'" + s.name + "' has no address");
  Type type = op.types.back();
  if (isSwap || op.has("exch"))
    type = {Type::Bits, type.bits * type.lanes};
  llvm::SmallVector<Value *, 2> inputs;
  for (size_t i = 0; i < values; ++i)
    inputs.push_back(read(s.operands[addressAt + 1 + i], type));
  Value *old =
      atomic(op, pointer(s.operands[addressAt], op.space()), type, inputs);
  if (hasResult)
    write(s.operands[0], old, type.isSigned());
}

void Lowering::lowerCopy(const Statement &s, const Opcode &op) {
  StringRef how = op.modifier(1);
  auto number = [&](size_t i) {
    return i < s.operands.size() && s.operands[i].kind == Operand::Integer
               ? std::optional(s.operands[i].value)
               : std::nullopt;
  };
  if (how == "commit_group" || how == "wait_all") {
    intrinsic(how == "wait_all" ? "llvm.nvvm.cp.async.wait.all"
                                : "llvm.nvvm.cp.async.commit.group",
              {});
    return;
  }
  if (how == "wait_group" && number(0)) {
    intrinsic("llvm.nvvm.cp.async.wait.group", {i32(*number(0))});
    return;
  }
  bool isCopy = (how == "ca" || how == "cg") && number(2) &&
                s.operands[0].kind == Operand::Address &&
                s.operands[1].kind == Operand::Address;
  if (!isCopy)
    return lowerUnknown(s, op);
  llvm::SmallVector<Value *, 3> values = {
      pointer(s.operands[0], Space::Shared),
      pointer(s.operands[1], Space::Global)};
  std::string name = ("llvm.nvvm.cp.async." + how + ".shared.global." +
                      llvm::Twine(*number(2)))
                         .str();
  // The source's size precedes the cache policy.
  if (s.operands.size() > (op.has("L2::cache_hint") ? 4u : 3u)) {
    if (typeOf(s.operands[3])->isIntegerTy(1))
      return lowerUnknown(s, op);
    values.push_back(read(s.operands[3], integer(32)));
    name += ".s";
  }
  if (!intrinsic(name, values))
    lowerUnknown(s, op);
}

void Lowering::lowerPrefetch(const Statement &s, const Opcode &op) {
  if (!expectOperands(s, 1))
    return;
  std::string name = ("llvm.nvvm." + op.text).str();
  // LLVM spells `prefetch.global.L2::evict_last`
  // `prefetch.global.L2.evict.last`.
  for (size_t at; (at = name.find("::")) != std::string::npos;)
    name.erase(at, 1);
  for (char &c : name)
    if (c == ':' || c == '_')
      c = '.';
  if (s.operands[0].kind != Operand::Address ||
      !intrinsic(name, {pointer(s.operands[0], op.space())}))
    lowerUnknown(s, op);
}

void Lowering::lowerFence(const Statement &s, const Opcode &op) {
  if (op.name == "membar" &&
      intrinsic(("llvm.nvvm.membar." + op.modifier(0)).str(), {}))
    return;
  llvm::AtomicOrdering ordering = orderingOf(op);
  bool isPlain = op.name == "fence" && s.operands.empty() &&
                 op.modifiers.size() <= 2 &&
                 (llvm::isStrongerThanMonotonic(ordering));
  if (!isPlain)
    return lowerUnknown(s, op);
  builder_.CreateFence(ordering, scopeOf(op, context_));
}

} // namespace warplint::ptx
