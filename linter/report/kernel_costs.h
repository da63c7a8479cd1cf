// Prints what each kernel costs and what bounds it: a table for people, CSV and
// JSON for programs.
#pragma once
#include "cost/kernel_time.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace warplint {

/// One kernel for one block shape, as launched or assumed.
struct KernelCostRow {
  std::string kernel;
  Place place;
  KernelShape shape;
  std::optional<double> warps; ///< of the launch, if its grid is known
  unsigned capability;         ///< of the machine of `cost/throughput`
  Bound bound;
  Demand demand; ///< of one warp, on average
  /// Predicted, on the machine of `cost/throughput`; none without a grid.
  std::optional<double> microseconds;
  std::vector<std::string> assumed; ///< bounds of loops that are not known
  /// What the kernel does beyond its cost: "'f', which has no body here".
  std::vector<std::string> notCounted;
};

/// `capability`: of the machine, 90 for sm_90.
std::vector<KernelCostRow> kernelCostRows(const Kernel &kernel,
                                          unsigned capability);

void printKernelCostTable(const std::vector<KernelCostRow> &rows,
                          const std::string &relativeTo,
                          llvm::raw_ostream &out);
void printKernelCostCsv(const std::vector<KernelCostRow> &rows,
                        const std::string &relativeTo, llvm::raw_ostream &out);
void printKernelCostJson(const std::vector<KernelCostRow> &rows,
                         llvm::raw_ostream &out);

} // namespace warplint
