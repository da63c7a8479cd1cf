// The resources of kernels as JSON, and back. One format in two layouts: the
// report, and the file that a project commits, which has one line for each
// kernel and architecture and omits what changes when lines move.
#pragma once
#include "report/resources/resources.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// `denied`: the sentences of the gates that failed.
void printResourceJson(const ResourceReport &report,
                       const std::vector<std::string> &denied,
                       llvm::raw_ostream &out);

/// The same bytes for the same rows in any order.
void printResourceFile(const ResourceReport &report, llvm::raw_ostream &out);

/// Reads both layouts. Fails with a sentence that begins with `name`.
llvm::Expected<ResourceReport> readResourceJson(llvm::StringRef text,
                                                llvm::StringRef name);

} // namespace warplint
