// How often the machine executes the instructions of loops: the compiler
// computes before a loop what stays the same in it, copies the bodies of short
// loops, where a counter is a constant, and makes constant steps of an address
// part of the accesses.
#pragma once
#include "ir/invariance.h"
#include "model/model.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Function.h"
#include <functional>
#include <memory>

namespace warplint {

class Executions {
public:
  /// `loopOf` gives the model's loop for one of the IR.
  Executions(const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
             Invariance &invariance,
             std::function<const Loop &(const llvm::Loop *)> loopOf)
      : loops_(loops), evolution_(evolution), invariance_(invariance),
        loopOf_(std::move(loopOf)), standIns_(*this) {}

  struct Execution {
    const llvm::Loop *loop; ///< that executes it; null: the kernel itself
    double times;           ///< in each iteration; 0 for a constant
  };
  Execution of(const llvm::Instruction &instruction);

private:
  /// Puts stand-ins into a form. Keeps what it has visited: the forms of the
  /// thousands of sums in a hash are made from each other.
  class StandIns : public llvm::SCEVRewriteVisitor<StandIns> {
  public:
    explicit StandIns(Executions &executions)
        : SCEVRewriteVisitor(executions.evolution_), executions_(executions) {}
    const llvm::SCEV *visitUnknown(const llvm::SCEVUnknown *leaf) {
      return executions_.standIn(*leaf);
    }

  private:
    Executions &executions_;
  };

  Execution ofBranch(const llvm::Instruction &branch, const llvm::Loop *around);
  Execution ofInteger(const llvm::Instruction &integer,
                      const llvm::Loop *around);
  bool isKnown(const llvm::Value *value);
  Execution ofPure(const llvm::Instruction &instruction);
  bool isLeftBy(const llvm::Value *value, const llvm::Loop &loop);
  bool hasKnownIndexes(const llvm::GetElementPtrInst &address);
  bool isInRegisters(const llvm::Value *object);
  bool isCounter(const llvm::PHINode &phi);
  bool servesAddresses(const llvm::Instruction &instruction);
  bool servesShared(const llvm::Instruction &instruction);
  const llvm::SCEV *formOf(const llvm::Instruction &integer);
  const llvm::SCEV *standIn(const llvm::SCEVUnknown &read);
  bool isCounted(const llvm::Loop &loop, const llvm::BasicBlock *exiting);
  std::optional<double> iterationsOf(const llvm::Loop &loop);
  bool vanishes(const llvm::Loop *loop);
  double copiesOf(const llvm::Loop *loop);
  double sizeOf(const llvm::Loop &loop);

  const llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  Invariance &invariance_;
  std::function<const Loop &(const llvm::Loop *)> loopOf_;
  /// Their arguments stand for values that are read in a loop and stay the
  /// same: threadIdx.x.
  llvm::DenseMap<const llvm::Value *, std::unique_ptr<llvm::Function>> same_;
  llvm::DenseMap<const llvm::Value *, bool> known_, serves_, servesShared_,
      inRegisters_;
  llvm::DenseMap<std::pair<const llvm::Value *, const llvm::Loop *>, bool>
      leftBy_;
  llvm::DenseMap<const llvm::Loop *, bool> vanishes_;
  llvm::DenseMap<const llvm::Loop *, double> sizes_;
  StandIns standIns_;
};

} // namespace warplint
