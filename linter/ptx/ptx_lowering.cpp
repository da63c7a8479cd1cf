// Lowers control flow and calls.
#include "ptx/ptx_lowering.h"
#include "base/failure.h"
#include "os/deadline.h"
#include "ptx/read_ptx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using llvm::StringRef;
using llvm::Value;

namespace warplint::ptx {

Opcode::Opcode(StringRef text) : text(text) {
  llvm::SmallVector<StringRef, 8> parts;
  text.split(parts, '.');
  name = parts.front().trim();
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    part = part.trim();
    modifiers.push_back(part);
    if (std::optional<Type> type = typeNamed(part))
      types.push_back(*type);
    else if (part == "v2" || part == "v4" || part == "v8")
      vector = part[1] - '0';
  }
}

bool Opcode::has(StringRef modifier) const {
  for (StringRef each : modifiers)
    if (each == modifier)
      return true;
  return false;
}

Space spaceOf(StringRef modifier) {
  return llvm::StringSwitch<Space>(modifier.split(':').first)
      .Case("global", Space::Global)
      .Case("shared", Space::Shared)
      .Case("const", Space::Const)
      .Case("local", Space::Local)
      .Case("param", Space::Param)
      .Default(Space::Generic);
}

Space Opcode::space() const {
  for (StringRef each : modifiers)
    if (Space space = spaceOf(each); space != Space::Generic)
      return space;
  return Space::Generic;
}

bool Opcode::isPeculiar() const {
  return has("relu") || has("xorsign") || has("oob");
}

bool Opcode::isInexact() const {
  const bool isRounded = has("rz") || has("rm") || has("rp");
  return has("ftz") || has("approx") || has("full") ||
         (isRounded &&
          llvm::any_of(types, [](const Type &type) { return type.isFloat(); }));
}

bool Opcode::isTexture() const {
  return llvm::StringSwitch<bool>(name)
      .Cases({"tex", "tld4", "txq", "suld", "sust", "sured", "suq", "istypep"},
             true)
      .Default(false);
}

Lowering::Lowering(const Function &text, llvm::Function &function,
                   Symbols &symbols, DebugInfo &debug)
    : text_(text), function_(function), symbols_(symbols), debug_(debug),
      context_(function.getContext()), builder_(context_), slots_(context_),
      registers_(text.scopes.size()), blocks_(text.scopes.size()),
      locals_(text.variables.size()), globals_(text.variables.size()) {}

void Lowering::fail(const llvm::Twine &what) {
  if (error_.empty())
    error_ = ("line " + llvm::Twine(line_) + ": " + what + " in '" +
              text_.name + "'")
                 .str();
}

bool Lowering::expectOperands(const Statement &s, size_t least) {
  if (s.operands.size() >= least)
    return true;
  fail("'" + s.name + "' has too few operands");
  return false;
}

llvm::Error Lowering::run() {
  llvm::BasicBlock *entry =
      llvm::BasicBlock::Create(context_, "entry", &function_);
  // Stack slots go before this jump, which the clean-up merges away.
  llvm::BasicBlock *body =
      llvm::BasicBlock::Create(context_, "body", &function_);
  slots_.SetInsertPoint(llvm::BranchInst::Create(body, entry));
  builder_.SetInsertPoint(body);
  debug_.begin(text_, function_);
  builder_.SetCurrentDebugLocation(debug_.start());
  line_ = text_.line;
  prepareParameters();
  prepareBlocks();
  prepareReads();
  for (const Statement &s : text_.statements) {
    statement(s);
    if (!error_.empty())
      return failure(error_);
    if (isOverdue())
      return failure("reading the PTX takes too long");
  }
  if (!builder_.GetInsertBlock()->getTerminator())
    lowerReturn({}, Opcode("ret"));
  return llvm::Error::success();
}

