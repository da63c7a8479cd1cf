#include "ir/ir_graph.h"
#include "base/readable_name.h"
#include "ir/call_values.h"
#include "ir/ir_operations.h"
#include "ir/known_members.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace warplint {

namespace {

bool isPointer(const llvm::Value *value) {
  return value->getType()->isPointerTy();
}

/// The bytes of each argument that is a structure, 0 for others.
llvm::SmallVector<uint64_t> structuresOf(const llvm::Function &function) {
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

} // namespace

IrGraph::IrGraph(llvm::Function &function, FunctionAnalyses analyses,
                 Kernel &kernel,
                 std::function<std::string(const llvm::Instruction &)> nameOf)
    : function_(function), analyses_(analyses), kernel_(kernel),
      graph_(kernel.graph), layout_(function.getParent()->getDataLayout()),
      argumentBytes_(structuresOf(function)), nameOf_(std::move(nameOf)),
      ownStores_(analyses, layout_),
      flow_(function, analyses, graph_, carried_,
            [this](const llvm::Value *value, const llvm::BasicBlock *context) {
              return valueIn(value, context);
            }) {}

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

ValueId IrGraph::value(const llvm::Value *value,
                       const llvm::BasicBlock *context) {
  return carried_.settled([&] { return valueIn(value, context); });
}
ValueId IrGraph::reach(const llvm::BasicBlock *block) {
  return carried_.settled(
      [&] { return flow_.reach(block, &function_.getEntryBlock()); });
}
ValueId IrGraph::edge(const llvm::BasicBlock *from,
                      const llvm::BasicBlock *to) {
  return carried_.settled(
      [&] { return flow_.edge(from, to, &function_.getEntryBlock()); });
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
      id = graph_.make(Op::Final, node.bits, {id}, flow_.loopId(loop),
                       node.pointer);
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
    id = graph_.unknown(Op::Varying, "", bitsOf(value->getType()), false);
  return values_[value] = id;
}

ValueId IrGraph::argument(const llvm::Argument *argument) {
  if (argument->hasByValAttr() || isPointer(argument))
    return graph_.base(object(argument, objectOfArgument(*argument)));
  return graph_.parameter(argument->getArgNo(), plainName(argument->getName()),
                          bitsOf(argument->getType()));
}

ValueId IrGraph::constant(const llvm::Constant *constant) {
  unsigned width = bitsOf(constant->getType());
  if (auto *integer = llvm::dyn_cast<llvm::ConstantInt>(constant))
    if (width)
      return graph_.constant(integer->getZExtValue(), width);
  if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant);
      number && isFloatOrDouble(number->getType()))
    return graph_.constant(
        llvm::bit_cast<uint64_t>(number->getType()->isFloatTy()
                                     ? number->getValueAPF().convertToFloat()
                                     : number->getValueAPF().convertToDouble()),
        0);
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(constant))
    return graph_.constant(0, width ? width : 1);
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant))
    return graph_.base(object(variable, objectOfVariable(*variable)));
  if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(constant)) {
    if (expression->getOpcode() == llvm::Instruction::GetElementPtr)
      return address(expression, &function_.getEntryBlock());
    if (expression->isCast()) {
      ValueId operand = convert(expression->getOperand(0));
      return graph_.make(Op::Resize, width ? width : 64, {operand}, 0,
                         isPointer(expression));
    }
    auto op = operationOf(expression->getOpcode());
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
  return graph_.opaque(text, bitsOf(instruction->getType()),
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

ValueId IrGraph::call(const llvm::CallBase *call) {
  const llvm::Function *callee = call->getCalledFunction();
  const llvm::StringRef name = callee ? callee->getName() : "";
  if (bitsOf(call->getType()) &&
      (name.starts_with("llvm.nvvm.ldg") || name.starts_with("llvm.nvvm.ldu")))
    return load(call, call->getArgOperand(0));
  const llvm::BasicBlock *block = call->getParent();
  const std::optional<ValueId> value = callValue(
      *call, graph_,
      [&](const llvm::Value *operand) { return valueIn(operand, block); },
      [&] { return flow_.reach(block, &function_.getEntryBlock()); });
  if (value)
    return *value;
  return opaque(call, call->isInlineAsm() ? "inline assembly" : name);
}

ValueId IrGraph::instruction(const llvm::Instruction *instruction) {
  const llvm::BasicBlock *block = instruction->getParent();
  unsigned width = bitsOf(instruction->getType());
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
  if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(instruction))
    return graph_.base(object(own, objectOfLocal(*own)));
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
  if (const std::string text = floatOperationOf(*instruction); !text.empty())
    return opaque(instruction, text);
  const llvm::Type *type = instruction->getType();
  if (!width && !(llvm::isa<llvm::SelectInst>(instruction) &&
                  type->isFloatingPointTy()))
    return opaque(instruction, "");
  if (llvm::isa<llvm::SelectInst>(instruction))
    return graph_.make(Op::Select, width, {operand(0), operand(1), operand(2)},
                       0, isPointer(instruction));
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
    if (!bitsOf(compare->getOperand(0)->getType()))
      return opaque(instruction, "");
    const IntegerComparison how = comparisonOf(compare->getPredicate());
    return graph_.make(how.op, 1,
                       {operand(how.swapped), operand(!how.swapped)});
  }
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(instruction)) {
    if (auto field = this->field(cast))
      return *field;
    if (!bitsOf(cast->getSrcTy()))
      return opaque(instruction, "");
    ValueId from = operand(0);
    Op op = llvm::isa<llvm::SExtInst>(cast) ? Op::SignExtend : Op::Resize;
    if (op == Op::Resize && graph_.node(from).bits == width)
      return from;
    return graph_.make(op, width, {from}, 0, isPointer(instruction));
  }
  if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(instruction))
    if (auto op = operationOf(binary->getOpcode()))
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
  const unsigned width = bitsOf(result->getType());
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
  unsigned width = bitsOf(load->getType());
  auto *own = llvm::dyn_cast<llvm::AllocaInst>(objectBehind(pointer));
  auto *plain = llvm::dyn_cast<llvm::LoadInst>(load);
  if (own && plain)
    return forwarded(plain, own);
  std::string name = nameOf_(*load);
  const llvm::Value *object = objectBehind(pointer);
  auto *table = llvm::dyn_cast<llvm::GlobalVariable>(object);
  // A member without a name does not take the name of its structure.
  auto *argument = llvm::dyn_cast<llvm::Argument>(object);
  if (name.empty() && !(argument && argument->hasByValAttr()))
    name = table ? readableVariableName(table->getName())
                 : plainName(object->getName());
  const ValueId at = valueIn(pointer, load->getParent());
  ValueId loaded = loadedFrom(at, pointer, 0, name, load);
  if (table && table->isConstant() && table->hasDefinitiveInitializer())
    return elementOf(*table->getInitializer(), at, convert(table), load,
                     loaded);
  const llvm::MDNode *usual = load->getMetadata(usualValue);
  if (!usual)
    return loaded;
  auto *number =
      llvm::mdconst::extract<llvm::ConstantInt>(usual->getOperand(0));
  return graph_.make(Op::Usually, width, {loaded}, number->getZExtValue());
}

