// Compares two readings of one kernel, from its source and from its PTX: lists
// the accesses whose costs differ.
#pragma once
#include "report/accesses.h"

namespace warplint {

struct Disagreement {
  std::string kernel;
  KernelShape shape;
  Place place; ///< in the PTX if the source has no such access
  Operation operation = Operation::Load;
  Space space = Space::Global;
  std::string accessed;    ///< the source's text, or the object
  std::string source, ptx; ///< each reader's figure: "4 sectors", "none",
                           ///< "unknown: depends on 'n'"
  unsigned ptxLine = 0; ///< of the access in the PTX, if that is another line
  std::string why;      ///< as far as the compiled code shows it
};

/// Disagreements on global and shared memory, by line. The readers agree if the
/// means of their figures are within 10 %, if each figure of one is within 10 %
/// of one of the other, or if neither has a figure. Local memory has no figure
/// in either. `ptx` has the shapes of `source`.
std::vector<Disagreement> disagreements(const Kernel &source,
                                        const Kernel &ptx);

void printDisagreements(const std::vector<Disagreement> &all,
                        const std::string &relativeTo, llvm::raw_ostream &out);
void printDisagreementsCsv(const std::vector<Disagreement> &all,
                           const std::string &relativeTo,
                           llvm::raw_ostream &out);
void printDisagreementsJson(const std::vector<Disagreement> &all,
                            llvm::raw_ostream &out);

} // namespace warplint
