// The memory objects of IR: which of them a pointer leads to, where it lies and
// what the source calls it.
#pragma once
#include "model/model.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include <string>

namespace warplint {

/// Returns the one object that a pointer is computed from, through phis and
/// selects; if there are several, the last value that could be followed.
const llvm::Value *objectBehind(const llvm::Value *pointer);

/// Returns true if an object lies in the shared memory of another block of the
/// cluster: `cluster.map_shared_rank(tile, rank)`, PTX's mapa.
bool isOfOtherBlock(const llvm::Value *object);

/// Returns true for `__constant__` memory and the compiler's own constants.
/// nvcc puts other constants into global memory.
bool isInConstantMemory(const llvm::GlobalVariable &variable);

/// Strips the suffixes that Clang adds to names, as in `a.addr` and `p.coerce`.
std::string plainName(llvm::StringRef name);

/// Returns the function's name in the source, without parameters.
std::string plainFunction(const llvm::Function &function);

Object objectOfVariable(const llvm::GlobalVariable &variable);
Object objectOfLocal(const llvm::AllocaInst &own);
/// The object of an argument that is a pointer or a structure.
Object objectOfArgument(const llvm::Argument &argument);

} // namespace warplint
