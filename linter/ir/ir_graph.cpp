#include "ir/ir_graph.h"
#include "ir/inline_asm.h"
#include "ir/known_members.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace warplint {

namespace {

bool isPointer(const llvm::Value *value) {
  return value->getType()->isPointerTy();
}

std::optional<Op> operation(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::Add:
    return Op::Add;
  case llvm::Instruction::Sub:
    return Op::Subtract;
  case llvm::Instruction::Mul:
    return Op::Multiply;
  case llvm::Instruction::SDiv:
    return Op::DivideSigned;
  case llvm::Instruction::UDiv:
    return Op::DivideUnsigned;
  case llvm::Instruction::SRem:
    return Op::RemainderSigned;
  case llvm::Instruction::URem:
    return Op::RemainderUnsigned;
  case llvm::Instruction::Shl:
    return Op::ShiftLeft;
  case llvm::Instruction::AShr:
    return Op::ShiftRightSigned;
  case llvm::Instruction::LShr:
    return Op::ShiftRightUnsigned;
  case llvm::Instruction::And:
    return Op::And;
  case llvm::Instruction::Or:
    return Op::Or;
  case llvm::Instruction::Xor:
    return Op::Xor;
  default:
    return std::nullopt;
  }
}

struct Comparison {
  Op op;
  bool swapped;
};

Comparison comparison(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return {Op::Equal, false};
  case llvm::CmpInst::ICMP_NE:
    return {Op::NotEqual, false};
  case llvm::CmpInst::ICMP_SLT:
    return {Op::LessSigned, false};
  case llvm::CmpInst::ICMP_SLE:
    return {Op::LessEqualSigned, false};
  case llvm::CmpInst::ICMP_SGT:
    return {Op::LessSigned, true};
  case llvm::CmpInst::ICMP_SGE:
    return {Op::LessEqualSigned, true};
  case llvm::CmpInst::ICMP_ULT:
    return {Op::LessUnsigned, false};
  case llvm::CmpInst::ICMP_ULE:
    return {Op::LessEqualUnsigned, false};
  case llvm::CmpInst::ICMP_UGT:
    return {Op::LessUnsigned, true};
  default: // ICMP_UGE
    return {Op::LessEqualUnsigned, true};
  }
}

} // namespace

std::string plainFunction(const llvm::Function &function) {
  if (llvm::DISubprogram *subprogram = function.getSubprogram())
    return subprogram->getName().str();
  std::string name = llvm::demangle(function.getName());
  return name.substr(0, name.find('('));
}

namespace {

/// Strips the suffixes that Clang adds to names, as in `a.addr` and `p.coerce`.
std::string plainName(llvm::StringRef name) {
  for (llvm::StringRef suffix : {".addr", ".coerce", ".indirect"})
    if (size_t at = name.find(suffix); at != llvm::StringRef::npos)
      name = name.take_front(at);
  return name.str();
}

} // namespace

const llvm::Value *objectBehind(const llvm::Value *pointer) {
  constexpr unsigned far = 20; // address computations in a row
  const llvm::Value *object = llvm::getUnderlyingObject(pointer, far);
  llvm::SmallVector<const llvm::Value *, 4> all;
  llvm::getUnderlyingObjects(pointer, all, nullptr, far);
  // A pointer that a loop increments is also computed from itself.
  llvm::erase_if(all, [](const llvm::Value *value) {
    return llvm::isa<llvm::PHINode>(value);
  });
  return all.size() == 1 ? all.front() : object;
}

/// The bytes of each argument that is a structure, 0 for others.
static llvm::SmallVector<uint64_t>
structuresOf(const llvm::Function &function) {
  llvm::SmallVector<uint64_t> bytes;
  for (const llvm::Argument &argument : function.args()) {
    llvm::Type *type = argument.getParamByValType();
    bytes.push_back(
        type && type->isAggregateType()
            ? uint64_t(function.getDataLayout().getTypeAllocSize(type))
            : 0);
  }
  return bytes;
}

IrGraph::IrGraph(llvm::Function &function, FunctionAnalyses analyses,
                 Kernel &kernel,
                 std::function<std::string(const llvm::Instruction &)> nameOf)
    : function_(function), analyses_(analyses), kernel_(kernel),
      graph_(kernel.graph), layout_(function.getParent()->getDataLayout()),
      argumentBytes_(structuresOf(function)), nameOf_(std::move(nameOf)) {
  for (llvm::Loop *loop : analyses_.loops.getLoopsInPreorder()) {
    loopIds_[loop] = loopOrder_.size();
    loopOrder_.push_back(loop);
  }
}

unsigned IrGraph::bits(const llvm::Type *type) const {
  if (type->isPointerTy())
    return 64;
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return type->getIntegerBitWidth();
  return 0;
}

std::vector<LoopId> IrGraph::loopsAround(const llvm::BasicBlock *block) const {
  std::vector<LoopId> ids;
  for (const llvm::Loop *loop = analyses_.loops.getLoopFor(block); loop;
       loop = loop->getParentLoop())
    ids.insert(ids.begin(), loopId(loop));
  return ids;
}

ObjectId IrGraph::object(const llvm::Value *key, Object object) {
  auto [it, fresh] = objects_.try_emplace(key, kernel_.objects.size());
  if (fresh)
    kernel_.objects.push_back(std::move(object));
  return it->second;
}

void IrGraph::addPointers() {
  for (const llvm::Argument &argument : function_.args()) {
    if (!isPointer(&argument) || !objects_.contains(&argument) ||
        argument.hasByValAttr())
      continue;
    const ValueId named =
        graph_.unknown(Op::Parameter, plainName(argument.getName()), 64, true);
    graph_.make(Op::Parameter, 64, {graph_.constant(argument.getArgNo(), 32)},
                graph_.node(named).number, true);
  }
}

// --- values -----------------------------------------------------------------

template <class Question> ValueId IrGraph::settled(Question question) {
  ++asking_;
  ValueId id = question();
  --asking_;
  settleCarried();
  return id;
}

void IrGraph::settleCarried() {
  while (asking_ == 0 && !carried_.empty()) {
    auto settle = std::move(carried_.back());
    carried_.pop_back();
    ++asking_;
    settle();
    --asking_;
  }
}

