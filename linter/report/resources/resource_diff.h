// What changed between two reports of resources, as a person, a pull request
// or a program reads it.
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

/// The list in the two: a line or two for each change, an object's attributes.
void printChanges(llvm::ArrayRef<ResourceChange> changes,
                  llvm::raw_ostream &out);
void printChange(const ResourceChange &change, llvm::json::OStream &json);

/// "spills at a.cu:4", for spills that were not there before; may be empty.
std::string newSpills(const ResourceChange &change);

/// "2 kernels worse, 1 better, 120 unchanged".
std::string diffClosing(const ResourceComparison &comparison);

/// Whether any change is.
bool isWorse(const ResourceComparison &comparison);

} // namespace warplint
