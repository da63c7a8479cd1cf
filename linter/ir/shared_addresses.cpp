#include "ir/shared_addresses.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"

namespace warplint {

namespace {

/// Products of sums and constants are multiplied out. What is extended without
/// a sign may wrap, so is one term; `extended` has what cannot. An address in
/// shared memory has 32 bits, and wraps as its terms do.
class Sum {
public:
  Sum(const ExpressionGraph &nodes, const llvm::DenseSet<ValueId> &extended,
      bool isInShared)
      : nodes_(nodes), extended_(extended), isInShared_(isInShared) {}

  SharedAddresses::Terms of(ValueId address) {
    add(address, 1);
    return std::move(terms_);
  }
  bool isKnown() const { return steps_ < most; }

private:
  static constexpr unsigned most = 200;

  std::optional<int64_t> constant(ValueId id) const {
    const Node &node = nodes_.node(id);
    if (node.op != Op::Constant)
      return std::nullopt;
    return llvm::SignExtend64(node.number, std::max<unsigned>(1, node.bits));
  }

  void add(ValueId id, int64_t factor) {
    const Node &node = nodes_.node(id);
    const llvm::ArrayRef<ValueId> operands = nodes_.operands(id);
    if (node.op == Op::Constant || ++steps_ >= most)
      return;
    switch (node.op) {
    case Op::SignExtend:
      return add(operands[0], factor);
    case Op::Resize:
      if (extended_.contains(id) ||
          (isInShared_ && nodes_.node(operands[0]).bits == 32))
        return add(operands[0], factor);
      break;
    case Op::Add:
    case Op::Subtract:
      add(operands[0], factor);
      return add(operands[1], node.op == Op::Add ? factor : -factor);
    case Op::ShiftLeft:
      if (auto by = constant(operands[1]); by && *by >= 0 && *by < 32)
        return add(operands[0], factor << *by);
      break;
    case Op::Multiply:
      for (unsigned i : {0u, 1u})
        if (auto by = constant(operands[i]))
          return add(operands[1 - i], factor * *by);
      break;
    default:
      break;
    }
    if ((terms_[id] += factor) == 0)
      terms_.erase(id);
  }

  const ExpressionGraph &nodes_;
  const llvm::DenseSet<ValueId> &extended_;
  bool isInShared_;
  SharedAddresses::Terms terms_;
  unsigned steps_ = 0;
};

bool isAddressArithmetic(const llvm::Instruction &instruction) {
  if (!instruction.getType()->isIntegerTy())
    return false;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    return true;
  default:
    return false;
  }
}

} // namespace

SharedAddresses::SharedAddresses(llvm::Function &function, IrGraph &graph,
                                 const ExpressionGraph &nodes)
    : graph_(graph), nodes_(nodes) {
  const llvm::DominatorTree dominators(function);
  std::vector<Added> added; ///< on the way to the block, by depth
  auto forget = [&] {
    for (Sums::iterator address : added.back().addresses)
      addresses_.erase(address);
    for (Sums::iterator index : added.back().indexes)
      indexes_.erase(index);
    added.pop_back();
  };
  const llvm::DomTreeNode *root = dominators.getRootNode();
  for (auto it = llvm::df_begin(root); it != llvm::df_end(root); ++it) {
    while (added.size() >= it.getPathLength())
      forget();
    added.push_back(readBlock(*it->getBlock()));
  }
}

SharedAddresses::Added SharedAddresses::readBlock(llvm::BasicBlock &block) {
  constexpr size_t mostAddresses = 512;
  Added added;
  llvm::DenseSet<ValueId> extended; // a zext of what is not negative
  std::vector<const llvm::Instruction *> shared;
  for (const llvm::Instruction &instruction : block) {
    if (auto *cast = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
        cast && cast->hasNonNeg())
      extended.insert(graph_.value(cast, &block));
    auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    if (!address || address->getType()->isVectorTy() ||
        address->hasAllConstantIndices() || addresses_.size() > mostAddresses)
      continue;
    constexpr unsigned sharedSpace = 3;
    const llvm::Value *object = llvm::getUnderlyingObject(address);
    const bool isInShared =
        object->getType()->getPointerAddressSpace() == sharedSpace;
    Sum sum(nodes_, extended, isInShared);
    Terms terms = sum.of(graph_.value(address, &block));
    if (!sum.isKnown())
      continue;
    Terms index = terms;
    std::erase_if(index, [&](const auto &term) {
      return nodes_.node(term.first).pointer;
    });
    auto [sameAddress, isNew] = addresses_.insert(std::move(terms));
    if (isNew)
      added.addresses.push_back(sameAddress);
    else
      free_.insert(address);
    // In another object: the pointer is added to the same index.
    auto [sameIndex, isNewIndex] = indexes_.insert(std::move(index));
    if (isNewIndex)
      added.indexes.push_back(sameIndex);
    else
      shared.push_back(address);
  }
  served_.insert(shared.begin(), shared.end());
  for (const llvm::Instruction *address : llvm::reverse(shared))
    freeOperands(*address);
  return added;
}

/// Frees what serves nothing that is not free.
void SharedAddresses::freeOperands(const llvm::Instruction &address) {
  std::vector<const llvm::Instruction *> work{&address};
  while (!work.empty()) {
    const llvm::Instruction *user = work.back();
    work.pop_back();
    for (const llvm::Value *operand : user->operands()) {
      auto *made = llvm::dyn_cast<llvm::Instruction>(operand);
      if (made && made->getParent() == address.getParent() &&
          isAddressArithmetic(*made) &&
          llvm::all_of(made->users(),
                       [&](const llvm::User *other) {
                         auto *by = llvm::cast<llvm::Instruction>(other);
                         return free_.contains(by) || served_.contains(by);
                       }) &&
          free_.insert(made).second)
        work.push_back(made);
    }
  }
}

} // namespace warplint