ValueId IrGraph::value(const llvm::Value *value,
                       const llvm::BasicBlock *context) {
  return settled([&] { return valueIn(value, context); });
}
ValueId IrGraph::reach(const llvm::BasicBlock *block) {
  return settled([&] { return reachOf(block, &function_.getEntryBlock()); });
}
ValueId IrGraph::edge(const llvm::BasicBlock *from,
                      const llvm::BasicBlock *to) {
  return settled([&] { return edgeOf(from, to, &function_.getEntryBlock()); });
}

ValueId IrGraph::valueIn(const llvm::Value *value,
                         const llvm::BasicBlock *context) {
  ValueId id = convert(value);
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return id;
  for (const llvm::Loop *loop =
           analyses_.loops.getLoopFor(instruction->getParent());
       loop && !loop->contains(context); loop = loop->getParentLoop()) {
    const Node node = graph_.node(id);
    if (node.op != Op::Constant && node.op != Op::Base)
      id = graph_.make(Op::Final, node.bits, {id}, loopId(loop), node.pointer);
  }
  return id;
}

ValueId IrGraph::convert(const llvm::Value *value) {
  if (auto it = values_.find(value); it != values_.end())
    return it->second;
  ValueId id;
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
    id = this->constant(constant);
  else if (auto *argument = llvm::dyn_cast<llvm::Argument>(value))
    id = this->argument(argument);
  else if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(value))
    id = this->instruction(instruction);
  else
    id = graph_.unknown(Op::Varying, "", bits(value->getType()), false);
  return values_[value] = id;
}

bool isInConstantMemory(const llvm::GlobalVariable &variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> debug;
  variable.getDebugInfo(debug);
  // Clang puts every `const` variable into constant memory, also those inside
  // functions; nvcc does not.
  bool isLocal = !debug.empty() && llvm::isa_and_nonnull<llvm::DILocalScope>(
                                       debug[0]->getVariable()->getScope());
  if (variable.getAddressSpace() == 4)
    return !isLocal && !variable.hasMetadata("warplint.global");
  return variable.isConstant() && variable.hasPrivateLinkage();
}

ValueId IrGraph::argument(const llvm::Argument *argument) {
  std::string name = plainName(argument->getName());
  if (argument->hasByValAttr())
    return graph_.base(
        object(argument, {name, Space::Parameter,
                          argument->getPassPointeeByValueCopySize(
                              argument->getParent()->getDataLayout())}));
  if (isPointer(argument))
    return graph_.base(object(argument, {name, Space::Global, 0}));
  return graph_.parameter(argument->getArgNo(), name,
                          bits(argument->getType()));
}

/// Sets the bytes of a row and of an element of an array of arrays.
void IrGraph::setRows(llvm::Type *type, Object &object) const {
  auto *outer = llvm::dyn_cast<llvm::ArrayType>(type);
  auto *row = outer ? llvm::dyn_cast<llvm::ArrayType>(outer->getElementType())
                    : nullptr;
  if (!row)
    return;
  while (auto *inner = llvm::dyn_cast<llvm::ArrayType>(row->getElementType()))
    row = inner;
  object.rowBytes = layout_.getTypeAllocSize(row);
  object.elementBytes = layout_.getTypeAllocSize(row->getElementType());
}

static bool isFloat(const llvm::Type *type) {
  return type->isFloatTy() || type->isDoubleTy();
}

ValueId IrGraph::constant(const llvm::Constant *constant) {
  unsigned width = bits(constant->getType());
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(constant))
    if (width)
      return graph_.constant(integer->getZExtValue(), width);
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant);
      number && isFloat(number->getType()))
    return graph_.constant(llvm::bit_cast<uint64_t>(
                               number->getType()->isFloatTy()
                                   ? number->getValueAPF().convertToFloat()
                                   : number->getValueAPF().convertToDouble()),
                           0);
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(constant))
    return graph_.constant(0, width ? width : 1);
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
    unsigned space = variable->getAddressSpace();
    uint64_t bytes = layout_.getTypeAllocSize(variable->getValueType());
    Space where = space == 3                      ? Space::Shared
                  : isInConstantMemory(*variable) ? Space::Constant
                                                  : Space::Global;
    Object object{variable->getName().str(), where, bytes};
    setRows(variable->getValueType(), object);
    return graph_.base(this->object(variable, std::move(object)));
  }
  if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(constant)) {
    if (expression->getOpcode() == llvm::Instruction::GetElementPtr)
      return address(expression, &function_.getEntryBlock());
    if (expression->isCast()) {
      ValueId operand = convert(expression->getOperand(0));
      return graph_.make(Op::Resize, width ? width : 64, {operand}, 0,
                         isPointer(expression));
    }
    auto op = operation(expression->getOpcode());
    if (op && width)
      return graph_.make(*op, width,
                         {convert(expression->getOperand(0)),
                          convert(expression->getOperand(1))});
  }
  return graph_.unknown(Op::Uniform, "a constant", width, isPointer(constant));
}

ValueId IrGraph::opaque(const llvm::Instruction *instruction,
                        llvm::StringRef text) {
  std::vector<ValueId> operands;
  for (const llvm::Use &use : instruction->operands()) {
    if (llvm::isa<llvm::BasicBlock, llvm::Function, llvm::InlineAsm,
                  llvm::MetadataAsValue>(use))
      continue;
    operands.push_back(valueIn(use, instruction->getParent()));
  }
  return graph_.opaque(text, bits(instruction->getType()),
                       isPointer(instruction), operands);
}

namespace {

/// The load that an integer is extracted from, and the byte offset in it:
/// copies of structures move pieces larger than their fields.
struct PartOfLoad {
  const llvm::LoadInst *load = nullptr;
  uint64_t at = 0;
};

PartOfLoad partOfLoad(const llvm::Value *value) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
    return {load, 0};
  if (auto *cut = llvm::dyn_cast<llvm::TruncInst>(value))
    return partOfLoad(cut->getOperand(0));
  auto *shift = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!shift || shift->getOpcode() != llvm::Instruction::LShr)
    return {};
  auto *by = llvm::dyn_cast<llvm::ConstantInt>(shift->getOperand(1));
  PartOfLoad part = partOfLoad(shift->getOperand(0));
  if (!by || by->getZExtValue() % 8)
    return {};
  part.at += by->getZExtValue() / 8;
  return part;
}

} // namespace

