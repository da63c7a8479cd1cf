// Prints what each line of a kernel executes: instructions by pipe.
#pragma once
#include "machine/compiled.h"
#include "model/pipe_counts.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// One line of one kernel. Counts are those of the code, not of its executions:
/// a loop's body counts once.
struct OperationRow {
  std::string kernel;
  Place place;      ///< file and line
  std::string text; ///< of its first operation; may be empty
  std::vector<unsigned>
      loops;         ///< lines of the loops around it, outermost first
  PipeCounts source; ///< by model/pipe_counts
  std::optional<PipeCounts>
      compiled; ///< the machine code; none if there is none
};

/// The rows of a kernel, by file and line. `lines` may be null.
std::vector<OperationRow> operationRows(const Kernel &kernel,
                                        const std::vector<MachineLine> *lines);

void printOperationCsv(const std::vector<OperationRow> &rows,
                       const std::string &relativeTo, llvm::raw_ostream &out);
void printOperationJson(const std::vector<OperationRow> &rows,
                        llvm::raw_ostream &out);
void printOperationTable(const std::vector<OperationRow> &rows,
                         const std::string &relativeTo, llvm::raw_ostream &out);

} // namespace warplint
