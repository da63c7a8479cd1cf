// Finds the arrays that a thread has for itself, as the source declares them.
#pragma once
#include "ir/frames.h"
#include "ir/ir_graph.h"

namespace warplint {

class OwnArrays {
public:
  /// Adds the arrays to `kernel`, and their names to the objects of `graph`.
  OwnArrays(llvm::Function &function, const Names &names, IrGraph &graph,
            Kernel &kernel);

  /// Returns the variable of the source that `own` is; null for what the
  /// compiler made.
  const llvm::DILocalVariable *variable(const llvm::AllocaInst *own) const {
    return variables_.lookup(own);
  }

  /// Returns the position of an array among the kernel's, if `object` is one.
  std::optional<unsigned> find(const llvm::Value *object) const;

  /// Reads a `passedMarker`: the function that gets an array.
  void notePassed(const llvm::CallBase &marker);

private:
  void nameVariables(llvm::Function &function);
  void add(const llvm::AllocaInst *own);

  const Names &names_;
  IrGraph &graph_;
  Kernel &kernel_;
  llvm::DenseMap<const llvm::Value *, const llvm::DILocalVariable *> variables_;
  llvm::DenseMap<const llvm::Value *, unsigned> arrays_;
};

} // namespace warplint