/// The text of an operation on floats (model/float_operation.h); empty if it is
/// another.
static std::string floatInstruction(const llvm::Instruction &instruction) {
  const llvm::Type *type = instruction.getType();
  const llvm::Type *from = instruction.getNumOperands()
                               ? instruction.getOperand(0)->getType()
                               : type;
  const unsigned bits = isFloat(type) ? type->getScalarSizeInBits()
                        : isFloat(from) ? from->getScalarSizeInBits()
                                        : 0;
  std::string name = instruction.getOpcodeName();
  auto isFollowed = [](const llvm::Type *type) {
    return isFloat(type) || (type->isIntegerTy() &&
                             type->getIntegerBitWidth() <= 64);
  };
  if (!bits || !isFollowed(type) || !isFollowed(from))
    return "";
  if (auto *compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction))
    name += " " + compare->getPredicateName(compare->getPredicate()).str();
  else if (llvm::isa<llvm::BitCastInst>(instruction))
    name = isFloat(type) ? "frombits" : "tobits";
  else if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator,
                      llvm::CastInst>(instruction))
    return "";
  return name + " " + std::to_string(bits);
}

/// Reads a field of a structure that was copied from global or shared memory as
/// if it were loaded separately.
std::optional<ValueId> IrGraph::field(const llvm::CastInst *cast) {
  if (!llvm::isa<llvm::TruncInst, llvm::IntToPtrInst>(cast))
    return std::nullopt;
  auto [load, at] = partOfLoad(cast->getOperand(0));
  if (!load || !load->getMetadata("warplint.copy") ||
      llvm::isa<llvm::AllocaInst>(objectBehind(load->getPointerOperand())))
    return std::nullopt;
  ValueId start = valueIn(load->getPointerOperand(), load->getParent());
  ValueId from = graph_.make(Op::Add, 64, {start, graph_.constant(at, 64)});
  return loadedFrom(from, load->getPointerOperand(), at, nameOf_(*load), cast);
}

ValueId IrGraph::instruction(const llvm::Instruction *instruction) {
  const llvm::BasicBlock *block = instruction->getParent();
  unsigned width = bits(instruction->getType());
  auto operand = [&](unsigned i) {
    return valueIn(instruction->getOperand(i), block);
  };
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
    return this->phi(phi);
  if (llvm::isa<llvm::GetElementPtrInst>(instruction))
    return instruction->getType()->isVectorTy() ? opaque(instruction, "")
                                                : address(instruction, block);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
    return this->load(load, load->getPointerOperand());
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction))
    return this->call(call);
  if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(instruction)) {
    uint64_t bytes = layout_.getTypeAllocSize(own->getAllocatedType());
    return graph_.base(
        object(own, {plainName(own->getName()), Space::Local, bytes}));
  }
  if (llvm::isa<llvm::FreezeInst>(instruction))
    return operand(0);
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    return graph_.unknown(Op::Varying, "the result of an atomic", width,
                          isPointer(instruction));
  if (auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(instruction)) {
    // One component of a vector load.
    auto *load = llvm::dyn_cast<llvm::LoadInst>(element->getVectorOperand());
    auto *index = llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand());
    if (load && index && width) {
      ValueId start = valueIn(load->getPointerOperand(), load->getParent());
      const uint64_t more = index->getZExtValue() * width / 8;
      ValueId at = graph_.make(Op::Add, 64, {start, graph_.constant(more, 64)});
      return loadedFrom(at, load->getPointerOperand(), more, nameOf_(*load),
                        element);
    }
  }
  if (const std::string text = floatInstruction(*instruction); !text.empty())
    return opaque(instruction, text);
  if (!width)
    return opaque(instruction, "");
  if (llvm::isa<llvm::SelectInst>(instruction))
    return graph_.make(Op::Select, width, {operand(0), operand(1), operand(2)},
                       0, isPointer(instruction));
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
    if (!bits(compare->getOperand(0)->getType()))
      return opaque(instruction, "");
    Comparison how = comparison(compare->getPredicate());
    return graph_.make(how.op, 1,
                       {operand(how.swapped), operand(!how.swapped)});
  }
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(instruction)) {
    if (auto field = this->field(cast))
      return *field;
    if (!bits(cast->getSrcTy()))
      return opaque(instruction, "");
    ValueId from = operand(0);
    Op op = llvm::isa<llvm::SExtInst>(cast) ? Op::SignExtend : Op::Resize;
    if (op == Op::Resize && graph_.node(from).bits == width)
      return from;
    return graph_.make(op, width, {from}, 0, isPointer(instruction));
  }
  if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(instruction))
    if (auto op = operation(binary->getOpcode()))
      return graph_.make(*op, width, {operand(0), operand(1)});
  return opaque(instruction, "");
}

ValueId IrGraph::address(const llvm::Value *pointer,
                         const llvm::BasicBlock *context) {
  auto *gep = llvm::cast<llvm::GEPOperator>(pointer);
  ValueId sum = valueIn(gep->getPointerOperand(), context);
  for (auto step = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep);
       step != end; ++step) {
    ValueId offset;
    if (llvm::StructType *structure = step.getStructTypeOrNull()) {
      auto *field = llvm::cast<llvm::ConstantInt>(step.getOperand());
      offset =
          graph_.constant(layout_.getStructLayout(structure)->getElementOffset(
                              field->getZExtValue()),
                          64);
    } else {
      uint64_t size = layout_.getTypeAllocSize(step.getIndexedType());
      ValueId index = valueIn(step.getOperand(), context);
      if (graph_.node(index).bits < 64)
        index =
            graph_.node(index).op == Op::Constant
                ? graph_.constant(llvm::SignExtend64(graph_.node(index).number,
                                                     graph_.node(index).bits),
                                  64)
                : graph_.make(Op::SignExtend, 64, {index});
      offset =
          graph_.make(Op::Multiply, 64, {index, graph_.constant(size, 64)});
    }
    sum = graph_.make(Op::Add, 64, {sum, offset}, 0, true);
  }
  return sum;
}

