#include "ir/split_copies.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warplint {

namespace {

/// SROA drops custom metadata but keeps access groups.
void markCopy(llvm::Instruction &half) {
  half.setMetadata("warplint.copy", llvm::MDNode::get(half.getContext(), {}));
  half.setMetadata(llvm::LLVMContext::MD_access_group,
                   llvm::MDNode::getDistinct(half.getContext(), {}));
}

bool isAlloca(const llvm::Value *pointer) {
  return llvm::isa<llvm::AllocaInst>(pointer->stripInBoundsOffsets());
}

/// Returns true for the compiler's own constant, which SROA turns into values.
bool isInitialiser(const llvm::Value *pointer) {
  auto *constant =
      llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripInBoundsOffsets());
  return constant && constant->isConstant() && constant->hasPrivateLinkage();
}

/// Calls `use` with the offset and size of each part of `bytes`: powers of two,
/// of `widest` as long as so many are left.
void forEachPart(uint64_t bytes, uint64_t widest,
                 llvm::function_ref<void(uint64_t at, uint64_t size)> use) {
  for (uint64_t at = 0, size = widest; at < bytes; at += size) {
    while (size > bytes - at)
      size /= 2;
    use(at, size);
  }
}

/// Splits a copy of known size into the loads and stores that its alignment
/// allows. Accesses to memory outside the thread are volatile, or SROA would
/// split them by the fields that are used. An initialiser's values are known;
/// it is not memory that the source accesses.
class CopySplitter {
public:
  explicit CopySplitter(llvm::MemCpyInst &copy) : copy_(copy) {}

  void run() {
    uint64_t bytes =
        llvm::cast<llvm::ConstantInt>(copy_.getLength())->getZExtValue();
    bool fromOwn = isOwn(copy_.getSource()), toOwn = isOwn(copy_.getDest());
    bool isKnown = isInitialiser(copy_.getSource());
    uint64_t widest = 16;
    if (!fromOwn)
      widest = std::min(widest, copy_.getSourceAlign().valueOrOne().value());
    if (!toOwn)
      widest = std::min(widest, copy_.getDestAlign().valueOrOne().value());
    llvm::IRBuilder<> builder(&copy_);
    builder.SetCurrentDebugLocation(copy_.getDebugLoc());
    forEachPart(bytes, widest, [&](uint64_t at, uint64_t size) {
      llvm::Value *from = offset(builder, copy_.getSource(), at);
      llvm::Value *to = offset(builder, copy_.getDest(), at);
      llvm::LoadInst *load =
          builder.CreateAlignedLoad(builder.getIntNTy(size * 8), from,
                                    llvm::MaybeAlign(fromOwn ? 1 : size));
      load->setVolatile(!fromOwn && !isKnown);
      llvm::StoreInst *store = builder.CreateAlignedStore(
          load, to, llvm::MaybeAlign(toOwn ? 1 : size));
      store->setVolatile(!toOwn);
      // Records that the source did not say volatile.
      for (llvm::Instruction *half : {static_cast<llvm::Instruction *>(load),
                                      static_cast<llvm::Instruction *>(store)})
        markCopy(*half);
    });
    copy_.eraseFromParent();
  }

  static bool splits(const llvm::MemCpyInst &copy) {
    auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    return length && length->getZExtValue() <= 512 && !copy.isVolatile() &&
           !((isOwn(copy.getSource()) || isInitialiser(copy.getSource())) &&
             isOwn(copy.getDest()));
  }

private:
  static bool isOwn(const llvm::Value *pointer) {
    const llvm::Value *object = pointer->stripInBoundsOffsets();
    auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    return isAlloca(object) || (argument && argument->hasByValAttr());
  }
  static llvm::Value *offset(llvm::IRBuilder<> &builder, llvm::Value *pointer,
                             uint64_t bytes) {
    return bytes == 0 ? pointer
                      : builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer,
                                                   bytes);
  }
  llvm::MemCpyInst &copy_;
};

