// Prints what holds the registers of each kernel: a page for people, JSON for
// programs.
#pragma once
#include "machine/compiled.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace warplint {

/// One kernel on one architecture; all paths are absolute.
struct RegisterRow {
  std::string kernel;
  Place place; ///< of the kernel; empty if the source was not read
  CompiledKernel compiled;
};

void printRegisters(const std::vector<RegisterRow> &rows,
                    const std::string &relativeTo, llvm::raw_ostream &out);
void printRegisterJson(const std::vector<RegisterRow> &rows,
                       llvm::raw_ostream &out);

/// One line on a kernel that spills or has many registers: where most are live,
/// who holds them, and what trying another limit or option gave.
std::string explainRegisters(const CompiledKernel &kernel,
                             const std::string &relativeTo);

} // namespace warplint
