// What kernels take to JSON and back. Two spellings of one format: the report,
// and the file that a project commits, with a line for each kernel and
// architecture and without what changes when lines move.
#pragma once
#include "report/resources/resources.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// `denied`: the sentences of the gates that are broken.
void printResourceJson(const ResourceReport &report,
                       const std::vector<std::string> &denied,
                       llvm::raw_ostream &out);

/// The same rows in the same bytes, whatever order they come in.
void printResourceFile(const ResourceReport &report, llvm::raw_ostream &out);

/// Reads either. Fails with a sentence that begins with `name`.
llvm::Expected<ResourceReport> readResourceJson(llvm::StringRef text,
                                                llvm::StringRef name);

} // namespace warplint
