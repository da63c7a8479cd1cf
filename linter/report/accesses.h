// Every access with its predicted cost: a table for people, CSV and JSON for
// programs.
#pragma once
#include "cost/costed.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace warplint {

/// A loop around an access, and its iterations each time that it is entered.
struct LoopRow {
  Place place;
  double trips = 1;
  bool isAssumed = false; ///< only the run knows the bound
  std::string bound;      ///< "n - 1"; may be empty
};

/// One access of one kernel for one block shape.
struct AccessRow {
  std::string kernel;
  KernelShape shape;
  Access access;
  Cost cost;
  bool held = false; ///< in a register, so there is no request here
  std::vector<LoopRow> loops = {}; ///< outermost first
};

/// Tells which accesses have no request.
class HeldAccesses {
public:
  explicit HeldAccesses(const Kernel &kernel);
  /// True for a load whose value a register has, and for an array that the
  /// compiler keeps in registers. A load that runs once before its loop keeps
  /// its figures where its line has no other load.
  bool has(const Access &access) const;

private:
  const Kernel &kernel_;
  std::vector<bool> isInRegisters_; ///< by array
};

/// The rows of one kernel, for each of its shapes.
std::vector<AccessRow> accessRows(const CostedKernel &costed);
std::vector<AccessRow> accessRows(const Kernel &kernel);

/// "32 sectors, 4 needed", "2 ways", "depends on 'n'".
std::string costText(const AccessRow &row);

void printAccessTable(const std::vector<AccessRow> &rows,
                      const std::string &relativeTo, llvm::raw_ostream &out);
void printAccessCsv(const std::vector<AccessRow> &rows,
                    const std::string &relativeTo, llvm::raw_ostream &out);
void printAccessJson(const std::vector<AccessRow> &rows,
                     llvm::raw_ostream &out);

} // namespace warplint
