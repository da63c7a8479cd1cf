#include "ir/own_stores.h"
#include "ir/ir_objects.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace warplint {

/// Follows the steps of a pointer. One that moves within an array passed to a
/// function stays in the outermost known array that it points into.
struct OwnStores::Walk : Reach {
  uint64_t arrayFirst = 0, arrayBytes = 0; ///< no bytes: no array is known

  void enter(const llvm::Type *type, const llvm::DataLayout &layout) {
    if (arrayBytes || more || !type->isArrayTy())
      return;
    arrayFirst = first;
    arrayBytes = layout.getTypeAllocSize(const_cast<llvm::Type *>(type));
  }
  /// Moves by an unknown number of elements; returns false if that may lead
  /// anywhere.
  bool wander(uint64_t element) {
    if (arrayBytes == 0 || element > arrayBytes)
      return false;
    first = arrayFirst;
    more = arrayBytes - element;
    return true;
  }
  /// Moves by a known number of bytes; returns false if that may lead anywhere.
  bool advance(int64_t bytes, uint64_t element) {
    if (bytes == 0)
      return true;
    if (bytes < 0 || more)
      return wander(element);
    first += bytes;
    if (first >= arrayFirst + arrayBytes)
      arrayBytes = 0;
    return true;
  }
};

std::optional<OwnStores::Walk>
OwnStores::walk(const llvm::AllocaInst &own, const llvm::Value *pointer) const {
  if (pointer == &own)
    return Walk();
  if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
    return walk(own, cast->getPointerOperand());
  auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  if (!gep)
    return std::nullopt;
  std::optional<Walk> walked = walk(own, gep->getPointerOperand());
  const llvm::Type *whole = nullptr; // the indexed type; null at first
  for (auto step = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep);
       walked && step != end; ++step) {
    auto *index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    auto *array = llvm::dyn_cast_or_null<llvm::ArrayType>(whole);
    uint64_t size = layout_.getTypeAllocSize(step.getIndexedType());
    bool inside = true;
    if (llvm::StructType *structure = step.getStructTypeOrNull())
      walked->first += layout_.getStructLayout(structure)->getElementOffset(
          index->getZExtValue());
    else if (!whole)
      inside =
          index ? walked->advance(index->getSExtValue() * int64_t(size), size)
                : walked->wander(size);
    else if (index && !index->isNegative())
      walked->first += index->getZExtValue() * size;
    else if (!index && array && array->getNumElements())
      walked->more += (array->getNumElements() - 1) * size;
    else
      inside = false;
    if (!inside)
      return std::nullopt;
    whole = step.getIndexedType();
    walked->enter(whole, layout_);
  }
  return walked;
}

bool OwnStores::Write::mayTouch(const std::optional<Reach> &read,
                                uint64_t size) const {
  return !read || !where ||
         (where->first + where->more + bytes > read->first &&
          read->first + read->more + size > where->first);
}

OwnStores::Writes OwnStores::findWrites(const llvm::AllocaInst &own) const {
  std::vector<Write> writes;
  llvm::SmallVector<const llvm::Value *, 8> work{&own};
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  while (!work.empty()) {
    const llvm::Value *pointer = work.pop_back_val();
    for (const llvm::User *user : pointer->users()) {
      if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastInst, llvm::PHINode,
                    llvm::SelectInst>(user)) {
        if (seen.insert(user).second)
          work.push_back(user);
        continue;
      }
      if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user))
        continue;
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (call && call->isLifetimeStartOrEnd())
        continue;
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
          store && store->getValueOperand() != pointer) {
        writes.push_back(
            {store, walk(own, pointer),
             layout_.getTypeStoreSize(store->getValueOperand()->getType())});
        continue;
      }
      auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(user);
      if (!memory)
        return std::nullopt; // its address escapes
      if (memory->getRawDest() != pointer)
        continue; // copied from it
      auto *length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
      writes.push_back({memory, length ? walk(own, pointer) : std::nullopt,
                        length ? length->getZExtValue() : 0});
    }
  }
  return writes;
}

const OwnStores::Writes &OwnStores::writesTo(const llvm::AllocaInst &own) {
  auto [it, isNew] = writes_.try_emplace(&own);
  if (isNew)
    it->second = findWrites(own);
  return it->second;
}

std::optional<std::vector<const llvm::StoreInst *>>
OwnStores::readBy(const llvm::LoadInst &load, const llvm::AllocaInst &own) {
  constexpr size_t most = 64;
  const Writes &writes = writesTo(own);
  if (!writes)
    return std::nullopt;
  const std::optional<Reach> read = walk(own, load.getPointerOperand());
  const uint64_t size = layout_.getTypeStoreSize(load.getType());
  std::vector<const llvm::StoreInst *> stores;
  for (const Write &write : *writes) {
    // A store to another member of the structure does not affect this load.
    if (!write.mayTouch(read, size))
      continue;
    auto *store = llvm::dyn_cast<llvm::StoreInst>(write.by);
    const llvm::Loop *around =
        analyses_.loops.getLoopFor(write.by->getParent());
    if (!store || !analyses_.dominators.dominates(store, &load) ||
        (around && !around->contains(&load)) || stores.size() == most)
      return std::nullopt;
    stores.push_back(store);
  }
  return stores;
}

std::string OwnStores::originOf(
    const llvm::AllocaInst &own,
    llvm::function_ref<std::string(const llvm::Instruction &)> nameOf) {
  const Writes &writes = writesTo(own);
  if (!writes)
    return "";
  std::string origin;
  for (const Write &write : *writes) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(write.by);
    const llvm::Value *value = store ? store->getValueOperand() : nullptr;
    while (auto *cast = llvm::dyn_cast_or_null<llvm::CastInst>(value))
      value = cast->getOperand(0);
    auto *load = llvm::dyn_cast_or_null<llvm::LoadInst>(value);
    const std::string name = load && !llvm::isa<llvm::AllocaInst>(objectBehind(
                                         load->getPointerOperand()))
                                 ? nameOf(*load)
                                 : "";
    if (name.empty() || (!origin.empty() && origin != name))
      return "";
    origin = name;
  }
  return origin.empty() ? "" : ", loaded from '" + origin + "'";
}

} // namespace warplint