void Lowering::prepareParameters() {
  for (auto [i, v] : llvm::enumerate(text_.returns)) {
    llvm::Type *type = v.isArray ? llvm::ArrayType::get(integer(8), v.bytes())
                                 : static_cast<llvm::Type *>(ir(v.type));
    returns_[v.name] = i;
    returnSlots_.push_back(slot(type, v.name));
    if (v.space == Space::Reg)
      registers_[0][v.name] = {returnSlots_.back(), v.type};
  }
  for (auto [i, v] : llvm::enumerate(text_.parameters)) {
    if (v.space != Space::Reg) {
      parameters_[v.name] = i;
      continue;
    }
    llvm::Argument *given = function_.getArg(i);
    llvm::AllocaInst *kept = slot(given->getType(), v.name);
    builder_.CreateStore(given, kept);
    registers_[0][v.name] = {kept, v.type};
  }
}

void Lowering::prepareBlocks() {
  for (const Statement &s : text_.statements)
    if (s.kind == Statement::Label)
      blocks_[s.scope][s.name] =
          llvm::BasicBlock::Create(context_, s.name, &function_);
}

static void collectNames(const Operand &o, llvm::StringSet<> &into) {
  if (!o.name.empty())
    into.insert(o.name);
  for (const Operand &part : o.parts)
    collectNames(part, into);
}

/// Collects the names that operands read: an unused second result needs no
/// instruction.
void Lowering::prepareReads() {
  for (const Statement &s : text_.statements) {
    if (!s.guard.empty())
      readPredicates_.insert(s.guard);
    for (const Operand &o : s.operands)
      if (o.kind != Operand::Pair)
        collectNames(o, readPredicates_);
  }
}

llvm::BasicBlock *Lowering::block(StringRef label, unsigned scope) {
  for (int i = scope; i >= 0; i = text_.scopes[i].parent) {
    auto found = blocks_[i].find(label);
    if (found != blocks_[i].end())
      return found->second;
  }
  fail("there is no label '" + label + "'");
  return builder_.GetInsertBlock();
}

void Lowering::branchIfOpen(llvm::BasicBlock *to) {
  if (!builder_.GetInsertBlock()->getTerminator())
    builder_.CreateBr(to);
}

/// Returns false for an instruction that PTX does not have, 'cnot.f32' or
/// 'sqrt.s32': LLVM's would be invalid.
static bool hasTypesOfItsKind(const Opcode &op) {
  const auto isFloat = [](Type type) { return type.isFloat(); };
  static const llvm::StringSet<> ofIntegers = {
      "and",   "or",   "xor",  "not",  "cnot",  "sad",   "popc", "clz", "brev",
      "bfind", "prmt", "fns",  "shl",  "shr",   "shf",   "bfe",  "bfi", "bmsk",
      "szext", "lop3", "dp4a", "dp2a", "mul24", "mad24", "rem"};
  static const llvm::StringSet<> ofFloats = {"fma", "copysign", "sqrt", "rsqrt",
                                             "rcp", "sin",      "cos",  "ex2",
                                             "lg2", "tanh"};
  return ofIntegers.contains(op.name) ? llvm::none_of(op.types, isFloat)
         : ofFloats.contains(op.name) ? llvm::all_of(op.types, isFloat)
                                      : true;
}

void Lowering::statement(const Statement &s) {
  line_ = s.line;
  scope_ = s.scope;
  if (s.kind == Statement::Loc) {
    builder_.SetCurrentDebugLocation(
        debug_.locate(text_.locations[s.location]));
    return;
  }
  if (s.kind == Statement::Label) {
    llvm::BasicBlock *next = blocks_[s.scope][s.name];
    branchIfOpen(next);
    next->moveAfter(&function_.back());
    builder_.SetInsertPoint(next);
    return;
  }
  // Code after a jump is unreachable without a label.
  if (builder_.GetInsertBlock()->getTerminator())
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", &function_));
  if (llvm::DILocation *inText = debug_.ofText(s.line))
    builder_.SetCurrentDebugLocation(inText);
  Opcode op(s.name);
  auto found = table().find(op.name);
  Entry entry = found == table().end() || !hasTypesOfItsKind(op)
                    ? Entry{&Lowering::lowerUnknown}
                    : found->second;
  // An unrolled block has 100,000 instructions: they are not counted here.
  llvm::BasicBlock &block = *builder_.GetInsertBlock();
  llvm::Instruction *before = block.empty() ? nullptr : &block.back();
  if (s.guard.empty() || op.name == "bra")
    (this->*entry.handler)(s, op);
  else
    guarded(s, op, entry);
  if (op.isInexact())
    for (llvm::Instruction &made : llvm::make_range(
             before ? std::next(before->getIterator()) : block.begin(),
             block.end()))
      made.setMetadata(inexact, llvm::MDNode::get(context_, {}));
}

