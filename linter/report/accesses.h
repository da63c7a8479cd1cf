// Every access with its predicted cost: a table for people, CSV and JSON for
// programs.
#pragma once
#include "model/lanes.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace warplint {

/// One access of one kernel for one block shape.
struct AccessRow {
  std::string kernel;
  KernelShape shape;
  Access access;
  Cost cost;
  bool held = false; ///< in a register: no request here, whatever the cost
};

/// The rows of one kernel, for each of its shapes.
std::vector<AccessRow> accessRows(const Kernel &kernel);

void printAccessTable(const std::vector<AccessRow> &rows,
                      const std::string &relativeTo, llvm::raw_ostream &out);
void printAccessCsv(const std::vector<AccessRow> &rows,
                    const std::string &relativeTo, llvm::raw_ostream &out);
void printAccessJson(const std::vector<AccessRow> &rows,
                     llvm::raw_ostream &out);

} // namespace warplint
