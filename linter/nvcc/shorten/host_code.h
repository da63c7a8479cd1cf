// The pieces of a preprocessed text to what of them only the host needs.
#pragma once
#include "nvcc/shorten/divide.h"

namespace warplint {

/// Lets those declarations of the source's own go that nothing which stays
/// names, and the bodies of functions, unless device code depends on them.
///
/// nvcc makes code of all kernels and variables for the device, called or not,
/// static ones too (13.0). Only a template has to be instantiated by somebody:
/// so what leads, from one of the source's own words to its declaration and so
/// on, to a template of a kernel or of a variable or to one that holds a lambda
/// for the device, stays as it is. So does a function that `__device__` or
/// `constexpr` declarations name, and one whose type its body decides.
///
/// Instances of device functions that only the host calls change nothing: nvcc
/// drops them before it inlines the others.
void letHostCodeGo(const TokenText &text, std::vector<Piece> &pieces);

/// Whether the piece declares kernels that somebody has to instantiate.
bool isKernelTemplate(const TokenText &text, const Piece &piece);

} // namespace warplint
