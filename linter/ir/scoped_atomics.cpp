#include "ir/scoped_atomics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace warplint {

namespace {

constexpr AtomicOrdering relaxed = AtomicOrdering::Monotonic;

/// `name` is that of the intrinsic after "llvm.nvvm.atomic.": "add", as in
/// "add.gen.f.cta.f32.p0".
AtomicRMWInst::BinOp operationOf(StringRef name, bool isFloat) {
  using RMW = AtomicRMWInst;
  return StringSwitch<RMW::BinOp>(name)
      .Case("add", isFloat ? RMW::FAdd : RMW::Add)
      .Case("and", RMW::And)
      .Case("or", RMW::Or)
      .Case("xor", RMW::Xor)
      .Case("exch", RMW::Xchg)
      .Case("min", RMW::Min)
      .Case("max", RMW::Max)
      .Case("inc", RMW::UIncWrap)
      .Case("dec", RMW::UDecWrap)
      .Default(RMW::BAD_BINOP);
}

/// Returns the value that replaces the call; null if it is not known.
Value *opened(CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm.atomic."))
    return nullptr;
  const auto [operation, rest] = name.split('.');
  const SyncScope::ID scope = call.getContext().getOrInsertSyncScopeID(
      rest.contains(".cta.") ? "block" : "");
  IRBuilder<> builder(&call);
  if (operation == "cas" && call.arg_size() == 3)
    return builder.CreateExtractValue(
        builder.CreateAtomicCmpXchg(
            call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
            MaybeAlign(), relaxed, relaxed, scope),
        0);
  const AtomicRMWInst::BinOp update =
      operationOf(operation, call.getType()->isFloatingPointTy());
  if (update == AtomicRMWInst::BAD_BINOP || call.arg_size() != 2)
    return nullptr;
  return builder.CreateAtomicRMW(update, call.getArgOperand(0),
                                 call.getArgOperand(1), MaybeAlign(), relaxed,
                                 scope);
}

} // namespace

void openScopedAtomics(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction())
      if (Value *value = opened(*call)) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      }
}

} // namespace warplint
