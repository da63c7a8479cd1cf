#include "ir/control_flow.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

ControlFlow::ControlFlow(const llvm::Function &function,
                         FunctionAnalyses analyses, ExpressionGraph &graph,
                         CarriedOperands &carried, ValueIn valueIn)
    : entry_(&function.getEntryBlock()), analyses_(analyses), graph_(graph),
      carried_(carried), valueIn_(std::move(valueIn)) {
  for (const llvm::Loop *loop : analyses_.loops.getLoopsInPreorder()) {
    loopIds_[loop] = loopOrder_.size();
    loopOrder_.push_back(loop);
  }
}

std::vector<LoopId>
ControlFlow::loopsAround(const llvm::BasicBlock *block) const {
  std::vector<LoopId> ids;
  for (const llvm::Loop *loop = analyses_.loops.getLoopFor(block); loop;
       loop = loop->getParentLoop())
    ids.insert(ids.begin(), loopId(loop));
  return ids;
}

const llvm::Loop *ControlFlow::loopFrom(const llvm::BasicBlock *block) const {
  const llvm::Loop *loop = analyses_.loops.getLoopFor(block);
  return loop && loop->getHeader() == block && loop->getLoopPreheader() &&
                 loop->getLoopLatch()
             ? loop
             : nullptr;
}

const llvm::BasicBlock *
ControlFlow::alwaysWith(const llvm::BasicBlock *block) const {
  auto *node = analyses_.dominators.getNode(block);
  if (!node || !node->getIDom())
    return nullptr;
  const llvm::BasicBlock *above = node->getIDom()->getBlock();
  bool same =
      analyses_.postDominators.dominates(block, above) &&
      analyses_.loops.getLoopFor(block) == analyses_.loops.getLoopFor(above);
  return same ? above : nullptr;
}

/// Returns the condition under which `from`, once reached, branches to `to`.
ValueId ControlFlow::taken(const llvm::BasicBlock *from,
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
    ValueId condition = valueIn_(branch->getCondition(), from);
    return branch->getSuccessor(0) == to ? condition
                                         : graph_.negated(condition);
  }
  if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end)) {
    ValueId on = valueIn_(choice->getCondition(), from);
    const bool isDefault = choice->getDefaultDest() == to;
    ValueId here = graph_.never(), elsewhere = graph_.never();
    for (auto option : choice->cases()) {
      const bool leadsHere = option.getCaseSuccessor() == to;
      // For each of many cases, the others would be as many nodes.
      if (!leadsHere && !isDefault)
        continue;
      ValueId is = graph_.make(Op::Equal, 1,
                               {on, valueIn_(option.getCaseValue(), from)});
      ValueId &cases = leadsHere ? here : elsewhere;
      cases = graph_.either(cases, is);
    }
    return isDefault ? graph_.either(here, graph_.negated(elsewhere)) : here;
  }
  return graph_.unknown(Op::Varying, "an indirect jump", 1, false);
}

ValueId ControlFlow::edge(const llvm::BasicBlock *from,
                          const llvm::BasicBlock *to,
                          const llvm::BasicBlock *root) {
  return graph_.both(reach(from, root), taken(from, to));
}

ValueId ControlFlow::edgeOut(const llvm::BasicBlock *from,
                             const llvm::BasicBlock *to,
                             const llvm::BasicBlock *root, bool which) {
  const llvm::Loop *loop = analyses_.loops.getLoopFor(from);
  const llvm::Loop *outermost = nullptr;
  for (const llvm::Loop *l = loop; l && !l->contains(to);
       l = l->getParentLoop())
    outermost = l;
  if (!outermost)
    return edge(from, to, root);
  bool onlyWay = outermost->getUniqueExitBlock() == to &&
                 (!which || outermost->getExitingBlock());
  if (onlyWay && outermost->getLoopPreheader()) {
    bool below = root != entry_ && analyses_.dominators.dominates(
                                       root, outermost->getLoopPreheader());
    return edge(outermost->getLoopPreheader(), outermost->getHeader(),
                below ? root : entry_);
  }
  ValueId condition = edge(from, to, entry_);
  for (const llvm::Loop *l = loop; l && !l->contains(to);
       l = l->getParentLoop())
    condition = graph_.make(Op::Ever, 1, {condition}, loopId(l));
  return condition;
}

ValueId ControlFlow::reach(const llvm::BasicBlock *block,
                           const llvm::BasicBlock *root) {
  if (block == root || block == entry_)
    return graph_.always();
  const llvm::Loop *loop = loopFrom(block);
  if (loop)
    root = entry_; // a header's condition starts with the loop's entry
  if (auto it = reached_.find({block, root}); it != reached_.end())
    return it->second;
  if (loop) {
    ValueId id = graph_.carried(loopId(loop), 1, false);
    reached_[{block, root}] = id;
    carried_.later([=, this] {
      ValueId enters = edge(loop->getLoopPreheader(), block, entry_);
      ValueId continues = edge(loop->getLoopLatch(), block, entry_);
      graph_.setCarried(id, enters, continues);
    });
    return id;
  }
  if (const llvm::BasicBlock *above = alwaysWith(block)) {
    ValueId id = reach(above, root);
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

} // namespace warplint
