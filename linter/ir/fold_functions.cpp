#include "ir/fold_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <cmath>

namespace warplint {

namespace {

/// Returns the function of one number that libdevice's of this name computes;
/// null for others.
double (*numberFunction(llvm::StringRef name))(double) {
  using Function = double (*)(double);
  name.consume_front("__nv_fast_") || name.consume_front("__nv_");
  auto of = [](llvm::StringRef name) {
    return llvm::StringSwitch<Function>(name)
        .Case("sin", [](double x) { return std::sin(x); })
        .Case("cos", [](double x) { return std::cos(x); })
        .Case("tan", [](double x) { return std::tan(x); })
        .Case("atan", [](double x) { return std::atan(x); })
        .Case("exp", [](double x) { return std::exp(x); })
        .Case("exp2", [](double x) { return std::exp2(x); })
        .Case("log", [](double x) { return std::log(x); })
        .Case("log2", [](double x) { return std::log2(x); })
        .Case("log10", [](double x) { return std::log10(x); })
        .Case("sqrt", [](double x) { return std::sqrt(x); })
        .Default(nullptr);
  };
  if (const Function found = of(name))
    return found;
  return name.consume_back("f") ? of(name) : nullptr;
}

} // namespace

bool foldFunctions(llvm::Function &function) {
  bool isChanged = false;
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || call->arg_size() != 1 ||
        !callee->getName().starts_with("__nv_") ||
        call->getType() != call->getArgOperand(0)->getType())
      continue;
    auto *argument = llvm::dyn_cast<llvm::ConstantFP>(call->getArgOperand(0));
    auto *compute = numberFunction(callee->getName());
    if (!argument || !compute)
      continue;
    llvm::APFloat number = argument->getValueAPF();
    bool losesInfo = false;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    call->replaceAllUsesWith(llvm::ConstantFP::get(
        call->getType(), compute(number.convertToDouble())));
    call->eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}

} // namespace warplint
