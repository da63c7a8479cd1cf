#include "ir/access_names.h"
#include "ir/frames.h"
#include "ir/parameter_members.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

namespace {

/// Returns true for a load of a class's member, whose base and access types
/// differ in TBAA.
bool isMember(const llvm::Instruction &load) {
  const llvm::MDNode *tag = load.getMetadata(llvm::LLVMContext::MD_tbaa);
  return !tag || tag->getNumOperands() < 2 ||
         tag->getOperand(0) != tag->getOperand(1);
}

/// Returns true for a load of an index that a library's array gets by
/// reference.
bool isIndex(const llvm::Instruction &instruction, const Names &names) {
  const llvm::DILocation *location = instruction.getDebugLoc();
  return llvm::isa<llvm::LoadInst>(instruction) &&
         instruction.getType()->isIntegerTy() && location &&
         !names.file(location->getFile()).isUser && !isMember(instruction);
}

/// Returns the innermost structure of a by-value argument that a load reads a
/// part of; null if it has no such place.
const llvm::StructType *structureOf(const llvm::LoadInst &load,
                                    const llvm::Argument &argument) {
  const llvm::DataLayout &layout = load.getDataLayout();
  llvm::APInt offset(
      layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  if (load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          layout, offset, /*AllowNonInbounds=*/true) != &argument)
    return nullptr;
  const llvm::StructType *inner = nullptr;
  llvm::Type *type = argument.getParamByValType();
  while (auto *whole = llvm::dyn_cast_or_null<llvm::StructType>(type)) {
    const llvm::StructLayout &parts = *layout.getStructLayout(whole);
    if (offset.isNegative() || offset.uge(parts.getSizeInBytes()))
      return nullptr;
    const unsigned part =
        parts.getElementContainingOffset(offset.getZExtValue());
    offset -= parts.getElementOffset(part).getFixedValue();
    inner = whole;
    type = whole->getElementType(part);
  }
  return inner;
}

/// Returns true for a load from an array that is a kernel's parameter, or that
/// its function object has captured, such as one of its strides: its index is
/// not in there.
bool isOfArray(const llvm::Instruction &instruction, const NamedAccess &array) {
  auto &load = llvm::cast<llvm::LoadInst>(instruction);
  auto *argument = llvm::dyn_cast<llvm::Argument>(
      llvm::getUnderlyingObject(load.getPointerOperand()));
  if (!argument || !argument->hasByValAttr())
    return false;
  if (argument->getName() == array.object)
    return true;
  const llvm::StructType *structure = structureOf(load, *argument);
  if (!structure || !structure->hasName())
    return false;
  llvm::StringRef name = structure->getName();
  return (name.consume_front("class.") || name.consume_front("struct.")) &&
         name.starts_with("Kokkos::");
}

/// Names the index that the `a(i, j)` at `location` loads: the only one, or
/// the only one that is more than a variable's name.
NamedAccess indexName(const NamedAccess &array,
                      const llvm::DILocation *location, const Names &names) {
  auto indexes = names.indexes.find(placeOf(location, names));
  if (indexes == names.indexes.end())
    return array;
  std::vector<std::string> loaded = indexes->second.texts;
  if (loaded.size() > 1)
    llvm::erase_if(loaded, [](llvm::StringRef text) {
      return text.find_first_of("([.>*") == text.npos;
    });
  NamedAccess index = array;
  index.text = loaded.size() == 1 ? loaded.front()
                                  : "(an index of " + array.object + ")";
  index.object = llvm::StringRef(index.text).split('(').first.str();
  if (index.object.empty())
    index.object = index.text;
  return index;
}

/// The operand of a call that the access is to, if there are several: the one
/// in `object`.
NamedAccess operandIn(llvm::StringRef object, const NamedAccess &call) {
  if (call.operands.empty() || object.empty())
    return call;
  const NamedAccess *found = nullptr;
  unsigned count = 0;
  for (const NamedAccess &operand : call.operands)
    if (operand.object == object) {
      found = &operand;
      ++count;
    }
  if (count == 1)
    return *found;
  // A function may read memory of its own, an operator does not.
  if (!count && call.isCall)
    return call;
  NamedAccess either = call;
  either.text = call.whole;
  either.object = object.str();
  either.isCall = false;
  return either;
}

/// Returns true for assembly, whose place has no expression that could name
/// what it accesses.
bool isAssembly(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->isInlineAsm();
}

/// Returns true if `word` stands in `text`, and not within a longer word.
bool hasWord(llvm::StringRef text, llvm::StringRef word) {
  const auto isPart = [](llvm::StringRef c) {
    return !c.empty() && (llvm::isAlnum(c.front()) || c.front() == '_');
  };
  for (size_t at = text.find(word); at != llvm::StringRef::npos;
       at = text.find(word, at + 1))
    if (!isPart(text.take_front(at).take_back()) &&
        !isPart(text.drop_front(at + word.size())))
      return true;
  return false;
}

/// The name of an access that has the place of `named`. Assembly in a function
/// has the name of the call, `ldcs(&b[i])`, but the object's where the call
/// does not name the object: `loadTile(k)`.
NamedAccess nameAt(const NamedAccess &named,
                   const llvm::Instruction &instruction,
                   llvm::StringRef object) {
  NamedAccess name = operandIn(object, named);
  if (name.isCall && isAssembly(instruction) && !object.empty() &&
      !hasWord(name.text, object))
    name.text = name.object = object.str();
  return name;
}

/// The text of what is `rest` of an object: "p[i].q", and "p->q" of a pointer.
std::string memberOf(const NamedAccess &object, llvm::StringRef rest) {
  if (object.text.empty()) // the caller's own 'this'
    return rest.ltrim('.').str();
  if (object.isPointer && rest.consume_front("."))
    return object.text + "->" + rest.str();
  return object.text + rest.str();
}

/// Returns true for an access to a thread's own variable.
bool isOfVariable(const llvm::Instruction &instruction) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer &&
         llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

/// Names what a function accesses in its caller's memory as the caller does:
/// 'particles[i].q' is 'p.q' where `particles[i]` is passed by reference. An
/// array in a variable keeps its own name, which the class gives it: that is
/// what has to go into registers.
NamedAccess inCallersWords(NamedAccess name, const llvm::DILocation *location,
                           const Names &names) {
  while (name.passed && (location = location->getInlinedAt())) {
    auto call = names.passed.find(placeOf(location, names));
    if (call == names.passed.end())
      break;
    auto object = call->second.find(*name.passed);
    if (object == call->second.end())
      break;
    name.text = memberOf(object->second, name.rest);
    name.object =
        object->second.text.empty() ? name.text : object->second.object;
    name.passed = object->second.passed;
    name.rest = object->second.rest + name.rest;
  }
  return name;
}

} // namespace

