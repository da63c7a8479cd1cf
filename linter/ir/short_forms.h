// Marks the operations of Clang's device IR that nvcc shortens by its command's
// flags: the IR has their exact forms.
#pragma once
#include "input/short_forms.h"
#include "llvm/IR/Module.h"

namespace warplint {

void markShortForms(llvm::Module &module, const ShortForms &forms);

} // namespace warplint
