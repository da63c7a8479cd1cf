// A local array, or a copy of a parameter, that an index keeps in local memory
// to the remedy in words.
#pragma once
#include "cost/compile_time.h"
#include "cost/costed.h"
#include "findings/finding.h"
#include "machine/compiled.h"
#include "machine/frame.h"
#include <string>
#include <utility>
#include <vector>

namespace warplint {

/// The remedy for an index of an array that is not known at compile time, if it
/// fits in a line.
std::string arrayCure(const Kernel &kernel, unsigned index,
                      const Access &access, const NotKnown &cause);

/// Where the function that counts the index has the array, and what calls it: a
/// reference to an element, as in `add(sums[k], x)`, is read by a function that
/// knows of no array.
std::pair<Place, std::vector<Place>>
whereIndexed(const Kernel &kernel, const Access &access, const NotKnown &cause);

/// Sets the share of a finding by what its remedy, which is set, saves: known
/// indexes where a loop becomes one that the compiler unrolls; else comparisons
/// with all elements of a short array, or shared memory for a long one.
void setShareOfArray(Finding &finding, const CostedKernel &costed,
                     const ShapeCosts &shape, unsigned index,
                     const Access &access, const NotKnown &cause);

/// What the last index of an access is an index of: "f.w" of "f.w[k]".
std::string indexed(const Access &access);

/// The remedy for a copy of the parameter, which an access of this cost reads.
std::string copyCure(const Kernel &kernel, const Cost &access,
                     const std::string &parameter);

/// The local instructions at the lines of a part of the frame, without spills.
std::vector<LocalInstruction> localsOf(const FrameShare &share,
                                       const CompiledKernel &kernel);

} // namespace warplint
