#include "run/block_shape.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint {

Shape shapeOf(llvm::StringRef block) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  block.split(parts, 'x');
  Shape shape;
  unsigned *dimensions[] = {&shape.x, &shape.y, &shape.z};
  for (size_t i = 0; i < parts.size() && i < 3; ++i)
    parts[i].getAsInteger(10, *dimensions[i]);
  return shape;
}

} // namespace warplint
