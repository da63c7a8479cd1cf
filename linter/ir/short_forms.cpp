#include "ir/short_forms.h"
#include "ir/name_operations.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

namespace {

/// The functions that --use_fast_math turns into instructions of the hardware
/// (CUDA programming guide, intrinsic functions; `exp2f` as nvcc 13.0 compiles
/// it for sm_90).
bool hasShortForm(llvm::StringRef function) {
  return llvm::StringSwitch<bool>(function)
      .Cases({"sinf", "cosf", "tanf", "sincosf", "logf", "log2f", "log10f"},
             true)
      .Cases({"expf", "exp2f", "exp10f", "powf", "tanhf"}, true)
      .Default(false);
}

bool isShort(const llvm::Instruction &instruction, const ShortForms &forms) {
  const auto named = nameOperation(instruction);
  if (!named || named->computation.from != Number::F32)
    return false;
  // '__fdiv_rn' stays exact.
  if (llvm::StringRef(named->function).contains("_r"))
    return false;
  switch (named->computation.kind) {
  case Compute::Divide:
    return forms.divisions;
  case Compute::SquareRoot:
    return forms.roots;
  default:
    return forms.functions && hasShortForm(named->function);
  }
}

} // namespace

void markShortForms(llvm::Function &kernel, const ShortForms &forms) {
  if (!forms.divisions && !forms.roots && !forms.functions)
    return;
  llvm::MDNode *mark = llvm::MDNode::get(kernel.getContext(), {});
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (isShort(instruction, forms))
      instruction.setMetadata(approximate, mark);
}

} // namespace warplint
