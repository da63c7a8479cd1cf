#include "ir/inline_calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace warplint {

/// Instructions of a function with all that it calls. Code of more takes minutes
/// to read and gigabytes to keep, as where nvcc calls hash functions of thousands
/// of instructions from dozens of places.
static constexpr unsigned mostInstructions = 200'000;

/// Functions in each other that are inlined the innermost first. Each of a
/// longer chain would copy all those inside it, and the places of its callers
/// with them: the square of its length.
static constexpr unsigned deepest = 64;

static llvm::Function *bodyCalledBy(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isDeclaration() ? callee : nullptr;
}

llvm::SmallSetVector<llvm::Function *, 8>
calledBy(const llvm::Function &function) {
  llvm::SmallSetVector<llvm::Function *, 8> called;
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::Function *callee = bodyCalledBy(instruction))
      called.insert(callee);
  return called;
}

Inliner::Inliner(llvm::Module &module, llvm::FunctionAnalysisManager &analyses,
                 std::function<void(llvm::Function &)> tidy)
    : analyses_(analyses), tidy_(std::move(tidy)) {
  for (llvm::Function &function : module)
    order_.try_emplace(&function, order_.size());
}

bool Inliner::inlineInto(llvm::Function &kernel) {
  bool any = false;
  do {
    hasMore_ = false;
    any |= inlineCalls(kernel);
  } while (hasMore_);
  return any;
}

bool Inliner::inlineCalls(llvm::Function &function) {
  std::vector<llvm::CallBase *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::Function *callee = bodyCalledBy(instruction);
        callee && callee->hasFnAttribute(llvm::Attribute::AlwaysInline))
      calls.push_back(llvm::cast<llvm::CallBase>(&instruction));
  // Locals are added in front of others: from the last call to the first, they
  // end up in the order of the calls.
  auto place = [&](const llvm::CallBase *call) {
    return order_.at(call->getCalledFunction());
  };
  std::reverse(calls.begin(), calls.end());
  llvm::stable_sort(
      calls, [&](const auto *a, const auto *b) { return place(a) < place(b); });
  bool any = false;
  unsigned size = function.getInstructionCount();
  for (llvm::CallBase *call : calls) {
    llvm::Function &callee = *call->getCalledFunction();
    if (flatten(callee) != State::Whole)
      continue;
    const unsigned more = callee.getInstructionCount();
    if (size + more > mostInstructions) {
      callee.addFnAttr(tooLarge);
      continue;
    }
    if (!inlineCall(*call, callee))
      continue;
    size += more;
    any = true;
    // Its calls are now those of the function around it.
    if (cut_.contains(&callee)) {
      cut_.insert(&function);
      hasMore_ = true;
    }
    if (callee.use_empty())
      callee.deleteBody();
  }
  return any;
}

/// Inlines what a function calls, once.
Inliner::State Inliner::flatten(llvm::Function &callee) {
  auto [state, isFirst] = states_.try_emplace(&callee, State::InProgress);
  if (!isFirst)
    return state->second;
  tidy_(callee);
  if (depth_ == deepest) {
    if (!calledBy(callee).empty())
      cut_.insert(&callee);
  } else {
    ++depth_;
    if (inlineCalls(callee))
      tidy_(callee);
    --depth_;
  }
  // A call of itself is left where it recurs.
  return states_[&callee] = llvm::isInlineViable(callee).isSuccess()
                                ? State::Whole
                                : State::NotViable;
}

bool Inliner::inlineCall(llvm::CallBase &call, llvm::Function &callee) {
  // What its calls access decides which pointers alias a restricted one.
  const bool isRestricted =
      llvm::any_of(callee.args(), [](const llvm::Argument &argument) {
        return argument.hasNoAliasAttr();
      });
  llvm::AAResults *aliases =
      isRestricted ? &analyses_.getResult<llvm::AAManager>(callee) : nullptr;
  llvm::InlineFunctionInfo info;
  const bool isInlined =
      llvm::InlineFunction(call, info, /*MergeAttributes=*/true, aliases,
                           /*InsertLifetime=*/false)
          .isSuccess();
  analyses_.clear(callee, callee.getName());
  return isInlined;
}

} // namespace warplint