/// Makes the node of a load from `more` bytes behind `pointer`. A number among
/// the arguments' bytes may be known to a launch.
ValueId IrGraph::loadedFrom(ValueId address, const llvm::Value *pointer,
                            uint64_t more, llvm::StringRef name,
                            const llvm::Value *result) {
  const unsigned width = bits(result->getType());
  const ValueId loaded = graph_.loaded(address, name, width, isPointer(result));
  if (isPointer(result) || width < 8)
    return loaded;
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), more);
  auto *argument =
      llvm::dyn_cast<llvm::Argument>(pointer->stripAndAccumulateConstantOffsets(
          layout_, offset, /*AllowNonInbounds=*/true));
  llvm::Type *type = argument ? argument->getParamByValType() : nullptr;
  if (!type || !type->isAggregateType() ||
      offset.uge(layout_.getTypeAllocSize(type)))
    return loaded;
  const ValueId byte = graph_.constant(
      argumentBytes_.numberOf(argument->getArgNo(), offset.getZExtValue()), 32);
  const uint64_t text = graph_.node(loaded).number;
  return graph_.make(Op::Loaded, width, {address, byte}, text);
}

ValueId IrGraph::load(const llvm::Instruction *load,
                      const llvm::Value *pointer) {
  unsigned width = bits(load->getType());
  auto *own = llvm::dyn_cast<llvm::AllocaInst>(objectBehind(pointer));
  auto *plain = llvm::dyn_cast<llvm::LoadInst>(load);
  if (own && plain)
    return forwarded(plain, own);
  std::string name = nameOf_(*load);
  // A member without a name does not take the name of its structure.
  auto *argument = llvm::dyn_cast<llvm::Argument>(objectBehind(pointer));
  if (name.empty() && !(argument && argument->hasByValAttr()))
    name = plainName(objectBehind(pointer)->getName());
  const ValueId at = valueIn(pointer, load->getParent());
  ValueId loaded = loadedFrom(at, pointer, 0, name, load);
  if (auto *table = llvm::dyn_cast<llvm::GlobalVariable>(objectBehind(pointer));
      table && table->isConstant() && table->hasDefinitiveInitializer())
    return elementOf(*table->getInitializer(), at, convert(table), load,
                     loaded);
  const llvm::MDNode *usual = load->getMetadata(usualValue);
  if (!usual)
    return loaded;
  auto *number =
      llvm::mdconst::extract<llvm::ConstantInt>(usual->getOperand(0));
  return graph_.make(Op::Usually, width, {loaded}, number->getZExtValue());
}

namespace {

/// The bytes of an object that a pointer may lead to: from `first`, plus `more`
/// bytes by which indexes into arrays of known length may move it. A pointer
/// that moves within an array passed to a function stays in the outermost known
/// array that it points into.
struct Reach {
  uint64_t first = 0, more = 0;
  uint64_t arrayFirst = 0, arrayBytes = 0; ///< no bytes: no array is known

  void enter(const llvm::Type *type, const llvm::DataLayout &layout) {
    if (arrayBytes || more || !type->isArrayTy())
      return;
    arrayFirst = first;
    arrayBytes = layout.getTypeAllocSize(const_cast<llvm::Type *>(type));
  }
  /// Moves by an unknown number of elements; returns false if that may lead
  /// anywhere.
  bool wander(uint64_t element) {
    if (arrayBytes == 0 || element > arrayBytes)
      return false;
    first = arrayFirst;
    more = arrayBytes - element;
    return true;
  }
  /// Moves by a known number of bytes; returns false if that may lead anywhere.
  bool advance(int64_t bytes, uint64_t element) {
    if (bytes == 0)
      return true;
    if (bytes < 0 || more)
      return wander(element);
    first += bytes;
    if (first >= arrayFirst + arrayBytes)
      arrayBytes = 0;
    return true;
  }
};

std::optional<Reach> reachIn(const llvm::AllocaInst *own,
                             const llvm::Value *pointer,
                             const llvm::DataLayout &layout) {
  if (pointer == own)
    return Reach();
  if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
    return reachIn(own, cast->getPointerOperand(), layout);
  auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  if (!gep)
    return std::nullopt;
  auto reach = reachIn(own, gep->getPointerOperand(), layout);
  const llvm::Type *whole = nullptr; // the indexed type; null at first
  for (auto step = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep);
       reach && step != end; ++step) {
    auto *index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    auto *array = llvm::dyn_cast_or_null<llvm::ArrayType>(whole);
    uint64_t size = layout.getTypeAllocSize(step.getIndexedType());
    bool inside = true;
    if (llvm::StructType *structure = step.getStructTypeOrNull())
      reach->first += layout.getStructLayout(structure)->getElementOffset(
          index->getZExtValue());
    else if (!whole)
      inside = index
                   ? reach->advance(index->getSExtValue() * int64_t(size), size)
                   : reach->wander(size);
    else if (index && !index->isNegative())
      reach->first += index->getZExtValue() * size;
    else if (!index && array && array->getNumElements())
      reach->more += (array->getNumElements() - 1) * size;
    else
      inside = false;
    if (!inside)
      return std::nullopt;
    whole = step.getIndexedType();
    reach->enter(whole, layout);
  }
  return reach;
}

} // namespace

namespace {

struct OwnWrite {
  const llvm::Instruction *by;
  std::optional<Reach> where;
  uint64_t bytes;

  bool mayTouch(const std::optional<Reach> &read, uint64_t size) const {
    return !read || !where ||
           (where->first + where->more + bytes > read->first &&
            read->first + read->more + size > where->first);
  }
};

} // namespace

/// All writes to one of the thread's own objects; unknown if its address
/// escapes.
struct IrGraph::OwnWrites {
  bool areKnown = false;
  std::vector<OwnWrite> all;
};

