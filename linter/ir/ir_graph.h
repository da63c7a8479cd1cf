// Translates values and control flow of one IR function to an expression graph.
#pragma once
#include "model/argument_bytes.h"
#include "model/model.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <functional>
#include <map>
#include <memory>

namespace warplint {

struct FunctionAnalyses {
  llvm::LoopInfo &loops;
  llvm::DominatorTree &dominators;
  llvm::PostDominatorTree &postDominators;
};

/// Returns the one object that a pointer is computed from, through phis and
/// selects; if there are several, the last value that could be followed.
const llvm::Value *objectBehind(const llvm::Value *pointer);

/// Returns true for `__constant__` memory and the compiler's own constants.
/// nvcc puts other constants into global memory.
bool isInConstantMemory(const llvm::GlobalVariable &variable);

/// Returns the function's name in the source, without parameters.
std::string plainFunction(const llvm::Function &function);

/// Builds nodes on demand, into `kernel.graph` and `kernel.objects`.
class IrGraph {
public:
  /// `nameOf` returns the source text of what an instruction loads.
  IrGraph(llvm::Function &function, FunctionAnalyses analyses, Kernel &kernel,
          std::function<std::string(const llvm::Instruction &)> nameOf);

  /// Returns `value` as seen at the end of `context`: after a loop, it is the
  /// value from the loop's last iteration.
  ValueId value(const llvm::Value *value, const llvm::BasicBlock *context);
  /// Returns the condition under which a thread reaches `block`.
  ValueId reach(const llvm::BasicBlock *block);

  LoopId loopId(const llvm::Loop *loop) const { return loopIds_.lookup(loop); }
  /// Returns the loops around `block`, outermost first.
  std::vector<LoopId> loopsAround(const llvm::BasicBlock *block) const;
  /// Returns the loops in the order of their ids.
  const std::vector<const llvm::Loop *> &loops() const { return loopOrder_; }
  /// Returns the condition that a thread in `from`'s iteration branches to
  /// `to`.
  ValueId edge(const llvm::BasicBlock *from, const llvm::BasicBlock *to);

  ObjectId object(const llvm::Value *key, Object object);
  /// Adds a node for each pointer argument, for its position. The last step: a
  /// node more changes the probe values of those behind it.
  void addPointers();

private:
  /// Runs one public query. Operands of loop-carried values are computed after
  /// it: during the query, an unfinished value would look like a cycle without
  /// a loop.
  template <class Question> ValueId settled(Question question);
  void settleCarried();

  ValueId convert(const llvm::Value *value);
  ValueId valueIn(const llvm::Value *value, const llvm::BasicBlock *context);
  /// Returns the condition under which a thread in `root` reaches `block`.
  ValueId reachOf(const llvm::BasicBlock *block, const llvm::BasicBlock *root);
  ValueId edgeOf(const llvm::BasicBlock *from, const llvm::BasicBlock *to,
                 const llvm::BasicBlock *root);
  ValueId constant(const llvm::Constant *constant);
  ValueId argument(const llvm::Argument *argument);
  ValueId instruction(const llvm::Instruction *instruction);
  std::optional<ValueId> field(const llvm::CastInst *cast);
  ValueId phi(const llvm::PHINode *phi);
  ValueId address(const llvm::Value *gep, const llvm::BasicBlock *context);
  ValueId load(const llvm::Instruction *load, const llvm::Value *pointer);
  ValueId loadedFrom(ValueId address, const llvm::Value *pointer, uint64_t more,
                     llvm::StringRef name, const llvm::Value *result);
  ValueId forwarded(const llvm::LoadInst *load, const llvm::AllocaInst *own);
  ValueId elementOf(const llvm::Constant &table, ValueId address, ValueId base,
                    const llvm::Instruction *load, ValueId other);
  struct OwnWrites;
  const OwnWrites &writesTo(const llvm::AllocaInst *own);
  std::string originOf(const OwnWrites &writes) const;
  ValueId call(const llvm::CallBase *call);
  ValueId assembly(const llvm::CallBase *call, llvm::StringRef text);
  ValueId shuffle(const llvm::CallBase *call, llvm::StringRef mode);
  /// Returns a mask of the lanes that reach `block` with `condition` true.
  ValueId ballot(ValueId condition, const llvm::BasicBlock *block,
                 unsigned width);
  std::optional<ValueId> bitCount(const llvm::CallBase *call);
  std::optional<ValueId> specialRegister(llvm::StringRef name, unsigned bits);
  ValueId opaque(const llvm::Instruction *instruction, llvm::StringRef text);
  ValueId taken(const llvm::BasicBlock *from, const llvm::BasicBlock *to);
  ValueId edgeOut(const llvm::BasicBlock *from, const llvm::BasicBlock *to,
                  const llvm::BasicBlock *root, bool which);
  const llvm::BasicBlock *alwaysWith(const llvm::BasicBlock *block) const;
  unsigned bits(const llvm::Type *type) const;
  void setRows(llvm::Type *type, Object &object) const;

  llvm::Function &function_;
  FunctionAnalyses analyses_;
  Kernel &kernel_;
  ExpressionGraph &graph_;
  const llvm::DataLayout &layout_;
  const ArgumentBytes argumentBytes_;
  std::function<std::string(const llvm::Instruction &)> nameOf_;
  llvm::DenseMap<const llvm::Value *, ValueId> values_;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>,
                 ValueId>
      reached_; ///< by block and root
  llvm::DenseMap<const llvm::Value *, ObjectId> objects_;
  std::map<const llvm::AllocaInst *, std::shared_ptr<const OwnWrites>>
      ownWrites_;
  llvm::DenseMap<const llvm::Loop *, LoopId> loopIds_;
  std::vector<const llvm::Loop *> loopOrder_;
  std::vector<std::function<void()>> carried_; ///< still without operands
  unsigned asking_ = 0;
};

} // namespace warplint
