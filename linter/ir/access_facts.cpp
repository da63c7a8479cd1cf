#include "ir/access_facts.h"
#include "ir/ir_objects.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

/// A compare-and-swap returns a pair, whose halves are taken out for nobody if
/// the source ignores the old value.
static bool isResultUsed(const llvm::Instruction &atomic) {
  return llvm::any_of(atomic.users(), [](const llvm::User *user) {
    return !llvm::isa<llvm::ExtractValueInst>(user) || !user->use_empty();
  });
}

void describeAtomic(const llvm::Instruction &instruction, Access &access) {
  using RMW = llvm::AtomicRMWInst;
  access.resultUsed = isResultUsed(instruction);
  if (llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) {
    access.isNativeAtomic = access.bytes <= 4;
    access.standsAlone = true;
  }
  auto *atomic = llvm::dyn_cast<RMW>(&instruction);
  if (!atomic)
    return;
  access.isNativeAtomic =
      access.bytes <= 4 && !atomic->isFloatingPointOperation();
  bool addsConstant = false;
  switch (atomic->getOperation()) {
  case RMW::FAdd:
  case RMW::FSub:
    access.isSum = true;
    return;
  case RMW::Add:
  case RMW::Sub:
    access.isSum = true;
    addsConstant = llvm::isa<llvm::Constant>(atomic->getValOperand());
    break;
  case RMW::UIncWrap:
  case RMW::UDecWrap: {
    auto *limit = llvm::dyn_cast<llvm::ConstantInt>(atomic->getValOperand());
    access.standsAlone = !limit || !limit->isMinusOne();
    return;
  }
  case RMW::And:
  case RMW::Or:
  case RMW::Xor:
  case RMW::Min:
  case RMW::Max:
  case RMW::UMin:
  case RMW::UMax:
    break;
  default:
    return;
  }
  access.isCombined = addsConstant || (access.bytes == 4 && !access.resultUsed);
}

ValueId notNull(ExpressionGraph &graph, ValueId id, unsigned depth) {
  constexpr unsigned deep = 64;
  const Node node = graph.node(id);
  if (!node.pointer || depth == deep)
    return id;
  std::vector<ValueId> operands = graph.operands(id).vec();
  switch (node.op) {
  case Op::Select:
    for (unsigned way : {1u, 2u})
      if (graph.isConstant(operands[way], 0))
        return notNull(graph, operands[3 - way], depth + 1);
    return id;
  case Op::Join:
    for (size_t way = operands.size(); way; way -= 2)
      if (operands.size() > 2 && graph.isConstant(operands[way - 1], 0))
        operands.erase(operands.begin() + way - 2, operands.begin() + way);
    if (operands.size() == 2)
      return notNull(graph, operands[1], depth + 1);
    break;
  case Op::Add:
  case Op::Resize:
    for (ValueId &operand : operands)
      operand = notNull(graph, operand, depth + 1);
    break;
  default:
    return id;
  }
  return llvm::ArrayRef(operands) == graph.operands(id)
             ? id
             : graph.make(node.op, node.bits, operands, node.number, true);
}

Space spaceOf(const llvm::Value *pointer, const llvm::Value *object) {
  unsigned number = pointer->getType()->isPointerTy()
                        ? pointer->getType()->getPointerAddressSpace()
                        : 0;
  switch (number) {
  case 1:
    return Space::Global;
  case 3:
  case 7: // of another block of the cluster
    return Space::Shared;
  case 4: {
    auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return !variable || isInConstantMemory(*variable) ? Space::Constant
                                                      : Space::Global;
  }
  case 5:
    return Space::Local;
  }
  if (llvm::isa<llvm::AllocaInst>(object))
    return Space::Local;
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(object))
    return argument->hasByValAttr() ? Space::Parameter : Space::Global;
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    if (variable->getAddressSpace() == 3)
      return Space::Shared;
    return isInConstantMemory(*variable) ? Space::Constant : Space::Global;
  }
  return isOfOtherBlock(object) ? Space::Shared : Space::Unknown;
}

} // namespace warplint
