// Finds what memory a call touches: intrinsics, instructions of PTX that have
// no IR, functions without a body, and inline assembly.
#pragma once
#include "ir/read_accesses.h"

namespace warplint {

/// Returns true for a store of an argument that a kernel passes to another one
/// that it launches.
bool isLaunchArgument(const llvm::StoreInst &store);

/// Adds the accesses of calls to those of `accesses`, their barriers and fences
/// to `synchronisation`.
class CallReader {
public:
  CallReader(const Names &names, AccessReader &accesses, OwnArrays &arrays,
             Synchronisation &synchronisation, Kernel &kernel)
      : names_(names), accesses_(accesses), arrays_(arrays),
        synchronisation_(synchronisation), kernel_(kernel) {}

  void read(llvm::CallBase &call);

private:
  void addResults(llvm::CallBase &call, llvm::StringRef name);
  void readPtxInstruction(llvm::CallBase &call, llvm::StringRef opcode);
  void addFragment(llvm::CallBase &call, const llvm::Value *pointer,
                   llvm::StringRef name, Operation operation);
  bool readBulkCopy(llvm::CallBase &call, llvm::StringRef name);
  void addBulkCopy(llvm::CallBase &call, const llvm::Value *to,
                   const llvm::Value *from, const llvm::Value *size);
  void readAsm(llvm::CallBase &call, llvm::StringRef text);

  const Names &names_;
  AccessReader &accesses_;
  OwnArrays &arrays_;
  Synchronisation &synchronisation_;
  Kernel &kernel_;
};

} // namespace warplint
