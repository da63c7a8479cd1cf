// Makes the accesses of a kernel from the instructions that touch memory.
#pragma once
#include "ir/array_layouts.h"
#include "ir/own_arrays.h"
#include "ir/read_loops.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace warplint {

/// Appends to `kernel.accesses` and `kernel.notFollowed`, in the order of the
/// calls.
class AccessReader {
public:
  /// `synchronisation` has the barriers before each access that is added.
  AccessReader(llvm::Function &function, const Names &names,
               FunctionAnalyses analyses, llvm::ScalarEvolution &evolution,
               IrGraph &graph, const OwnArrays &arrays,
               const Synchronisation &synchronisation, Kernel &kernel);

  /// What follows is in `block`.
  void enter(const llvm::BasicBlock *block);

  /// Adds an access by the first `lanes` of a warp to `pointer` and `offset`
  /// bytes on. Without a space, that of the pointer.
  void add(llvm::Instruction &instruction, const llvm::Value *pointer,
           Operation operation, unsigned bytes, bool isVolatile,
           Space space = Space::Unknown, bool isAsync = false,
           int64_t offset = 0, unsigned lanes = 32);

  /// Adds a call whose accesses are unknown as one access.
  void addUnfollowed(llvm::CallBase &call, const std::string &why,
                     Space space = Space::Unknown,
                     Operation operation = Operation::Load);
  /// The same for a call that is no gap in what is known of the kernel.
  void addUnfollowedAccess(llvm::CallBase &call, const std::string &why,
                           Space space, Operation operation);

  /// Adds the accesses of a function that is called, not inlined, once: without
  /// addresses.
  void addNotInlined(const llvm::Function &function);

  /// If the last two accesses are an asynchronous copy, the second one stores
  /// what the first one loads.
  void noteCopy();

  /// The position of an instruction's last access among the kernel's.
  using Positions = llvm::MapVector<const llvm::Instruction *, unsigned>;
  const Positions &positions() const { return positions_; }

private:
  Access unknownAccess(const llvm::Instruction &instruction,
                       Operation operation, Space space,
                       const std::string &why);
  Need needOf(const llvm::Instruction &instruction, const llvm::Value *pointer);
  bool isTemporary(const llvm::Value *pointer) const;
  ValueId addressOf(const llvm::Value *pointer);
  std::string onlyObjectIn(ValueId address) const;
  std::string objectName(const llvm::Value *object) const;

  const Names &names_;
  const llvm::DataLayout &layout_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &scalarEvolution_;
  IrGraph &graph_;
  const OwnArrays &arrays_;
  const Synchronisation &synchronisation_;
  Kernel &kernel_;
  IndexMarks indexMarks_;
  const llvm::BasicBlock *block_ = nullptr;
  unsigned region_ = 0;
  /// Control-equivalent regions: blocks that are executed together, even with
  /// branches between them, have one number.
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> regions_;
  Positions positions_;
  llvm::DenseSet<const llvm::Function *> notInlined_; ///< already read
};

} // namespace warplint