const llvm::DILocation *indexComputedAt(const llvm::Instruction &instruction,
                                        const Names &names) {
  if (!isIndex(instruction, names))
    return nullptr;
  auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(
      llvm::cast<llvm::LoadInst>(instruction).getPointerOperand());
  const llvm::DILocation *location = step ? step->getDebugLoc() : nullptr;
  const Place there = framesOf(location, names).place,
              here = framesOf(instruction.getDebugLoc(), names).place;
  return there.file == here.file && there.line == here.line &&
                 there.column != here.column
             ? location
             : nullptr;
}

std::optional<NamedAccess> nameOfAccess(const llvm::Instruction &instruction,
                                        Operation operation, unsigned bytes,
                                        llvm::StringRef object,
                                        const Names &names) {
  const AccessNames &known =
      operation == Operation::Load ? names.loads : names.stores;
  bool isPointer =
      operation == Operation::Load && instruction.getType()->isPointerTy();
  const llvm::DILocation *index = indexComputedAt(instruction, names);
  // Uses the innermost frame that the AST has a name for: an accessor's own
  // `data_[i]` says less than the `a(i, j)` that called it, but is exact.
  for (const llvm::DILocation *location =
           index ? index : instruction.getDebugLoc().get();
       location; location = location->getInlinedAt())
    if (const NamedAccess *name =
            known.find(placeOf(location, names), bytes, isPointer, object)) {
      if (!index && isIndex(instruction, names) &&
          !isOfArray(instruction, *name))
        return indexName(*name, location, names);
      NamedAccess own = nameAt(*name, instruction, object);
      // A body names other objects as well, and joined with its arguments it
      // is long: a text that was cut off names nothing.
      if (!own.macro.empty() && !object.empty() &&
          (own.object != object || llvm::StringRef(own.text).ends_with("...")))
        own.text = own.object = object.str();
      return isOfVariable(instruction) ? own
                                       : inCallersWords(own, location, names);
    }
  return std::nullopt;
}

std::string nameOfLoad(const llvm::Instruction &instruction,
                       const Names &names) {
  // A copy of a parameter is read where the whole of it is named, or at the
  // beginning of the kernel.
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    if (std::string member = parameterMember(*load, names); !member.empty())
      return member;
  unsigned bytes =
      instruction.getDataLayout().getTypeStoreSize(instruction.getType());
  auto name = nameOfAccess(instruction, Operation::Load, bytes, "", names);
  if (!name || !name->macro.empty())
    return ""; // what the IR calls the object says more
  // A size that a library's `a(i, j)` loads is not a(i, j) itself. The 16 bits
  // that the constructor of a half copies are.
  constexpr unsigned bitsOfSizes = 32;
  const llvm::DILocation *location = instruction.getDebugLoc();
  bool isSize =
      instruction.getType()->isIntegerTy() &&
      instruction.getType()->getIntegerBitWidth() >= bitsOfSizes &&
      (!isIndex(instruction, names) || isOfArray(instruction, *name)) &&
      !name->isPointer && location && !names.file(location->getFile()).isUser;
  if (!isSize)
    return name->text;
  if (!name->isCall)
    return name->object.empty() || name->object == name->text
               ? name->text
               : "(a size of " + name->object + ")";
  // `a.size()` is short enough.
  auto [callee, arguments] = llvm::StringRef(name->text).split('(');
  if (arguments == ")")
    return name->text;
  const llvm::StringRef last = callee.rsplit("::").second;
  return "(a size of " + (last.empty() ? callee : last).str() + "(...))";
}

} // namespace warplint
