// Finds the stores to a thread's own memory that a load of it reads.
#pragma once
#include "ir/control_flow.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <optional>
#include <string>

namespace warplint {

class OwnStores {
public:
  OwnStores(FunctionAnalyses analyses, const llvm::DataLayout &layout)
      : analyses_(analyses), layout_(layout) {}

  /// Returns the stores that may have written what `load` reads from `own`;
  /// nullopt unless all of them execute before the load.
  std::optional<std::vector<const llvm::StoreInst *>>
  readBy(const llvm::LoadInst &load, const llvm::AllocaInst &own);

  /// Returns ", loaded from 'key[i]'" if all values in an array are loaded from
  /// there; `nameOf` returns the source text of what an instruction loads.
  std::string
  originOf(const llvm::AllocaInst &own,
           llvm::function_ref<std::string(const llvm::Instruction &)> nameOf);

private:
  /// The bytes of an object that a pointer may lead to: from `first`, plus
  /// `more` bytes by which indexes into arrays of known length may move it.
  struct Reach {
    uint64_t first = 0, more = 0;
  };
  struct Walk;
  struct Write {
    const llvm::Instruction *by;
    std::optional<Reach> where; ///< nullopt: anywhere
    uint64_t bytes;

    bool mayTouch(const std::optional<Reach> &read, uint64_t size) const;
  };
  /// All writes to an object; nullopt if its address escapes.
  using Writes = std::optional<std::vector<Write>>;

  std::optional<Walk> walk(const llvm::AllocaInst &own,
                           const llvm::Value *pointer) const;
  Writes findWrites(const llvm::AllocaInst &own) const;
  const Writes &writesTo(const llvm::AllocaInst &own);

  FunctionAnalyses analyses_;
  const llvm::DataLayout &layout_;
  std::map<const llvm::AllocaInst *, Writes> writes_;
};

} // namespace warplint