const IrGraph::OwnWrites &IrGraph::writesTo(const llvm::AllocaInst *own) {
  std::shared_ptr<const OwnWrites> &known = ownWrites_[own];
  if (known)
    return *known;
  auto writes = std::make_shared<OwnWrites>();
  known = writes;
  llvm::SmallVector<const llvm::Value *, 8> work{own};
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  while (!work.empty()) {
    const llvm::Value *pointer = work.pop_back_val();
    for (const llvm::User *user : pointer->users()) {
      if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastInst, llvm::PHINode,
                    llvm::SelectInst>(user)) {
        if (seen.insert(user).second)
          work.push_back(user);
        continue;
      }
      if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user))
        continue;
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (call && call->isLifetimeStartOrEnd())
        continue;
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
          store && store->getValueOperand() != pointer) {
        writes->all.push_back(
            {store, reachIn(own, pointer, layout_),
             layout_.getTypeStoreSize(store->getValueOperand()->getType())});
        continue;
      }
      auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(user);
      if (!memory)
        return *known; // its address escapes
      if (memory->getRawDest() != pointer)
        continue; // copied from it
      auto *length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
      writes->all.push_back(
          {memory, length ? reachIn(own, pointer, layout_) : std::nullopt,
           length ? length->getZExtValue() : 0});
    }
  }
  writes->areKnown = true;
  return *known;
}

/// Returns ", loaded from 'key[i]'" if all values in an array are loaded from
/// there.
std::string IrGraph::originOf(const OwnWrites &writes) const {
  std::string origin;
  if (!writes.areKnown)
    return origin;
  for (const OwnWrite &write : writes.all) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(write.by);
    const llvm::Value *value = store ? store->getValueOperand() : nullptr;
    while (auto *cast = llvm::dyn_cast_or_null<llvm::CastInst>(value))
      value = cast->getOperand(0);
    auto *load = llvm::dyn_cast_or_null<llvm::LoadInst>(value);
    const std::string name = load && !llvm::isa<llvm::AllocaInst>(objectBehind(
                                         load->getPointerOperand()))
                                 ? nameOf_(*load)
                                 : "";
    if (name.empty() || (!origin.empty() && origin != name))
      return "";
    origin = name;
  }
  return origin.empty() ? "" : ", loaded from '" + origin + "'";
}

/// The integer at an address in a short table of constants, whose first byte is
/// at `base`; `other` behind its end, or if it is no such table.
ValueId IrGraph::elementOf(const llvm::Constant &table, ValueId address,
                           ValueId base, const llvm::Instruction *load,
                           ValueId other) {
  constexpr uint64_t mostElements = 64;
  llvm::Type *type = load->getType();
  const unsigned width = bits(type);
  const uint64_t size = layout_.getTypeStoreSize(type),
                 count = layout_.getTypeAllocSize(table.getType()) / size;
  if (!type->isIntegerTy() || count > mostElements)
    return other;
  const ValueId offset = graph_.make(Op::Subtract, 64, {address, base});
  ValueId result = other;
  for (uint64_t i = count; i-- > 0;) {
    auto *element = llvm::dyn_cast_or_null<llvm::ConstantInt>(
        llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant *>(&table),
                                        type, llvm::APInt(64, i * size),
                                        layout_));
    if (!element)
      return other;
    result = graph_.make(
        Op::Select, width,
        {graph_.make(Op::Equal, 1, {offset, graph_.constant(i * size, 64)}),
         graph_.constant(element->getZExtValue(), width), result});
  }
  return result;
}

/// Resolves a load of the thread's own memory to the stores that may have
/// written the value, if all of them execute before the load.
ValueId IrGraph::forwarded(const llvm::LoadInst *load,
                           const llvm::AllocaInst *own) {
  unsigned width = bits(load->getType());
  // An object without a name in the source is not listed as an array.
  auto array = objects_.find(own);
  std::string name = array != objects_.end()
                         ? kernel_.objects[array->second].name
                         : plainName(own->getName());
  bool temporary = llvm::StringRef(name).contains("tmp");
  const OwnWrites &writes = writesTo(own);
  ValueId lost = graph_.unknown(
      Op::Varying,
      temporary ? std::string("what a temporary object holds")
                : "what its own array '" + name + "' holds" + originOf(writes),
      width, isPointer(load));
  if (!width || !writes.areKnown)
    return lost;
  const std::optional<Reach> read =
      reachIn(own, load->getPointerOperand(), layout_);
  const uint64_t size = layout_.getTypeStoreSize(load->getType());
  constexpr size_t most = 64;
  std::vector<const llvm::StoreInst *> stores;
  for (const OwnWrite &write : writes.all) {
    // A store to another member of the structure does not affect this load.
    if (!write.mayTouch(read, size))
      continue;
    auto *store = llvm::dyn_cast<llvm::StoreInst>(write.by);
    const llvm::Loop *around =
        analyses_.loops.getLoopFor(write.by->getParent());
    if (!store || !analyses_.dominators.dominates(store, load) ||
        (around && !around->contains(load)) || stores.size() == most)
      return lost;
    stores.push_back(store);
  }
  std::vector<ValueId> operands{
      valueIn(load->getPointerOperand(), load->getParent())};
  for (const llvm::StoreInst *store : stores) {
    const llvm::Value *value = store->getValueOperand();
    operands.push_back(valueIn(store->getPointerOperand(), store->getParent()));
    operands.push_back(valueIn(value, store->getParent()));
    operands.push_back(
        graph_.constant(layout_.getTypeStoreSize(value->getType()), 64));
  }
  return graph_.make(Op::Forwarded, width, operands, size, isPointer(load));
}

ValueId IrGraph::phi(const llvm::PHINode *phi) {
  const llvm::BasicBlock *block = phi->getParent();
  unsigned width = bits(phi->getType());
  const llvm::Loop *loop = analyses_.loops.getLoopFor(block);
  bool header = loop && loop->getHeader() == block;
  if (header && loop->getLoopPreheader() && loop->getLoopLatch()) {
    ValueId id = graph_.carried(loopId(loop), width, isPointer(phi));
    values_[phi] = id;
    carried_.push_back([=, this] {
      const llvm::BasicBlock *before = loop->getLoopPreheader();
      const llvm::BasicBlock *latch = loop->getLoopLatch();
      ValueId first = valueIn(phi->getIncomingValueForBlock(before), before);
      ValueId next = valueIn(phi->getIncomingValueForBlock(latch), latch);
      graph_.setCarried(id, first, next);
    });
    return id;
  }
  // Irreducible control flow leads back here; it is not followed.
  values_[phi] = graph_.unknown(Op::Varying, "irreducible control flow", width,
                                isPointer(phi));
  if (const llvm::Value *same = phi->hasConstantValue())
    return valueIn(same, block);
  // Only conditions below the immediate dominator decide between the incoming
  // edges.
  auto *node = analyses_.dominators.getNode(block);
  const llvm::BasicBlock *root = node && node->getIDom()
                                     ? node->getIDom()->getBlock()
                                     : &function_.getEntryBlock();
  std::vector<ValueId> ways;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
    ways.push_back(
        edgeOut(phi->getIncomingBlock(i), block, root, /*which=*/true));
    ways.push_back(valueIn(phi->getIncomingValue(i), block));
  }
  return graph_.make(Op::Join, width, ways, 0, isPointer(phi));
}