void Lowering::guarded(const Statement &s, const Opcode &op,
                       const Entry &entry) {
  Operand guard;
  guard.name = s.guard;
  guard.negated = s.guardNegated;
  Value *predicate = readPredicate(guard);
  if (entry.isSelectable) {
    selectGuard_ = predicate;
    (this->*entry.handler)(s, op);
    selectGuard_ = nullptr;
    return;
  }
  llvm::BasicBlock *then = llvm::BasicBlock::Create(context_, "", &function_);
  llvm::BasicBlock *next = llvm::BasicBlock::Create(context_, "", &function_);
  builder_.CreateCondBr(predicate, then, next);
  builder_.SetInsertPoint(then);
  (this->*entry.handler)(s, op);
  branchIfOpen(next);
  next->moveAfter(&function_.back());
  builder_.SetInsertPoint(next);
}

void Lowering::lowerBranch(const Statement &s, const Opcode &) {
  if (!expectOperands(s, 1))
    return;
  llvm::BasicBlock *target = block(s.operands[0].name, s.scope);
  if (s.guard.empty()) {
    builder_.CreateBr(target);
    return;
  }
  Operand guard;
  guard.name = s.guard;
  guard.negated = s.guardNegated;
  llvm::BasicBlock *next = llvm::BasicBlock::Create(context_, "", &function_);
  builder_.CreateCondBr(readPredicate(guard), target, next);
  builder_.SetInsertPoint(next);
}

void Lowering::lowerBranchIndexed(const Statement &s, const Opcode &) {
  if (!expectOperands(s, 2))
    return;
  auto targets = text_.branchTargets.find(s.operands[1].name);
  if (targets == text_.branchTargets.end())
    return fail("there are no branch targets '" + s.operands[1].name + "'");
  Value *index = read(s.operands[0], integer(32));
  llvm::BasicBlock *none = llvm::BasicBlock::Create(context_, "", &function_);
  llvm::SwitchInst *chosen =
      builder_.CreateSwitch(index, none, targets->second.size());
  for (auto [i, label] : llvm::enumerate(targets->second))
    chosen->addCase(builder_.getInt32(i), block(label, s.scope));
  builder_.SetInsertPoint(none);
  builder_.CreateUnreachable();
}

void Lowering::lowerReturn(const Statement &, const Opcode &) {
  llvm::Type *type = function_.getReturnType();
  if (type->isVoidTy()) {
    builder_.CreateRetVoid();
    return;
  }
  llvm::AllocaInst *kept = returnSlots_.front();
  llvm::LoadInst *value = builder_.CreateLoad(kept->getAllocatedType(), kept);
  markParameter(value);
  builder_.CreateRet(coerce(value, type, false));
}

void Lowering::lowerExit(const Statement &s, const Opcode &op) {
  if (text_.isKernel)
    return lowerReturn(s, op);
  intrinsic("llvm.nvvm.exit", {});
  builder_.CreateUnreachable();
}

void Lowering::lowerTrap(const Statement &, const Opcode &op) {
  intrinsic(op.name == "trap" ? "llvm.trap" : "llvm.debugtrap", {});
}

llvm::Type *Lowering::typeOfResult(const Operand &o) {
  unsigned index = 0;
  if (findVariable(o.name, index))
    return localVariable(index)->getAllocatedType();
  if (Register *r = findRegister(o.name))
    return r->slot->getAllocatedType();
  return llvm::Type::getVoidTy(context_);
}

