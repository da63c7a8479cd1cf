#include "ir/read_accesses.h"
#include "ir/access_facts.h"
#include "ir/access_names.h"
#include "ir/inline_calls.h"
#include "ir/needed_accesses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

AccessReader::AccessReader(llvm::Function &function, const Names &names,
                           FunctionAnalyses analyses,
                           llvm::ScalarEvolution &evolution, IrGraph &graph,
                           const OwnArrays &arrays,
                           const Synchronisation &synchronisation,
                           Kernel &kernel)
    : names_(names), layout_(function.getDataLayout()), loops_(analyses.loops),
      scalarEvolution_(evolution), graph_(graph), arrays_(arrays),
      synchronisation_(synchronisation), kernel_(kernel),
      indexMarks_(function, names, graph) {}

void AccessReader::enter(const llvm::BasicBlock *block) {
  block_ = block;
  const auto above = regions_.find(graph_.flow().alwaysWith(block));
  region_ = above == regions_.end() ? regions_.size() : above->second;
  regions_[block] = region_;
}

void AccessReader::add(llvm::Instruction &instruction,
                       const llvm::Value *pointer, Operation operation,
                       unsigned bytes, bool isVolatile, Space space,
                       bool isAsync, int64_t offset, unsigned lanes) {
  if (isTemporary(pointer))
    return;
  Access access;
  access.operation = operation;
  access.bytes = bytes;
  access.isVolatile = isVolatile && !instruction.getMetadata("warplint.copy");
  access.isAsync = isAsync;
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const llvm::Value *value = store->getValueOperand();
    const llvm::Loop *loop = loops_.getLoopFor(block_);
    access.storesSame =
        loop ? loop->isLoopInvariant(value) : llvm::isa<llvm::Constant>(value);
  }
  describeAtomic(instruction, access);
  const llvm::Value *object = objectBehind(pointer);
  access.space = space == Space::Unknown ? spaceOf(pointer, object) : space;
  if (const auto array = arrays_.find(object))
    access.array = *array;
  access.address = addressOf(pointer);
  if (offset)
    access.address = kernel_.graph.make(
        Op::Add, 64, {access.address, kernel_.graph.constant(offset, 64)}, 0,
        true);
  auto *argument = llvm::dyn_cast<llvm::Argument>(object);
  access.isRestrict =
      (argument && argument->hasNoAliasAttr()) ||
      instruction.hasMetadata(llvm::LLVMContext::MD_alias_scope);
  access.isReadOnly =
      operation == Operation::Load &&
      (instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
       llvm::isa<llvm::IntrinsicInst>(instruction));
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
    access.alignment = llvm::getLoadStoreAlignment(&instruction).value();
  access.guard = graph_.reach(block_);
  if (lanes < 32) {
    ExpressionGraph &graph = kernel_.graph;
    const ValueId isAmongFirst =
        graph.make(Op::LessUnsigned, 1,
                   {graph.special(Op::Lane, 0), graph.constant(lanes, 32)});
    access.guard = graph.make(Op::And, 1, {access.guard, isAmongFirst});
  }
  access.loops = graph_.flow().loopsAround(block_);
  access.region = region_;
  access.barrierInterval = synchronisation_.barriers.size();
  access.need = needOf(instruction, pointer);
  const llvm::DILocation *index = indexComputedAt(instruction, names_);
  const Frames frames =
      framesOf(index ? index : instruction.getDebugLoc().get(), names_);
  access.place = frames.place;
  access.callSites = frames.callSites;
  std::string itsName = objectName(object);
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const bool isAssembly = call && call->isInlineAsm();
  if (isAssembly && itsName.empty()) // a number leads to shared memory
    itsName = onlyObjectIn(access.address);
  const auto name =
      nameOfAccess(instruction, operation, bytes, itsName, names_);
  if (name) {
    access.text = name->text;
    access.object = name->object;
  }
  const llvm::DILocation *location = instruction.getDebugLoc();
  access.noUserCode =
      !access.place.file.empty() && !names_.isUser(access.place.file);
  access.inLibrary = location && !names_.file(location->getFile()).isUser &&
                     (!name || name->isCall);
  access.ofVector = name && name->ofVector;
  access.ofOperator = name && name->ofOperator;
  // An object that a library passes to the user's body, such as a thread's
  // partial result of a reduction, lies in shared memory where the library
  // puts it.
  if (name && name->isHandedIn && access.space == Space::Shared &&
      access.callSites.empty())
    access.inLibrary = true;
  if (access.object.empty())
    access.object = itsName.empty() ? access.text : itsName;
  if (isAssembly && access.text.empty()) // it stands in a macro
    access.text = access.object;
  access.layout = indexMarks_.layoutOf(instruction, pointer);
  positions_[&instruction] = kernel_.accesses.size();
  kernel_.accesses.push_back(std::move(access));
}

Need AccessReader::needOf(const llvm::Instruction &instruction,
                          const llvm::Value *pointer) {
  if (!instruction.hasMetadata(accessRemoved))
    return instruction.hasMetadata(accessHoisted) ? Need::Once : Need::EachTime;
  if (llvm::isa<llvm::StoreInst>(instruction))
    return Need::Never;
  // A value passed on to the next iteration was loaded before the loop.
  const llvm::Loop *loop = loops_.getLoopFor(instruction.getParent());
  const llvm::SCEV *address =
      scalarEvolution_.getSCEV(const_cast<llvm::Value *>(pointer));
  return loop && scalarEvolution_.isLoopInvariant(address, loop) ? Need::Once
                                                                 : Need::Never;
}