/// The integer at an address in a short table of constants, whose first byte is
/// at `base`; `other` behind its end, or if it is no such table.
ValueId IrGraph::elementOf(const llvm::Constant &table, ValueId address,
                           ValueId base, const llvm::Instruction *load,
                           ValueId other) {
  constexpr uint64_t mostElements = 64;
  llvm::Type *type = load->getType();
  const unsigned width = bitsOf(type);
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
  unsigned width = bitsOf(load->getType());
  // An object without a name in the source is not listed as an array.
  auto array = objects_.find(own);
  std::string name = array != objects_.end()
                         ? kernel_.objects[array->second].name
                         : plainName(own->getName());
  bool temporary = llvm::StringRef(name).contains("tmp");
  ValueId lost =
      graph_.unknown(Op::Varying,
                     temporary ? std::string("what a temporary object holds")
                               : "what its own array '" + name + "' holds" +
                                     ownStores_.originOf(*own, nameOf_),
                     width, isPointer(load));
  const auto stores = width ? ownStores_.readBy(*load, *own) : std::nullopt;
  if (!stores)
    return lost;
  std::vector<ValueId> operands{
      valueIn(load->getPointerOperand(), load->getParent())};
  for (const llvm::StoreInst *store : *stores) {
    const llvm::Value *value = store->getValueOperand();
    operands.push_back(valueIn(store->getPointerOperand(), store->getParent()));
    operands.push_back(valueIn(value, store->getParent()));
    operands.push_back(
        graph_.constant(layout_.getTypeStoreSize(value->getType()), 64));
  }
  return graph_.make(Op::Forwarded, width, operands,
                     layout_.getTypeStoreSize(load->getType()),
                     isPointer(load));
}

ValueId IrGraph::phi(const llvm::PHINode *phi) {
  const llvm::BasicBlock *block = phi->getParent();
  unsigned width = bitsOf(phi->getType());
  if (const llvm::Loop *loop = flow_.loopFrom(block)) {
    ValueId id = graph_.carried(flow_.loopId(loop), width, isPointer(phi));
    values_[phi] = id;
    carried_.later([=, this] {
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
        flow_.edgeOut(phi->getIncomingBlock(i), block, root, /*which=*/true));
    ways.push_back(valueIn(phi->getIncomingValue(i), block));
  }
  return graph_.make(Op::Join, width, ways, 0, isPointer(phi));
}

} // namespace warplint