// --- control flow -----------------------------------------------------------

/// Returns the condition under which `from`, once reached, branches to `to`.
ValueId IrGraph::taken(const llvm::BasicBlock *from,
                       const llvm::BasicBlock *to) {
  const llvm::Instruction *end = from->getTerminator();
  if (end->getNumSuccessors() <= 1)
    return graph_.always();
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
    if (branch->getSuccessor(0) == branch->getSuccessor(1))
      return graph_.always();
    // Threads that go on have passed the assertion: it selects none of them.
    const llvm::BasicBlock *other =
        branch->getSuccessor(branch->getSuccessor(0) == to);
    if (llvm::isa<llvm::UnreachableInst>(other->getTerminator()))
      return graph_.always();
    ValueId condition = valueIn(branch->getCondition(), from);
    return branch->getSuccessor(0) == to ? condition
                                         : graph_.negated(condition);
  }
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
    ValueId on = valueIn(choice->getCondition(), from);
    ValueId here = graph_.never(), elsewhere = graph_.never();
    for (auto option : choice->cases()) {
      ValueId is =
          graph_.make(Op::Equal, 1, {on, convert(option.getCaseValue())});
      if (option.getCaseSuccessor() == to)
        here = graph_.either(here, is);
      else
        elsewhere = graph_.either(elsewhere, is);
    }
    return choice->getDefaultDest() == to
               ? graph_.either(here, graph_.negated(elsewhere))
               : here;
  }
  return graph_.unknown(Op::Varying, "an indirect jump", 1, false);
}

ValueId IrGraph::edgeOf(const llvm::BasicBlock *from,
                        const llvm::BasicBlock *to,
                        const llvm::BasicBlock *root) {
  return graph_.both(reachOf(from, root), taken(from, to));
}

/// Returns the same condition as seen from `to`, which may lie outside loops
/// that contain `from`. All threads that enter a loop leave it, so a single
/// exit is taken by all of them, unless `which` exiting block matters.
ValueId IrGraph::edgeOut(const llvm::BasicBlock *from,
                         const llvm::BasicBlock *to,
                         const llvm::BasicBlock *root, bool which) {
  const llvm::Loop *loop = analyses_.loops.getLoopFor(from);
  const llvm::Loop *outermost = nullptr;
  for (const llvm::Loop *l = loop; l && !l->contains(to);
       l = l->getParentLoop())
    outermost = l;
  if (!outermost)
    return edgeOf(from, to, root);
  const llvm::BasicBlock *entry = &function_.getEntryBlock();
  bool onlyWay = outermost->getUniqueExitBlock() == to &&
                 (!which || outermost->getExitingBlock());
  if (onlyWay && outermost->getLoopPreheader()) {
    bool below = root != entry && analyses_.dominators.dominates(
                                      root, outermost->getLoopPreheader());
    return edgeOf(outermost->getLoopPreheader(), outermost->getHeader(),
                  below ? root : entry);
  }
  ValueId condition = edgeOf(from, to, entry);
  for (const llvm::Loop *l = loop; l && !l->contains(to);
       l = l->getParentLoop())
    condition = graph_.make(Op::Ever, 1, {condition}, loopId(l));
  return condition;
}

/// Returns the nearest block above that is control-equivalent to `block`; null
/// if there is none.
const llvm::BasicBlock *
IrGraph::alwaysWith(const llvm::BasicBlock *block) const {
  auto *node = analyses_.dominators.getNode(block);
  if (!node || !node->getIDom())
    return nullptr;
  const llvm::BasicBlock *above = node->getIDom()->getBlock();
  bool same =
      analyses_.postDominators.dominates(block, above) &&
      analyses_.loops.getLoopFor(block) == analyses_.loops.getLoopFor(above);
  return same ? above : nullptr;
}

ValueId IrGraph::reachOf(const llvm::BasicBlock *block,
                         const llvm::BasicBlock *root) {
  const llvm::BasicBlock *entry = &function_.getEntryBlock();
  if (block == root || block == entry)
    return graph_.always();
  const llvm::Loop *loop = analyses_.loops.getLoopFor(block);
  bool header = loop && loop->getHeader() == block &&
                loop->getLoopPreheader() && loop->getLoopLatch();
  if (header)
    root = entry; // a header's condition starts with the loop's entry
  if (auto it = reached_.find({block, root}); it != reached_.end())
    return it->second;
  if (header) {
    ValueId id = graph_.carried(loopId(loop), 1, false);
    reached_[{block, root}] = id;
    carried_.push_back([=, this] {
      ValueId enters = edgeOf(loop->getLoopPreheader(), block, entry);
      ValueId continues = edgeOf(loop->getLoopLatch(), block, entry);
      graph_.setCarried(id, enters, continues);
    });
    return id;
  }
  if (const llvm::BasicBlock *above = alwaysWith(block)) {
    ValueId id = reachOf(above, root);
    return reached_[{block, root}] = id;
  }
  reached_[{block, root}] =
      graph_.unknown(Op::Varying, "irreducible control flow", 1, false);
  ValueId condition = graph_.never();
  for (const llvm::BasicBlock *from : llvm::predecessors(block))
    condition =
        graph_.either(condition, edgeOut(from, block, root, /*which=*/false));
  return reached_[{block, root}] = condition;
}

// --- calls ------------------------------------------------------------------

