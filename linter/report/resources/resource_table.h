// The resources of kernels as a table: for a terminal, a pull request, a
// spreadsheet.
#pragma once
#include "report/resources/resources.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Aligned columns. Omits columns without values; merges equal rows of several
/// sources. Cuts lines at `width` columns; 0: never.
void printResourceTable(const ResourceReport &report, unsigned width,
                        llvm::raw_ostream &out);
void printResourceMarkdown(const ResourceReport &report,
                           llvm::raw_ostream &out);
/// All columns and all rows.
void printResourceCsv(const ResourceReport &report, llvm::raw_ostream &out);

/// "412 kernels on sm_80 and sm_90: 3 spill, 12 have a stack frame".
std::string resourceClosing(const ResourceReport &report);

/// "k<float> (src/a.cu:12)": the name of a kernel in tables and changes.
std::string kernelAndPlace(const ResourceRow &row);

/// Escapes text for a markdown cell: nothing in it ends the cell or begins an
/// element.
std::string markdownCell(llvm::StringRef text);

/// "src/a.cu:41, :44 and 3 more lines": the places of the spills of a row, most
/// instructions first. Empty if unknown.
std::string spillPlaces(const ResourceRow &row);

} // namespace warplint
