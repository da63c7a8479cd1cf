// Translates values and control flow of one IR function to an expression graph.
#pragma once
#include "ir/control_flow.h"
#include "ir/ir_objects.h"
#include "ir/own_stores.h"
#include "model/argument_bytes.h"
#include "model/model.h"

namespace warplint {

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
  /// Returns the condition that a thread in `from`'s iteration branches to
  /// `to`.
  ValueId edge(const llvm::BasicBlock *from, const llvm::BasicBlock *to);

  /// The loops of the function, and which blocks are control-equivalent.
  const ControlFlow &flow() const { return flow_; }

  ObjectId object(const llvm::Value *key, Object object);
  /// Adds a node for each pointer argument, for its position. The last step: a
  /// node more changes the probe values of those behind it.
  void addPointers();

private:
  ValueId convert(const llvm::Value *value);
  ValueId valueIn(const llvm::Value *value, const llvm::BasicBlock *context);
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
  ValueId call(const llvm::CallBase *call);
  ValueId opaque(const llvm::Instruction *instruction, llvm::StringRef text);

  llvm::Function &function_;
  FunctionAnalyses analyses_;
  Kernel &kernel_;
  ExpressionGraph &graph_;
  const llvm::DataLayout &layout_;
  const ArgumentBytes argumentBytes_;
  std::function<std::string(const llvm::Instruction &)> nameOf_;
  llvm::DenseMap<const llvm::Value *, ValueId> values_;
  llvm::DenseMap<const llvm::Value *, ObjectId> objects_;
  OwnStores ownStores_;
  CarriedOperands carried_;
  ControlFlow flow_;
};

} // namespace warplint
