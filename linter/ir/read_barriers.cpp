#include "ir/read_barriers.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

namespace warplint {

namespace {

using llvm::BasicBlock;
using Blocks = llvm::SmallPtrSet<const BasicBlock *, 32>;

/// Returns true if a statement of inline PTX is "bar.sync 0", and not "bar.sync
/// 0, 64". A predicate makes it a branch that is not followed.
bool isBlockBarrier(llvm::StringRef statement) {
  statement = statement.ltrim(" \t{");
  llvm::StringRef mnemonic =
      statement.take_until([](char c) { return llvm::isSpace(c); });
  llvm::SmallVector<llvm::StringRef, 4> operands;
  statement.drop_front(mnemonic.size()).split(operands, ',');
  if (!mnemonic.consume_front("barrier.") && !mnemonic.consume_front("bar."))
    return false;
  mnemonic.consume_front("cta.");
  // A vote has its result before the barrier's name, and its condition behind.
  if (mnemonic.starts_with("red."))
    return operands.size() == 3;
  return (mnemonic == "sync" || mnemonic == "sync.aligned") &&
         operands.size() == 1;
}

/// The blocks from which a thread may come to `to`, and `to`.
Blocks blocksBefore(const BasicBlock *to) {
  Blocks found{to};
  llvm::SmallVector<const BasicBlock *, 16> work{to};
  while (!work.empty())
    for (const BasicBlock *before : llvm::predecessors(work.pop_back_val()))
      if (found.insert(before).second)
        work.push_back(before);
  return found;
}

/// The blocks that a thread may come to from `from`.
Blocks blocksBehind(const BasicBlock *from) {
  Blocks found;
  llvm::SmallVector<const BasicBlock *, 16> work{from};
  while (!work.empty())
    for (const BasicBlock *next : llvm::successors(work.pop_back_val()))
      if (found.insert(next).second)
        work.push_back(next);
  return found;
}

/// The blocks that a thread may come to without `around`.
Blocks blocksAround(const llvm::Function &function, const BasicBlock *around) {
  Blocks found;
  llvm::SmallVector<const BasicBlock *, 16> work{&function.getEntryBlock()};
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (block != around && found.insert(block).second)
      llvm::append_range(work, llvm::successors(block));
  }
  return found;
}

bool hasEffect(const BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    return !instruction.isDebugOrPseudoInst() &&
           !instruction.isLifetimeStartOrEnd() &&
           instruction.mayReadOrWriteMemory();
  });
}

/// Returns true if a block has a barrier, or a call that may have one.
bool mayWait(const BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call)
      return false;
    const llvm::Function *callee = call->getCalledFunction();
    return warplint::isBlockBarrier(*call) || !callee || !callee->isIntrinsic();
  });
}

/// Returns true if the threads that do not come to `block`, or not once more,
/// return: without further work, or after work of their own. Threads that go on
/// to what others do behind the barrier have skipped it.
bool othersReturn(const llvm::Function &function, const BasicBlock *block,
                  bool isInLoop) {
  const Blocks before = blocksBefore(block);
  // Threads that left a loop have passed the barrier in earlier iterations.
  const Blocks around = isInLoop ? Blocks() : blocksAround(function, block);
  const Blocks behind = blocksBehind(block);
  return llvm::none_of(function, [&](const BasicBlock &other) {
    if (before.contains(&other) || (!isInLoop && !around.contains(&other)))
      return false;
    return mayWait(other) ||
           (hasEffect(other) && (isInLoop || behind.contains(&other)));
  });
}

} // namespace

bool isBlockBarrier(const llvm::CallBase &call) {
  if (auto *assembly =
          llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    llvm::SmallVector<llvm::StringRef, 4> statements;
    llvm::SplitString(assembly->getAsmString(), statements, ";\n\r");
    return llvm::any_of(statements, [](llvm::StringRef statement) {
      return isBlockBarrier(statement);
    });
  }
  const llvm::Function *callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  return name.consume_front("llvm.nvvm.barrier.cta.") &&
         (name.starts_with("sync.") || name.starts_with("red.")) &&
         name.ends_with(".all");
}

std::vector<Barrier> readBarriers(
    llvm::Function &function, IrGraph &graph,
    llvm::function_ref<void(const llvm::Instruction &, Barrier &)> locate) {
  std::vector<Barrier> barriers;
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  for (const BasicBlock *block : order)
    for (const llvm::Instruction &instruction : *block) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || !isBlockBarrier(*call))
        continue;
      Barrier &barrier = barriers.emplace_back();
      barrier.guard = graph.reach(block);
      barrier.loops = graph.flow().loopsAround(block);
      barrier.othersReturn =
          othersReturn(function, block, !barrier.loops.empty());
      locate(instruction, barrier);
    }
  return barriers;
}

} // namespace warplint
