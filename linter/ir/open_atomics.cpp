#include "ir/open_atomics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace warplint {

std::optional<AtomicRMWInst::BinOp>
atomicOperation(StringRef name, bool isFloat, bool isSigned) {
  using RMW = AtomicRMWInst;
  return StringSwitch<std::optional<RMW::BinOp>>(name)
      .Case("add", isFloat ? RMW::FAdd : RMW::Add)
      .Case("and", RMW::And)
      .Case("or", RMW::Or)
      .Case("xor", RMW::Xor)
      .Case("exch", RMW::Xchg)
      .Case("inc", RMW::UIncWrap)
      .Case("dec", RMW::UDecWrap)
      .Case("min", isFloat    ? RMW::FMin
                   : isSigned ? RMW::Min
                              : RMW::UMin)
      .Case("max", isFloat    ? RMW::FMax
                   : isSigned ? RMW::Max
                              : RMW::UMax)
      .Default(std::nullopt);
}

namespace {

/// One atomic, in whatever words.
struct Update {
  StringRef operation; ///< "add", "cas"
  bool isUnsigned = false;
  bool isBlockWide = false; ///< else its scope is the system
  bool isGlobal = false;    ///< it says that its memory is
  bool isFence = false;     ///< for other accesses: "acquire"
  AtomicOrdering ordering = AtomicOrdering::Monotonic;
};

/// Makes the atomic in front of `call`, whose arguments are the address and the
/// values; null if LLVM has none such.
Value *make(const Update &update, CallBase &call) {
  Value *address = call.getArgOperand(0), *value = call.getArgOperand(1);
  const SyncScope::ID scope = call.getContext().getOrInsertSyncScopeID(
      update.isBlockWide ? "block" : "");
  IRBuilder<> builder(&call);
  if (update.isFence)
    builder.CreateCall(
        InlineAsm::get(FunctionType::get(builder.getVoidTy(), false),
                       "fence.acq_rel.gpu;", "~{memory}",
                       /*hasSideEffects=*/true));
  constexpr unsigned global = 1;
  if (update.isGlobal)
    address = builder.CreateAddrSpaceCast(
        address, PointerType::get(call.getContext(), global));
  if (update.operation == "cas" && call.arg_size() == 3)
    return builder.CreateExtractValue(
        builder.CreateAtomicCmpXchg(
            address, value, call.getArgOperand(2), MaybeAlign(),
            update.ordering,
            AtomicCmpXchgInst::getStrongestFailureOrdering(update.ordering),
            scope),
        0);
  const auto operation =
      atomicOperation(update.operation, value->getType()->isFloatingPointTy(),
                      !update.isUnsigned);
  if (!operation || call.arg_size() != 2)
    return nullptr;
  return builder.CreateAtomicRMW(*operation, address, value, MaybeAlign(),
                                 update.ordering, scope);
}

/// `name` is "llvm.nvvm.atomic.add.gen.f.cta.f32.p0", for example.
std::optional<Update> ofIntrinsic(StringRef name) {
  if (!name.consume_front("llvm.nvvm.atomic."))
    return std::nullopt;
  const auto [operation, rest] = name.split('.');
  return Update{.operation = operation, .isBlockWide = rest.contains(".cta.")};
}

/// Returns true if the operands are "$0, [$1], $2", the first of `results`
/// results, the address and `values` values.
bool areInOrder(StringRef operands, unsigned results, unsigned values) {
  SmallVector<StringRef, 4> all;
  operands.split(all, ',');
  if (all.size() != results + 1 + values)
    return false;
  return all_of(enumerate(all), [&](const auto &operand) {
    StringRef text = operand.value().trim();
    unsigned number = 0;
    if (operand.index() == results &&
        (!text.consume_front("[") || !text.consume_back("]")))
      return false;
    text = text.trim();
    return text.consume_front("$") && !text.getAsInteger(10, number) &&
           number == operand.index();
  });
}

/// The atomic in "atom.add.relaxed.gpu.s32 $0,[$1],$2;".
std::optional<Update> ofAssembly(const InlineAsm &assembly,
                                 const CallBase &call) {
  StringRef text = StringRef(assembly.getAsmString()).trim();
  text.consume_back(";");
  const size_t end = text.find_first_of(" \t");
  const StringRef mnemonic = text.take_front(end),
                  operands = text.drop_front(mnemonic.size());
  SmallVector<StringRef, 8> parts;
  mnemonic.split(parts, '.');
  const bool hasResult = parts[0] == "atom";
  if (parts.size() < 3 || (!hasResult && parts[0] != "red") ||
      hasResult == call.getType()->isVoidTy() || call.arg_size() < 2 ||
      !call.getArgOperand(0)->getType()->isPointerTy() ||
      !areInOrder(operands, hasResult, call.arg_size() - 1))
    return std::nullopt;
  Update update;
  for (StringRef part : drop_end(drop_begin(parts)))
    if (part == "cas" || atomicOperation(part, false, false))
      update.operation = part;
    else if (part == "cta")
      update.isBlockWide = true;
    else if (part == "global")
      update.isGlobal = true;
    else if (part == "acquire" || part == "release" || part == "acq_rel")
      update.isFence = true;
    else if (!is_contained({"relaxed", "gpu", "sys", "cluster"}, part))
      return std::nullopt;
  const StringRef type = parts.back();
  const Type &value = *call.getArgOperand(1)->getType();
  const bool isFloat = type == "f32" || type == "f64";
  if ((isFloat && !value.isFloatingPointTy()) ||
      (!isFloat &&
       !is_contained({"s32", "u32", "b32", "s64", "u64", "b64"}, type)))
    return std::nullopt;
  update.isUnsigned = type.starts_with("u");
  if (assembly.getConstraintString().find("~{memory}") != std::string::npos)
    update.ordering = AtomicOrdering::AcquireRelease;
  return update;
}

std::optional<Update> updateOf(const CallBase &call) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
    return ofAssembly(*assembly, call);
  const Function *callee = call.getCalledFunction();
  return callee && call.arg_size() >= 2 ? ofIntrinsic(callee->getName())
                                        : std::nullopt;
}

} // namespace

void openAtomics(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (const std::optional<Update> update = updateOf(*call))
        if (Value *value = make(*update, *call)) {
          if (!call->use_empty())
            call->replaceAllUsesWith(value);
          call->eraseFromParent();
        }
}

} // namespace warplint
