// What kernels take as a table: for a terminal, a pull request, a spreadsheet.
#pragma once
#include "report/resources/resources.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Aligned columns; what no kernel has has no column, and what compiled the
/// same from several sources is one line. A line is cut at `width` columns; 0:
/// never.
void printResourceTable(const ResourceReport &report, unsigned width,
                        llvm::raw_ostream &out);
void printResourceMarkdown(const ResourceReport &report,
                           llvm::raw_ostream &out);
/// Every column and every row, whatever they hold.
void printResourceCsv(const ResourceReport &report, llvm::raw_ostream &out);

/// "412 kernels on sm_80 and sm_90: 3 spill, 12 have a stack frame".
std::string resourceClosing(const ResourceReport &report);

/// "k<float> (src/a.cu:12)", as tables and changes name a kernel.
std::string kernelAndPlace(const ResourceRow &row);

/// A cell of markdown: nothing in it ends the cell or begins an element.
std::string markdownCell(llvm::StringRef text);

/// "src/a.cu:41, :44 and 3 more lines": where the spills of a row are, those
/// with the most instructions first. Empty if it is not known.
std::string spillPlaces(const ResourceRow &row);

} // namespace warplint