/// Returns a call's argument as type `as`, or unchanged if `as` is null. An
/// array parameter is passed as the address of its copy.
Value *Lowering::argument(const Operand &o, llvm::Type *as) {
  unsigned index = 0;
  if (o.kind == Operand::Name && findVariable(o.name, index)) {
    llvm::AllocaInst *kept = localVariable(index);
    if (kept->getAllocatedType()->isArrayTy())
      return kept;
    Value *value = builder_.CreateLoad(kept->getAllocatedType(), kept);
    return as && !as->isPointerTy() ? coerce(value, as, false) : value;
  }
  if (as && !as->isPointerTy())
    return read(o, as);
  if (Register *r = o.kind == Operand::Name ? findRegister(o.name) : nullptr)
    return builder_.CreateLoad(r->slot->getAllocatedType(), r->slot);
  return read(o, integer(o.kind == Operand::Integer ? 32 : 64));
}

void Lowering::lowerCall(const Statement &s, const Opcode &) {
  llvm::ArrayRef<Operand> operands = s.operands;
  llvm::ArrayRef<Operand> results, arguments;
  if (!operands.empty() && operands[0].kind == Operand::List) {
    results = operands[0].parts;
    operands = operands.drop_front();
  }
  if (operands.empty() || operands[0].kind != Operand::Name)
    return fail("'" + s.name + "' names no function");
  const Operand &target = operands[0];
  if (operands.size() > 1 && operands[1].kind == Operand::List)
    arguments = operands[1].parts;

  llvm::Function *known = symbols_.functions.lookup(target.name);
  // Ignores a declaration that does not match the call.
  if (known && known->arg_size() != arguments.size())
    known = nullptr;
  llvm::SmallVector<Value *, 8> values;
  llvm::SmallVector<llvm::Type *, 8> types;
  for (auto [i, o] : llvm::enumerate(arguments)) {
    llvm::Type *wanted = known ? known->getArg(i)->getType() : nullptr;
    values.push_back(argument(o, wanted));
    types.push_back(values.back()->getType());
  }
  llvm::Type *result = results.empty() ? llvm::Type::getVoidTy(context_)
                                       : typeOfResult(results[0]);
  llvm::Type *returned = known ? known->getReturnType() : result;
  auto *signature = llvm::FunctionType::get(returned, types, false);
  if (known && known->getFunctionType() != signature)
    known = nullptr;

  Value *value = nullptr;
  if (known) {
    llvm::CallInst *call = builder_.CreateCall(known, values);
    call->setAttributes(known->getAttributes());
    value = call;
  } else if (findRegister(target.name)) {
    Value *address = read(target, integer(64));
    value = builder_.CreateCall(
        llvm::FunctionType::get(result, types, false),
        builder_.CreateIntToPtr(address, builder_.getPtrTy()), values);
  } else {
    value = opaque(target.name, result, values, /*isPure=*/false);
  }
  if (results.empty() || result->isVoidTy() || value->getType()->isVoidTy())
    return;
  unsigned index = 0;
  if (!findVariable(results[0].name, index))
    return write(results[0], value);
  llvm::AllocaInst *kept = localVariable(index);
  if (value->getType() != kept->getAllocatedType()) {
    if (!value->getType()->isSingleValueType() ||
        !kept->getAllocatedType()->isSingleValueType())
      return fail("the result of '" + target.name + "' does not fit");
    value = coerce(value, kept->getAllocatedType(), false);
  }
  markParameter(builder_.CreateStore(value, kept));
}

