// Serves the checks of arithmetic: the words for an operation, what it costs,
// and the compiled operations of its line.
#pragma once
#include "findings/check.h"
#include "findings/share.h"

namespace warplint {

/// The source's text for the operation, "pow(x, 2)", or its kind: "a
/// division".
std::string shown(const Kernel &kernel, const Computation &operation);

/// The source's text of an input; empty if it has none.
std::string textOfInput(const Kernel &kernel, const Computation &operation,
                        unsigned input);

/// The same without the component of a vector: "cell" of `cell.x`. Who changes
/// one component changes the others.
std::string vectorOfInput(const Kernel &kernel, const Computation &operation,
                          unsigned input);

/// Returns true if the remedy saves enough of the kernel's time: below that, a
/// check of arithmetic would be a rule of style.
bool pays(const KernelTime &time, const Demand &saved);

/// "31 % of the kernel's issue slots"; empty for less than a hundredth.
std::string shareOfPipes(const KernelTime &time, const Demand &demand);

/// The operations that use the result of each operation.
std::vector<std::vector<unsigned>> usersOf(const Kernel &kernel);

/// The PTX operations at the line of `place`, or inlined into it.
std::vector<unsigned> operationsInPtx(const Place &place,
                                      const CompiledView &view);

/// The same for an operation of the source: if its inputs are the same in each
/// iteration of a loop, without those that the compiler moved out of it.
std::vector<unsigned> operationsInPtx(const Place &place, unsigned subject,
                                      const CompiledView &view);

/// The PTX divisions that are left of a division of the source: those at its
/// line or at that of another of the same two values, since the compiler
/// divides once for `k / b` and `k % b`; in 64 bits those without a line; and
/// those by the same argument at a line that divides nothing in the source:
/// NVVM gives some of an inlined function the line of the loop around it.
std::vector<unsigned> divisionsLeft(unsigned subject, const CompiledView &view);

/// Returns true if no input changes in the innermost loop around it.
bool isInvariant(const Kernel &kernel, const Computation &operation);

} // namespace warplint