std::optional<ValueId> IrGraph::specialRegister(llvm::StringRef name,
                                                unsigned width) {
  auto dimension = [&] { return unsigned(name.back() - 'x'); };
  auto three = [&](llvm::StringRef stem) {
    return name.starts_with(stem) && name.size() == stem.size() + 1 &&
           dimension() < 3;
  };
  if (three("tid."))
    return graph_.special(Op::ThreadIndex, dimension(), width);
  if (three("ntid."))
    return graph_.special(Op::BlockSize, dimension(), width);
  if (three("ctaid."))
    return graph_.special(Op::BlockIndex, dimension(), width);
  if (three("nctaid."))
    return graph_.special(Op::GridSize, dimension(), width);
  if (name == "warpsize")
    return graph_.constant(32, width);
  ValueId lane = graph_.special(Op::Lane, 0, width);
  if (name == "laneid")
    return lane;
  if (name.consume_front("lanemask.")) {
    ValueId one = graph_.constant(1, width);
    ValueId own = graph_.make(Op::ShiftLeft, width, {one, lane});
    ValueId below = graph_.make(Op::Subtract, width, {own, one});
    ValueId upTo = graph_.make(Op::Or, width, {own, below});
    ValueId all = graph_.constant(~uint64_t(0), width);
    if (name == "eq")
      return own;
    if (name == "lt")
      return below;
    if (name == "le")
      return upTo;
    return graph_.make(Op::Xor, width, {name == "gt" ? upTo : below, all});
  }
  return graph_.unknown(Op::Uniform, ("%" + name).str(), width, false);
}

/// Returns the register that `mov.u32 $0, %laneid;` reads, spelled as in LLVM's
/// intrinsic ("laneid"); empty for other assembly.
static std::string registerRead(llvm::StringRef text) {
  text = text.trim(" \t\n{};");
  auto [into, name] = text.split(',');
  name = name.ltrim();
  if (!into.starts_with("mov.") || !name.consume_front("%") ||
      name.contains(';'))
    return "";
  return llvm::StringRef(name).starts_with("lanemask_")
             ? ("lanemask." + name.drop_front(strlen("lanemask_"))).str()
             : name.str();
}

ValueId IrGraph::assembly(const llvm::CallBase *call, llvm::StringRef text) {
  unsigned width = bits(call->getType());
  if (width) {
    if (std::string name = registerRead(text); !name.empty())
      return *specialRegister(name, width);
    if (text.contains("activemask"))
      return ballot(graph_.always(), call->getParent(), width);
    if (call->arg_size() && text.contains("cvta"))
      return graph_.make(Op::Resize, width,
                         {valueIn(call->getArgOperand(0), call->getParent())},
                         0, isPointer(call));
  }
  std::vector<std::string> notFollowed;
  if (width && llvm::any_of(readInlineAsm(text, notFollowed),
                            [](const AsmAccess &access) {
                              return access.operation == Operation::Atomic;
                            }))
    return graph_.unknown(Op::Varying, "the result of an atomic", width,
                          isPointer(call));
  // Assembly without inputs, or one that elects a lane, may differ from lane to
  // lane.
  if (call->mayReadFromMemory() || call->arg_size() == 0 ||
      text.contains("elect"))
    return graph_.unknown(Op::Varying, "the result of inline assembly", width,
                          isPointer(call));
  return opaque(call, "inline assembly");
}

ValueId IrGraph::ballot(ValueId condition, const llvm::BasicBlock *block,
                        unsigned width) {
  ValueId here = reachOf(block, &function_.getEntryBlock());
  return graph_.make(Op::Ballot, width, {graph_.both(here, condition)});
}

/// Models `shfl.sync` as the PTX manual defines it. The last operand holds a
/// mask of the lane's bits that stay fixed (bits 8 to 12), which splits the
/// warp into segments, and the clamp.
ValueId IrGraph::shuffle(const llvm::CallBase *call, llvm::StringRef mode) {
  const llvm::BasicBlock *block = call->getParent();
  auto *clamp = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(3));
  if (!clamp)
    return graph_.unknown(Op::Varying, "a shuffle", 32, false);
  uint64_t own = clamp->getZExtValue() >> 8 & 31;
  uint64_t end = clamp->getZExtValue() & 31;
  auto number = [&](uint64_t n) { return graph_.constant(n, 32); };
  auto make = [&](Op op, ValueId a, ValueId b) {
    return graph_.make(op, 32, {a, b});
  };
  ValueId lane = graph_.special(Op::Lane, 0);
  ValueId kept = make(Op::And, lane, number(own));
  ValueId by = valueIn(call->getArgOperand(2), block);
  ValueId from = mode.starts_with("idx")
                     ? make(Op::Or, kept, make(Op::And, by, number(~own & 31)))
                 : mode.starts_with("up")   ? make(Op::Subtract, lane, by)
                 : mode.starts_with("down") ? make(Op::Add, lane, by)
                                            : make(Op::Xor, lane, by);
  ValueId limit = make(Op::Or, kept, number(end & ~own));
  ValueId inside = mode.starts_with("up")
                       ? graph_.make(Op::LessEqualSigned, 1, {limit, from})
                       : graph_.make(Op::LessEqualSigned, 1, {from, limit});
  from = graph_.make(Op::Select, 32, {inside, from, lane});
  return graph_.make(Op::FromLane, 32,
                     {valueIn(call->getArgOperand(1), block), from});
}

/// Builds calls that have no operation of their own: the lowest bit set, and
/// products of 24 bits.
std::optional<ValueId> IrGraph::bitCount(const llvm::CallBase *call) {
  llvm::StringRef name = call->getCalledFunction()
                             ? call->getCalledFunction()->getName()
                             : llvm::StringRef();
  unsigned width = bits(call->getType());
  auto argument = [&](unsigned i) {
    return valueIn(call->getArgOperand(i), call->getParent());
  };
  bool first = name == "__nv_ffs" || name == "__nv_ffsll";
  if (first || name.starts_with("llvm.cttz")) {
    ValueId of = argument(0);
    unsigned from = graph_.node(of).bits;
    ValueId minus =
        graph_.make(Op::Subtract, from, {graph_.constant(0, from), of});
    ValueId lowest = graph_.make(Op::And, from, {of, minus});
    ValueId zeros = graph_.make(Op::LeadingZeros, from, {lowest});
    ValueId position = graph_.make(
        Op::Subtract, from, {graph_.constant(from - !first, from), zeros});
    return graph_.make(Op::Resize, width, {position});
  }
  if (name == "__nv_umul24" || name == "__nv_mul24") {
    ValueId product[2];
    for (unsigned i = 0; i < 2; ++i) {
      ValueId low = graph_.make(Op::Resize, 24, {argument(i)});
      product[i] = name == "__nv_mul24"
                       ? graph_.make(Op::SignExtend, width, {low}, 24)
                       : graph_.make(Op::Resize, width, {low});
    }
    return graph_.make(Op::Multiply, width, product);
  }
  return std::nullopt;
}

