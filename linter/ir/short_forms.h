// Marks the operations of Clang's device IR that nvcc shortens by its command's
// flags: the IR has their exact forms.
#pragma once
#include "input/short_forms.h"
#include "llvm/IR/Function.h"

namespace warplint {

void markShortForms(llvm::Function &kernel, const ShortForms &forms);

} // namespace warplint