/// Splits a memset of a constant into stores, like a copy.
void splitSet(llvm::MemSetInst &set) {
  uint64_t bytes =
      llvm::cast<llvm::ConstantInt>(set.getLength())->getZExtValue();
  uint64_t widest =
      std::min<uint64_t>(16, set.getDestAlign().valueOrOne().value());
  const llvm::APInt &byte =
      llvm::cast<llvm::ConstantInt>(set.getValue())->getValue();
  llvm::IRBuilder<> builder(&set);
  builder.SetCurrentDebugLocation(set.getDebugLoc());
  forEachPart(bytes, widest, [&](uint64_t at, uint64_t size) {
    llvm::Value *to =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), set.getRawDest(), at);
    llvm::StoreInst *store = builder.CreateAlignedStore(
        builder.getInt(llvm::APInt::getSplat(size * 8, byte)), to,
        llvm::MaybeAlign(size), /*isVolatile=*/true);
    markCopy(*store);
  });
  set.eraseFromParent();
}

bool splits(const llvm::MemSetInst &set) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(set.getLength());
  return length && length->getZExtValue() <= 512 && !set.isVolatile() &&
         llvm::isa<llvm::ConstantInt>(set.getValue()) &&
         !isAlloca(set.getRawDest());
}

const llvm::Type *elementOf(const llvm::Type *type) {
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return type;
}

} // namespace

bool splitCopies(llvm::Function &function) {
  std::vector<llvm::MemCpyInst *> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction))
      if (CopySplitter::splits(*copy))
        copies.push_back(copy);
  for (llvm::MemCpyInst *copy : copies)
    CopySplitter(*copy).run();
  return !copies.empty();
}

bool splitSets(llvm::Function &function) {
  std::vector<llvm::MemSetInst *> sets;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
      if (splits(*set))
        sets.push_back(set);
  for (llvm::MemSetInst *set : sets)
    splitSet(*set);
  return !sets.empty();
}

bool fillTables(llvm::Function &function) {
  std::vector<llvm::MemCpyInst *> fills;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *fill = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) {
      auto *length = llvm::dyn_cast<llvm::ConstantInt>(fill->getLength());
      auto *table = llvm::dyn_cast<llvm::GlobalVariable>(fill->getSource());
      auto *own = llvm::dyn_cast<llvm::AllocaInst>(fill->getDest());
      if (length && own && table && table->isConstant() &&
          table->hasInitializer() &&
          elementOf(table->getValueType())->isIntegerTy() &&
          length->getZExtValue() <= 256)
        fills.push_back(fill);
    }
  const llvm::DataLayout &layout = function.getDataLayout();
  for (llvm::MemCpyInst *fill : fills) {
    auto *table = llvm::cast<llvm::GlobalVariable>(fill->getSource());
    auto *element = const_cast<llvm::Type *>(elementOf(table->getValueType()));
    uint64_t size = layout.getTypeStoreSize(element);
    uint64_t bytes =
        llvm::cast<llvm::ConstantInt>(fill->getLength())->getZExtValue();
    llvm::IRBuilder<> builder(fill);
    builder.SetCurrentDebugLocation(fill->getDebugLoc());
    for (uint64_t at = 0; at + size <= bytes; at += size)
      if (llvm::Constant *value = llvm::ConstantFoldLoadFromConst(
              table->getInitializer(), element, llvm::APInt(64, at), layout))
        builder.CreateStore(value,
                            builder.CreateConstGEP1_64(builder.getInt8Ty(),
                                                       fill->getDest(), at));
    fill->eraseFromParent();
  }
  return !fills.empty();
}

bool openCopies(llvm::Function &function) {
  bool any = false;
  auto open = [&](auto *half) {
    if (!half || !half->isVolatile() || !isAlloca(half->getPointerOperand()))
      return;
    half->setVolatile(false);
    any = true;
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.hasMetadata(llvm::LLVMContext::MD_access_group)) {
      open(llvm::dyn_cast<llvm::LoadInst>(&instruction));
      open(llvm::dyn_cast<llvm::StoreInst>(&instruction));
    }
  return any;
}

bool isBetweenLocals(const llvm::MemIntrinsic &change) {
  auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&change);
  return isAlloca(change.getRawDest()) &&
         (!copy || isAlloca(copy->getRawSource()) ||
          isInitialiser(copy->getRawSource()));
}

} // namespace warplint