ValueId IrGraph::call(const llvm::CallBase *call) {
  unsigned width = bits(call->getType());
  const llvm::BasicBlock *block = call->getParent();
  const llvm::Function *callee = call->getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  auto argument = [&](unsigned i) {
    return valueIn(call->getArgOperand(i), block);
  };

  if (auto *assembly =
          llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
    return this->assembly(call, assembly->getAsmString());
  llvm::StringRef special = name;
  if (width && special.consume_front("llvm.nvvm.read.ptx.sreg."))
    return *specialRegister(special, width);

  if (width) {
    auto two = llvm::StringSwitch<std::optional<Op>>(name)
                   .StartsWith("llvm.smax", Op::MaxSigned)
                   .StartsWith("llvm.smin", Op::MinSigned)
                   .StartsWith("llvm.umax", Op::MaxUnsigned)
                   .StartsWith("llvm.umin", Op::MinUnsigned)
                   .Cases({"__nv_max", "__nv_llmax"}, Op::MaxSigned)
                   .Cases({"__nv_min", "__nv_llmin"}, Op::MinSigned)
                   .Cases({"__nv_umax", "__nv_ullmax"}, Op::MaxUnsigned)
                   .Cases({"__nv_umin", "__nv_ullmin"}, Op::MinUnsigned)
                   .Cases({"__nv_mulhi", "__nv_mul64hi", "llvm.nvvm.mulhi.i",
                           "llvm.nvvm.mulhi.ll"},
                          Op::MultiplyHighSigned)
                   .Cases({"__nv_umulhi", "__nv_umul64hi", "llvm.nvvm.mulhi.ui",
                           "llvm.nvvm.mulhi.ull"},
                          Op::MultiplyHighUnsigned)
                   .Default(std::nullopt);
    if (two)
      return graph_.make(*two, width, {argument(0), argument(1)});
    auto one = llvm::StringSwitch<std::optional<Op>>(name)
                   .StartsWith("llvm.abs", Op::Absolute)
                   .Cases({"__nv_abs", "__nv_llabs"}, Op::Absolute)
                   .StartsWith("llvm.ctpop", Op::CountOnes)
                   .Cases({"__nv_popc", "__nv_popcll"}, Op::CountOnes)
                   .StartsWith("llvm.ctlz", Op::LeadingZeros)
                   .Cases({"__nv_clz", "__nv_clzll"}, Op::LeadingZeros)
                   .StartsWith("llvm.bitreverse", Op::ReverseBits)
                   .Cases({"__nv_brev", "__nv_brevll"}, Op::ReverseBits)
                   .Default(std::nullopt);
    if (one) {
      // popc and clz of 64 bits return 32 bits.
      ValueId operand = argument(0);
      return graph_.make(
          Op::Resize, width,
          {graph_.make(*one, graph_.node(operand).bits, {operand})});
    }
    if (bool isSigned = name == "__nv_mul24";
        isSigned || name == "__nv_umul24") {
      // Extends the low 24 bits of both operands.
      ValueId eight = graph_.constant(8, width);
      auto low = [&](unsigned i) {
        ValueId high = graph_.make(Op::ShiftLeft, width, {argument(i), eight});
        return graph_.make(isSigned ? Op::ShiftRightSigned
                                    : Op::ShiftRightUnsigned,
                           width, {high, eight});
      };
      return graph_.make(Op::Multiply, width, {low(0), low(1)});
    }
    bool same =
        name.contains("cvta_generic_to") || name.starts_with("llvm.nvvm.ptr") ||
        name.starts_with("llvm.ptr.annotation") ||
        name.starts_with("llvm.launder") || name.starts_with("llvm.strip") ||
        name.starts_with("llvm.expect") || name.starts_with("llvm.ssa.copy") ||
        name.starts_with("llvm.ptrmask") || name == "__nvvm_get_smem_pointer";
    if (same)
      return graph_.make(Op::Resize, width, {argument(0)}, 0, isPointer(call));
    if (llvm::StringRef mode = name;
        mode.consume_front("llvm.nvvm.shfl.sync.") && width == 32)
      return shuffle(call, mode);
    if (auto count = bitCount(call))
      return *count;
    if (name.starts_with("llvm.nvvm.ldg") || name.starts_with("llvm.nvvm.ldu"))
      return load(call, call->getArgOperand(0));
  }
  // A pointer into another block's shared memory is no address of this block's
  // own.
  if (name.starts_with("llvm.nvvm.mapa"))
    return graph_.unknown(Op::Varying, "where another block's shared memory is",
                          width, isPointer(call));
  if (name.contains("vote.ballot"))
    return ballot(argument(call->arg_size() - 1), block, width);
  if (name.contains("activemask"))
    return ballot(graph_.always(), block, width);
  if (name.starts_with("llvm.nvvm.barrier"))
    return graph_.unknown(Op::Uniform, "a vote of the block", width, false);
  if (name.contains("vote") || name.contains("redux"))
    return graph_.unknown(Op::Uniform, "a vote of the warp", width, false);
  if (name.contains("shfl") || name.contains("match"))
    return graph_.unknown(Op::Varying, "a shuffle", width, isPointer(call));
  bool readsMemory = call->mayReadFromMemory() && !name.starts_with("__nv_") &&
                     !name.starts_with("llvm.");
  if (readsMemory || !callee)
    return graph_.unknown(
        Op::Varying,
        "the result of '" +
            (name.empty() ? std::string("a call") : plainFunction(*callee)) +
            "'",
        width, isPointer(call));
  return opaque(call, name);
}

} // namespace warplint