const llvm::StringMap<Lowering::Entry> &Lowering::table() {
  constexpr bool select = true;
  static const llvm::StringMap<Entry> entries = {
      {"bra", {&Lowering::lowerBranch}},
      {"brx", {&Lowering::lowerBranchIndexed}},
      {"ret", {&Lowering::lowerReturn}},
      {"exit", {&Lowering::lowerExit}},
      {"trap", {&Lowering::lowerTrap}},
      {"brkpt", {&Lowering::lowerTrap}},
      {"call", {&Lowering::lowerCall}},

      {"ld", {&Lowering::lowerLoad}},
      {"ldu", {&Lowering::lowerLoad}},
      {"st", {&Lowering::lowerStore}},
      {"atom", {&Lowering::lowerAtomic}},
      {"red", {&Lowering::lowerAtomic}},
      {"cp", {&Lowering::lowerCopy}},
      {"prefetch", {&Lowering::lowerPrefetch}},
      {"membar", {&Lowering::lowerFence}},
      {"fence", {&Lowering::lowerFence}},

      {"mov", {&Lowering::lowerMove, select}},
      {"add", {&Lowering::lowerAdd, select}},
      {"addc", {&Lowering::lowerAdd, select}},
      {"sub", {&Lowering::lowerAdd, select}},
      {"subc", {&Lowering::lowerAdd, select}},
      {"mul", {&Lowering::lowerMultiply, select}},
      {"mad", {&Lowering::lowerMultiply, select}},
      {"madc", {&Lowering::lowerMultiply, select}},
      {"fma", {&Lowering::lowerMultiply, select}},
      {"mul24", {&Lowering::lowerMultiply24, select}},
      {"mad24", {&Lowering::lowerMultiply24, select}},
      {"div", {&Lowering::lowerDivide}},
      {"rem", {&Lowering::lowerDivide}},
      {"min", {&Lowering::lowerBinary, select}},
      {"max", {&Lowering::lowerBinary, select}},
      {"and", {&Lowering::lowerBinary, select}},
      {"or", {&Lowering::lowerBinary, select}},
      {"xor", {&Lowering::lowerBinary, select}},
      {"sad", {&Lowering::lowerBinary, select}},
      {"copysign", {&Lowering::lowerBinary, select}},
      {"abs", {&Lowering::lowerUnary, select}},
      {"neg", {&Lowering::lowerUnary, select}},
      {"not", {&Lowering::lowerUnary, select}},
      {"cnot", {&Lowering::lowerUnary, select}},
      {"popc", {&Lowering::lowerBits, select}},
      {"clz", {&Lowering::lowerBits, select}},
      {"brev", {&Lowering::lowerBits, select}},
      {"bfind", {&Lowering::lowerBits, select}},
      {"prmt", {&Lowering::lowerBits, select}},
      {"fns", {&Lowering::lowerBits, select}},
      {"shl", {&Lowering::lowerShift, select}},
      {"shr", {&Lowering::lowerShift, select}},
      {"shf", {&Lowering::lowerFunnel, select}},
      {"bfe", {&Lowering::lowerBitField, select}},
      {"bfi", {&Lowering::lowerBitField, select}},
      {"bmsk", {&Lowering::lowerBitMask, select}},
      {"szext", {&Lowering::lowerBitMask, select}},
      {"lop3", {&Lowering::lowerLogic3, select}},
      {"dp4a", {&Lowering::lowerDot, select}},
      {"dp2a", {&Lowering::lowerDot, select}},
      {"set", {&Lowering::lowerCompare, select}},
      {"setp", {&Lowering::lowerCompare, select}},
      {"selp", {&Lowering::lowerSelect, select}},
      {"slct", {&Lowering::lowerSelect, select}},
      {"cvt", {&Lowering::lowerConvert, select}},
      {"cvta", {&Lowering::lowerAddressConvert, select}},
      {"isspacep", {&Lowering::lowerAddressConvert, select}},
      {"sqrt", {&Lowering::lowerFloat, select}},
      {"rsqrt", {&Lowering::lowerFloat, select}},
      {"rcp", {&Lowering::lowerFloat, select}},
      {"sin", {&Lowering::lowerFloat, select}},
      {"cos", {&Lowering::lowerFloat, select}},
      {"ex2", {&Lowering::lowerFloat, select}},
      {"lg2", {&Lowering::lowerFloat, select}},
      {"tanh", {&Lowering::lowerFloat, select}},

      {"shfl", {&Lowering::lowerShuffle}},
      {"vote", {&Lowering::lowerVote}},
      {"match", {&Lowering::lowerMatch}},
      {"redux", {&Lowering::lowerReduce}},
      {"activemask", {&Lowering::lowerActiveMask}},
      {"elect", {&Lowering::lowerElect}},
      {"bar", {&Lowering::lowerBarrier}},
      {"barrier", {&Lowering::lowerBarrier}},
  };
  return entries;
}

} // namespace warplint::ptx