/// Returns true for an object that the compiler made and the source does not
/// name.
bool AccessReader::isTemporary(const llvm::Value *pointer) const {
  const llvm::Value *object = objectBehind(pointer);
  if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(object))
    return !arrays_.variable(own);
  auto *constant = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return constant && constant->isConstant() && constant->hasPrivateLinkage();
}

ValueId AccessReader::addressOf(const llvm::Value *pointer) {
  ValueId address = notNull(kernel_.graph, graph_.value(pointer, block_));
  // Inline assembly uses 32-bit addresses for shared memory.
  if (kernel_.graph.node(address).bits < 64)
    address = kernel_.graph.make(Op::Resize, 64, {address}, 0, true);
  return address;
}

/// The name of the only object that an address is computed from; empty if
/// there are several.
std::string AccessReader::onlyObjectIn(ValueId address) const {
  std::set<uint64_t> objects;
  kernel_.graph.walk(address, [&](ValueId id) {
    const Node &node = kernel_.graph.node(id);
    if (node.op == Op::Base)
      objects.insert(node.number);
    return node.op == Op::Loaded ? ExpressionGraph::Walk::Past
                                 : ExpressionGraph::Walk::Into;
  });
  return objects.size() == 1 ? kernel_.objects[*objects.begin()].name : "";
}

std::string AccessReader::objectName(const llvm::Value *object) const {
  if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(object))
    if (const llvm::DILocalVariable *variable = arrays_.variable(own))
      return variable->getName().str();
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> debug;
    variable->getDebugInfo(debug);
    if (!debug.empty())
      return debug[0]->getVariable()->getName().str();
  }
  if (llvm::isa<llvm::LoadInst>(object))
    return nameOfLoad(*llvm::cast<llvm::Instruction>(object), names_);
  // Other names in the IR are the compiler's.
  return llvm::isa<llvm::Argument, llvm::GlobalVariable>(object)
             ? object->getName().str()
             : "";
}

void AccessReader::addUnfollowed(llvm::CallBase &call, const std::string &why,
                                 Space space, Operation operation) {
  if (space != Space::Texture)
    kernel_.notFollowed.push_back(why);
  addUnfollowedAccess(call, why, space, operation);
}

void AccessReader::addUnfollowedAccess(llvm::CallBase &call,
                                       const std::string &why, Space space,
                                       Operation operation) {
  Access access = unknownAccess(call, operation, space, why);
  access.guard = graph_.reach(block_);
  access.loops = graph_.flow().loopsAround(block_);
  if (const llvm::DILocation *location = call.getDebugLoc())
    for (; location && access.text.empty(); location = location->getInlinedAt())
      if (auto it = names_.calls.find(placeOf(location, names_));
          it != names_.calls.end())
        access.text = it->second;
  access.object.clear();
  kernel_.accesses.push_back(std::move(access));
}

Access AccessReader::unknownAccess(const llvm::Instruction &instruction,
                                   Operation operation, Space space,
                                   const std::string &why) {
  Access access;
  access.operation = operation;
  access.space = space;
  access.bytes = 4;
  access.address = kernel_.graph.unknown(Op::Varying, why, 64, true);
  access.guard = kernel_.graph.always();
  access.region = region_;
  const Frames frames = framesOf(instruction.getDebugLoc(), names_);
  access.place = frames.place;
  access.callSites = frames.callSites;
  return access;
}

void AccessReader::addNotInlined(const llvm::Function &function) {
  if (!notInlined_.insert(&function).second)
    return;
  const std::string name = "'" + plainFunction(function) + "'";
  const std::string why = function.hasFnAttribute(tooLarge)
                              ? "calls of " + name + ", too large to inline"
                              : "recursion in " + name;
  kernel_.notFollowed.push_back(why);
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function *callee = call->getCalledFunction();
          callee && !callee->isDeclaration())
        addNotInlined(*callee);
    const llvm::Value *pointer = nullptr;
    Operation operation = Operation::Load;
    const llvm::Type *type = instruction.getType();
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      pointer = load->getPointerOperand();
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      pointer = store->getPointerOperand();
      operation = Operation::Store;
      type = store->getValueOperand()->getType();
    } else if (auto *atomic =
                   llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      pointer = atomic->getPointerOperand();
      operation = Operation::Atomic;
    }
    if (!pointer || llvm::isa<llvm::AllocaInst>(objectBehind(pointer)))
      continue;
    // A pointer that came as an argument may lead anywhere.
    const llvm::Value *object = objectBehind(pointer);
    Access access = unknownAccess(instruction, operation,
                                  llvm::isa<llvm::Argument>(object)
                                      ? Space::Unknown
                                      : spaceOf(pointer, object),
                                  why);
    access.bytes = layout_.getTypeStoreSize(const_cast<llvm::Type *>(type));
    if (auto name = nameOfAccess(instruction, operation, access.bytes,
                                 objectName(object), names_)) {
      access.text = name->text;
      access.object = name->object;
    }
    kernel_.accesses.push_back(std::move(access));
  }
}

void AccessReader::noteCopy() {
  const size_t count = kernel_.accesses.size();
  if (count < 2)
    return;
  const Access &load = kernel_.accesses[count - 2];
  Access &store = kernel_.accesses.back();
  if (load.isAsync && store.isAsync && load.operation == Operation::Load &&
      store.operation == Operation::Store && load.place == store.place)
    store.storedLoads = {unsigned(count - 2)};
}

} // namespace warplint
