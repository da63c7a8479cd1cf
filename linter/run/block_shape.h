// A block as users write it, "32x8", to its shape.
#pragma once
#include "model/model.h"

namespace warplint {

/// `block` is valid.
Shape shapeOf(llvm::StringRef block);

} // namespace warplint
