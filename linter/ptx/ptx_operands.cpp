// Lowers registers, operands and addresses.
#include "ptx/ptx_lowering.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/ValueSymbolTable.h"

using llvm::StringRef;
using llvm::Value;

namespace warplint::ptx {

unsigned addressSpace(Space space) {
  switch (space) {
  case Space::Global:
    return 1;
  case Space::Shared:
    return 3;
  case Space::Const:
    return 4;
  case Space::Local:
    return 5;
  case Space::Generic:
  case Space::Param: // in IR an argument, or a stack slot of the caller
  case Space::Reg:
    return 0;
  }
  return 0;
}

llvm::Type *irType(Type type, llvm::LLVMContext &context) {
  llvm::Type *element = llvm::Type::getIntNTy(context, type.bits);
  if (type.kind == Type::BFloat)
    element = llvm::Type::getBFloatTy(context);
  else if (type.kind == Type::Float)
    element = type.bits == 16   ? llvm::Type::getHalfTy(context)
              : type.bits == 32 ? llvm::Type::getFloatTy(context)
                                : llvm::Type::getDoubleTy(context);
  if (type.lanes == 1)
    return element;
  return llvm::FixedVectorType::get(element, type.lanes);
}

llvm::AllocaInst *Lowering::slot(llvm::Type *type, StringRef name) {
  return slots_.CreateAlloca(type, nullptr, name.ltrim('%'));
}

Lowering::Register *Lowering::findRegister(StringRef name) {
  for (int i = scope_; i >= 0; i = text_.scopes[i].parent) {
    auto known = registers_[i].find(name);
    if (known != registers_[i].end())
      return &known->second;
    const Scope &scope = text_.scopes[i];
    std::optional<Type> type;
    auto exact = scope.registers.find(name);
    if (exact != scope.registers.end())
      type = exact->second;
    size_t digits = name.size() - name.rtrim("0123456789").size();
    // The prefix itself may end in digits: `.reg .b32 r1_1<4>`.
    for (size_t n = digits; n && !type; --n) {
      auto range = scope.ranges.find(name.drop_back(n));
      uint64_t index = 0;
      if (range != scope.ranges.end() &&
          !name.take_back(n).getAsInteger(10, index) &&
          index < range->second.second)
        type = range->second.first;
    }
    if (!type)
      continue;
    // Narrow and packed floats are stored as integers of the same bits.
    bool isBits = type->lanes > 1 || (type->isFloat() && type->bits == 16);
    llvm::Type *kept = isBits ? integer(type->bits * type->lanes) : ir(*type);
    // The SSA values will take the register's name.
    return &(registers_[i][name] = {slot(kept, (name + ".phi").str()), *type});
  }
  return nullptr;
}

const Variable *Lowering::findVariable(StringRef name, unsigned &index) {
  for (int i = scope_; i >= 0; i = text_.scopes[i].parent) {
    auto found = text_.scopes[i].variables.find(name);
    if (found == text_.scopes[i].variables.end())
      continue;
    index = found->second;
    return &text_.variables[index];
  }
  return nullptr;
}

/// Returns the stack slot of a `.local` variable or of a call's `.param`.
llvm::AllocaInst *Lowering::localVariable(unsigned index) {
  llvm::AllocaInst *&made = locals_[index];
  if (made)
    return made;
  const Variable &v = text_.variables[index];
  bool isScalar = v.space == Space::Param && !v.isArray;
  llvm::Type *type =
      isScalar ? ir(v.type) : llvm::ArrayType::get(integer(8), v.bytes());
  made = slot(type, v.name);
  if (v.align && llvm::isPowerOf2_32(v.align))
    made->setAlignment(llvm::Align(v.align));
  return made;
}

/// Returns the pointer that a name denotes, or null.
Value *Lowering::symbolAddress(StringRef name) {
  unsigned index = 0;
  if (const Variable *v = findVariable(name, index)) {
    if (v->space == Space::Local || v->space == Space::Param)
      return localVariable(index);
    if (!globals_[index])
      globals_[index] = declare(*v, symbols_);
    return globals_[index];
  }
  if (auto found = parameters_.find(name); found != parameters_.end()) {
    llvm::Argument *argument = function_.getArg(found->second);
    return argument->getType()->isPointerTy() ? argument : nullptr;
  }
  if (auto found = returns_.find(name); found != returns_.end())
    return returnSlots_[found->second];
  if (llvm::GlobalVariable *variable = symbols_.variables.lookup(name))
    return variable;
  return symbols_.functions.lookup(name);
}

Value *Lowering::specialRegister(StringRef name) {
  if (name == "WARP_SZ")
    return builder_.getInt32(32);
  if (!name.consume_front("%"))
    return nullptr;
  // LLVM spells `%lanemask_lt` `lanemask.lt`, and other registers differ too:
  // `%cluster_ctaid.x`.
  for (char separator : {'_', '.'}) {
    std::string id = "llvm.nvvm.read.ptx.sreg." + name.str();
    std::replace(id.begin(), id.end(), '_', separator);
    if (Value *value = intrinsic(id, {}))
      return value;
  }
  return opaque(("%" + name).str(), integer(name.ends_with("64") ? 64 : 32), {},
                /*isPure=*/true);
}

static bool isSingle(llvm::Type *type) {
  return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
}

/// Reinterprets bits as another type; truncates or extends integers.
Value *Lowering::coerce(Value *value, llvm::Type *to, bool isSigned) {
  llvm::Type *from = value->getType();
  if (from == to)
    return value;
  if (from->isPointerTy()) {
    value =
        builder_.CreatePtrToInt(value, to->isIntegerTy() ? to : integer(64));
    return coerce(value, to, isSigned);
  }
  if (!isSingle(from) || !isSingle(to)) {
    fail("an operand does not fit its instruction");
    return llvm::PoisonValue::get(to);
  }
  if (!from->isIntegerTy())
    value =
        builder_.CreateBitCast(value, integer(from->getPrimitiveSizeInBits()));
  value = builder_.CreateIntCast(value, integer(to->getPrimitiveSizeInBits()),
                                 isSigned);
  return builder_.CreateBitCast(value, to);
}

Value *Lowering::readName(const Operand &o, llvm::Type *as, bool isSigned) {
  if (Register *r = findRegister(o.name)) {
    Value *value = builder_.CreateLoad(r->slot->getAllocatedType(), r->slot);
    if (o.value && value->getType()->isIntegerTy())
      value = builder_.CreateAdd(
          value, llvm::ConstantInt::getSigned(value->getType(), o.value, true));
    return coerce(value, as, isSigned);
  }
  if (Value *address = symbolAddress(o.name)) {
    Value *number =
        builder_.CreatePtrToInt(address, as->isIntegerTy() ? as : integer(64));
    if (o.value)
      number = builder_.CreateAdd(
          number,
          llvm::ConstantInt::getSigned(number->getType(), o.value, true));
    return coerce(number, as, false);
  }
  if (Value *special = specialRegister(o.name))
    return coerce(special, as, isSigned);
  fail("'" + o.name + "' is not declared");
  return llvm::PoisonValue::get(as);
}

/// Joins `{%r1, %r2}` to one value, the first in the lowest bits.
Value *Lowering::pack(const Operand &o, llvm::Type *as) {
  unsigned bits = as->getPrimitiveSizeInBits();
  if (o.parts.empty() || !isSingle(as) || bits % o.parts.size()) {
    fail("an operand does not fit its instruction");
    return llvm::PoisonValue::get(as);
  }
  unsigned width = bits / o.parts.size();
  Value *packed = nullptr;
  for (auto [i, part] : llvm::enumerate(o.parts)) {
    Value *each =
        builder_.CreateZExt(read(part, integer(width)), integer(bits));
    if (i)
      each = builder_.CreateShl(each, i * width);
    packed = packed ? builder_.CreateOr(packed, each) : each;
  }
  return coerce(packed, as, false);
}

static llvm::APFloat realValue(const Operand &o) {
  if (o.isDouble)
    return llvm::APFloat(llvm::bit_cast<double>(o.value));
  return llvm::APFloat(llvm::bit_cast<float>(static_cast<uint32_t>(o.value)));
}

Value *Lowering::read(const Operand &o, llvm::Type *as, bool isSigned) {
  switch (o.kind) {
  case Operand::Name: {
    Value *value = readName(o, as, isSigned);
    if (!o.negated)
      return value;
    return as->isIntegerTy(1)       ? builder_.CreateNot(value)
           : as->isFPOrFPVectorTy() ? builder_.CreateFNeg(value)
                                    : builder_.CreateNeg(value);
  }
  case Operand::Integer:
    if (as->isIntegerTy(1))
      return builder_.getInt1((o.value != 0) != o.negated);
    if (as->isIntegerTy())
      return llvm::ConstantInt::getSigned(as, o.value, /*ImplicitTrunc=*/true);
    if (as->isFloatingPointTy())
      return llvm::ConstantFP::get(as, static_cast<double>(o.value));
    return coerce(builder_.getInt64(o.value), as, isSigned);
  case Operand::Real: {
    if (!as->isFloatingPointTy())
      return coerce(o.isDouble ? builder_.getInt64(o.value)
                               : builder_.getInt32(o.value),
                    as, false);
    llvm::APFloat value = realValue(o);
    bool isInexact = false;
    value.convert(as->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &isInexact);
    return llvm::ConstantFP::get(as, value);
  }
  case Operand::List:
    return pack(o, as);
  case Operand::Address:
    return coerce(pointer(o, Space::Generic), as, false);
  case Operand::Pair:
    return read(o.parts.front(), as, isSigned);
  }
  return llvm::PoisonValue::get(as);
}

Value *Lowering::readPredicate(const Operand &o) {
  return read(o, builder_.getInt1Ty());
}

void Lowering::write(const Operand &o, Value *value, bool isSigned) {
  if (o.kind == Operand::Pair)
    return write(o.parts.front(), value, isSigned);
  if (o.kind == Operand::List)
    return unpack(o, value);
  if (o.kind != Operand::Name)
    return fail("a result goes to something that is no register");
  if (o.name == "_")
    return;
  Register *r = findRegister(o.name);
  if (!r)
    return fail("the register '" + o.name + "' is not declared");
  llvm::Type *type = r->slot->getAllocatedType();
  value = coerce(value, type, isSigned);
  if (selectGuard_)
    value = builder_.CreateSelect(selectGuard_, value,
                                  builder_.CreateLoad(type, r->slot));
  if (llvm::isa<llvm::Instruction>(value) && !value->hasName()) {
    // A dot separates LLVM's counter from the register's number.
    StringRef name = o.name.ltrim('%');
    bool isTaken = function_.getValueSymbolTable()->lookup(name);
    value->setName(isTaken ? name + "." : llvm::Twine(name));
  }
  builder_.CreateStore(value, r->slot);
}

void Lowering::unpack(const Operand &o, Value *value) {
  unsigned bits = value->getType()->getPrimitiveSizeInBits();
  if (o.parts.empty() || !bits || bits % o.parts.size())
    return fail("an operand does not fit its instruction");
  unsigned width = bits / o.parts.size();
  value = coerce(value, integer(bits), false);
  for (auto [i, part] : llvm::enumerate(o.parts)) {
    Value *each = i ? builder_.CreateLShr(value, i * width) : value;
    write(part, builder_.CreateTrunc(each, integer(width)));
  }
}

Value *Lowering::pointer(const Operand &address, Space space) {
  auto *type = builder_.getPtrTy(addressSpace(space));
  Value *number = nullptr;
  if (address.name.empty()) {
    return builder_.CreateIntToPtr(builder_.getInt64(address.value), type);
  } else if (Register *r = findRegister(address.name)) {
    number = builder_.CreateLoad(r->slot->getAllocatedType(), r->slot);
    if (!number->getType()->isIntegerTy(32))
      number = coerce(number, integer(64), false);
  } else if (Value *symbol = symbolAddress(address.name)) {
    if (symbol->getType() == type)
      return address.value ? builder_.CreatePtrAdd(
                                 symbol, builder_.getInt64(address.value))
                           : symbol;
    number = builder_.CreatePtrToInt(symbol, integer(64));
  } else {
    fail("'" + address.name + "' is not declared");
    return llvm::PoisonValue::get(type);
  }
  if (address.value)
    number = builder_.CreateAdd(
        number,
        llvm::ConstantInt::getSigned(number->getType(), address.value, true));
  return builder_.CreateIntToPtr(number, type);
}

/// Returns the type of the register, or registers, of a result.
llvm::Type *Lowering::typeOf(const Operand &destination) {
  if (destination.kind == Operand::Pair)
    return typeOf(destination.parts.front());
  Register *r = destination.kind == Operand::Name
                    ? findRegister(destination.name)
                    : nullptr;
  return r ? r->slot->getAllocatedType() : integer(32);
}

} // namespace warplint::ptx
