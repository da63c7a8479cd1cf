#include "ir/fold_functions.h"
#include "ir_text.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

namespace {

/// The number that `@f`, which returns `call`, returns after folding; none if
/// it returns no constant.
std::optional<double> folded(const std::string &type, const std::string &name,
                             const std::string &argument) {
  llvm::LLVMContext context;
  const auto module = parseIr(
      "declare " + type + " @" + name + "(" + type + ")\ndefine " + type +
          " @f(" + type + " %x) {\n  %r = call " + type + " @" + name + "(" +
          type + " " + argument + ")\n  ret " + type + " %r\n}\n",
      context);
  llvm::Function &function = *module->getFunction("f");
  const bool isChanged = foldFunctions(function);
  auto *result =
      llvm::cast<llvm::ReturnInst>(function.getEntryBlock().getTerminator());
  auto *number = llvm::dyn_cast<llvm::ConstantFP>(result->getReturnValue());
  EXPECT_EQ(isChanged, number != nullptr);
  if (!number)
    return std::nullopt;
  llvm::APFloat value = number->getValueAPF();
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

TEST(FoldFunctions, ComputeConstants) {
  EXPECT_EQ(folded("float", "__nv_cosf", "0.0"), 1.0);
  EXPECT_EQ(folded("double", "__nv_log", "1.0"), 0.0);
  EXPECT_EQ(folded("double", "__nv_exp2", "3.0"), 8.0);
  EXPECT_EQ(folded("float", "__nv_fast_log2f", "8.0"), 3.0);
}

TEST(FoldFunctions, LeaveWhatIsNotKnown) {
  EXPECT_FALSE(folded("float", "__nv_cosf", "%x"));
  EXPECT_FALSE(folded("float", "__nv_tgammaf", "1.0"));
  EXPECT_FALSE(folded("float", "cosf", "0.0"));
}

} // namespace

} // namespace warplint
