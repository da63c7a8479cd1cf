// Prints the changes between two reports of resources for people, pull requests
// and programs.
#pragma once
#include "report/resources/resource_changes.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

void printDiffText(const ResourceComparison &comparison,
                   llvm::raw_ostream &out);
void printDiffMarkdown(const ResourceComparison &comparison,
                       llvm::raw_ostream &out);
void printDiffJson(const ResourceComparison &comparison,
                   llvm::raw_ostream &out);

/// The formats of the list: one or two lines for each change, or the attributes
/// of an object.
void printChanges(llvm::ArrayRef<ResourceChange> changes,
                  llvm::raw_ostream &out);
void printChange(const ResourceChange &change, llvm::json::OStream &json);

/// "spills at a.cu:4", for new spills; may be empty.
std::string newSpills(const ResourceChange &change);

/// "2 kernels worse, 1 better, 120 unchanged".
std::string diffClosing(const ResourceComparison &comparison);

/// True if any change is worse.
bool isWorse(const ResourceComparison &comparison);

} // namespace warplint
