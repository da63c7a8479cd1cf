// The cost of each source line: sectors and ways of the accesses of its
// kernels, and the local-memory instructions that the compiler left there.
#pragma once
#include "machine/compiled.h"
#include "report/accesses.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// One access, or all local instructions of a line, with equal cost in these
/// kernels.
struct Figure {
  Place place;
  Space space = Space::Unknown;
  Operation operation = Operation::Load;
  std::string accessed; ///< "a[i * n]", the array's name, ...
  std::string words;    ///< "32 sectors, 4 needed"
  bool isKnown = true;
  double value = 0; ///< sectors, ways or instructions
  double ideal = 0; ///< sectors that suffice; 1 way; 0 instructions
  std::vector<std::string> kernels; ///< "k<4>, blocks of 256x1x1"
};

/// The figures of the user's own lines. An access in a register costs nothing.
std::vector<Figure> figuresOf(const CostedKernel &kernel);

/// `directory`: the folder that paths in the line table are relative to.
std::vector<Figure> figuresOf(const CompiledKernel &kernel,
                              llvm::StringRef name, llvm::StringRef directory);

/// Sorted by place; figures that differ only in their kernels are merged.
std::vector<Figure> mergeFigures(std::vector<Figure> figures);

} // namespace warplint
