#include "ir/read_branches.h"
#include "ir/read_operations.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;

/// An access counts as several instructions: others wait for it.
constexpr double accessWork = 2;

/// Iterations assumed for a loop of unknown length.
constexpr double unknownIterations = 8, mostIterations = 32;

double workOf(const Instruction &instruction) {
  const bool isAccess =
      llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst,
                llvm::AtomicCmpXchgInst>(instruction);
  return isAccess ? accessWork : instructionsOf(instruction);
}

class BranchReader {
public:
  BranchReader(llvm::Function &function, const FunctionAnalyses &analyses,
               IrGraph &graph, llvm::ArrayRef<Loop> loops)
      : function_(function), analyses_(analyses), graph_(graph), loops_(loops) {
    for (const BasicBlock &block : function) {
      Block &known = blocks_[&block];
      for (const Instruction &instruction : block) {
        known.work += workOf(instruction);
        known.hasAccess |= instruction.mayReadOrWriteMemory() &&
                           !llvm::isa<llvm::IntrinsicInst>(instruction) &&
                           workOf(instruction) > 0;
      }
    }
  }

  std::vector<Branch>
  read(llvm::function_ref<void(const Instruction &, Branch &)> locate) {
    llvm::ReversePostOrderTraversal<llvm::Function *> order(&function_);
    for (BasicBlock *block : order)
      if (isBranch(block))
        readBranch(block, locate);
    return std::move(branches_);
  }

private:
  struct Block {
    double work = 0;
    bool hasAccess = false;
  };
  using Blocks = llvm::SetVector<const BasicBlock *>;

  /// Returns true unless the branch is a loop's condition or leaves a loop.
  bool isBranch(const BasicBlock *block) const {
    const Instruction *end = block->getTerminator();
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(end) ||
        end->getNumSuccessors() < 2)
      return false;
    const llvm::Loop *loop = analyses_.loops.getLoopFor(block);
    return llvm::all_of(llvm::successors(block), [&](const BasicBlock *to) {
      return !loop || loop->contains(to) || isDeadEnd(to);
    });
  }

  /// Returns true for a block that ends in a failed assertion or an impossible
  /// case: it is no side.
  static bool isDeadEnd(const BasicBlock *block) {
    return llvm::isa<llvm::UnreachableInst>(block->getTerminator());
  }

  /// Returns the blocks from `first` until all sides meet or the iteration
  /// ends.
  Blocks blocksFrom(const BasicBlock *branch, const BasicBlock *first) const {
    const llvm::Loop *loop = analyses_.loops.getLoopFor(branch);
    const BasicBlock *meet = nullptr;
    if (auto *node =
            analyses_.postDominators.getNode(const_cast<BasicBlock *>(branch)))
      if (node->getIDom())
        meet = node->getIDom()->getBlock();
    Blocks seen;
    auto add = [&](const BasicBlock *block) {
      if (block != meet && !(loop && !loop->contains(block)) &&
          !(loop && loop->getHeader() == block))
        seen.insert(block);
    };
    add(first);
    for (size_t i = 0; i < seen.size(); ++i)
      for (const BasicBlock *next : llvm::successors(seen[i]))
        add(next);
    return seen;
  }

  /// Returns how often the loops on the side execute the block.
  double iterations(const BasicBlock *block, const BasicBlock *branch) const {
    double result = 1;
    for (const llvm::Loop *loop = analyses_.loops.getLoopFor(block);
         loop && !loop->contains(branch); loop = loop->getParentLoop()) {
      const Loop &known = loops_[graph_.flow().loopId(loop)];
      result *= known.tripCount
                    ? std::min<double>(*known.tripCount, mostIterations)
                    : unknownIterations;
    }
    return result;
  }

  void
  readBranch(BasicBlock *block,
             llvm::function_ref<void(const Instruction &, Branch &)> locate) {
    llvm::SetVector<const BasicBlock *> ways;
    for (const BasicBlock *way : llvm::successors(block))
      if (!isDeadEnd(way))
        ways.insert(way);
    if (ways.size() < 2)
      return;
    std::vector<Blocks> sides;
    llvm::DenseMap<const BasicBlock *, unsigned> times;
    for (const BasicBlock *way : ways) {
      sides.push_back(blocksFrom(block, way));
      for (const BasicBlock *on : sides.back())
        ++times[on];
    }
    Branch branch;
    if (auto it = sideOf_.find(block); it != sideOf_.end())
      branch.parent = it->second;
    for (auto [way, side] : llvm::zip(ways, sides)) {
      Side &read = branch.sides.emplace_back();
      read.taken = graph_.edge(block, way);
      for (const BasicBlock *on : side) {
        if (times[on] > 1)
          continue; // blocks that several sides share
        read.work += blocks_[on].work * iterations(on, block);
        read.hasAccess |= blocks_[on].hasAccess;
        sideOf_[on] = branches_.size();
      }
    }
    branch.guard = graph_.reach(block);
    branch.loops = graph_.flow().loopsAround(block);
    locate(*block->getTerminator(), branch);
    branches_.push_back(std::move(branch));
  }

  llvm::Function &function_;
  const FunctionAnalyses &analyses_;
  IrGraph &graph_;
  llvm::ArrayRef<Loop> loops_;
  llvm::DenseMap<const BasicBlock *, Block> blocks_;
  llvm::DenseMap<const BasicBlock *, unsigned> sideOf_; ///< innermost so far
  std::vector<Branch> branches_;
};

} // namespace

std::vector<Branch>
readBranches(llvm::Function &function, const FunctionAnalyses &analyses,
             IrGraph &graph, llvm::ArrayRef<Loop> loops,
             llvm::function_ref<void(const Instruction &, Branch &)> locate) {
  return BranchReader(function, analyses, graph, loops).read(locate);
}

} // namespace warplint
