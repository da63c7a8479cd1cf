// Marks the pieces of a preprocessed text that only the host needs (private to
// source/shorten).
#pragma once
#include "source/shorten/divide.h"

namespace warplint {

/// Marks the source's own declarations as Piece::MayGo, and the bodies of its
/// functions as Piece::emptyBody, unless device code depends on them.
///
/// nvcc compiles all kernels and device variables, called or not, static ones
/// too (13.0). Only templates need code that instantiates them. So this does
/// not mark any piece that leads, from name to declaration, to a template of a
/// kernel or of a variable, or to one that contains a device lambda. Nor does
/// it mark a function that `__device__` or `constexpr` declarations name, or
/// one whose type its body determines.
///
/// Instances of device functions that only the host calls do not matter: nvcc
/// drops them before it inlines the others.
void markHostCode(const TokenText &text, std::vector<Piece> &pieces);

/// True if the piece declares a kernel that has to be instantiated.
bool isKernelTemplate(const TokenText &text, const Piece &piece);

} // namespace warplint
