#include "ir/stored_loads.h"
#include "llvm/ADT/SetVector.h"

namespace warplint {

void readStoredLoads(const AccessReader::Positions &positions,
                     const llvm::LoopInfo &loops, Kernel &kernel) {
  constexpr unsigned most = 64; // values between a store and its loads
  for (const auto &[instruction, index] : positions) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
    if (!store || kernel.accesses[index].space == Space::Local)
      continue;
    llvm::SetVector<const llvm::Value *> values;
    values.insert(store->getValueOperand());
    std::vector<unsigned> &loads = kernel.accesses[index].storedLoads;
    bool compares = false, takesTicket = false;
    for (size_t at = 0; at < values.size() && at < most; ++at) {
      auto *value = llvm::dyn_cast<llvm::Instruction>(values[at]);
      if (!value)
        continue;
      if (auto known = positions.find(value); known != positions.end()) {
        const Access &access = kernel.accesses[known->second];
        if (access.operation == Operation::Load)
          loads.push_back(known->second);
        takesTicket |= access.operation == Operation::Atomic;
        continue;
      }
      if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(value))
        compares |= comparison->isEquality();
      // A value that an earlier iteration left is no copy.
      if (llvm::isa<llvm::PHINode>(value) &&
          loops.isLoopHeader(value->getParent()))
        continue;
      if (!value->mayReadOrWriteMemory())
        for (const llvm::Value *operand : value->operands())
          values.insert(operand);
    }
    llvm::sort(loads);
    kernel.accesses[index].storesElection = compares && takesTicket;
  }
}

} // namespace warplint
