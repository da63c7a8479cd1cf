// Two readings of one kernel, from its source and from its PTX, to where they
// differ on what an access costs.
#pragma once
#include "report/accesses.h"

namespace warplint {

struct Disagreement {
  std::string kernel;
  KernelShape shape;
  Place place; ///< in the PTX if the source has no such access
  Operation operation = Operation::Load;
  Space space = Space::Global;
  std::string accessed;    ///< the source's words, or the object
  std::string source, ptx; ///< what each reader says: "4 sectors", "none",
                           ///< "unknown: depends on 'n'"
  unsigned ptxLine = 0;    ///< of what the PTX has, if that is another line
  std::string why;         ///< as far as the compiled code tells
};

/// Disagreements on global and shared memory, by line. The readers agree where
/// the means of their figures, or each figure of one with one of the other, are
/// within 10 %, or neither has a figure. Local memory has no figure in either.
/// `ptx` has the shapes of `source`.
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
