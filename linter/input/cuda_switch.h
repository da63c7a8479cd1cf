// The macros by which projects compile their CUDA code, as their builds define
// them: USE_CUDA, HAVE_GPU, HYPRE_USING_CUDA.
#pragma once
#include "input/buffers.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// True for a name that says that CUDA is there, and nothing else. False for
/// one that names a part of it (USE_CUDA_GRAPHS), a compiler's own
/// (__CUDACC__), and Kokkos' own, which its configuration defines.
bool isCudaSwitch(llvm::StringRef macro);

/// True for a name that says that a program is built with Kokkos: LMP_KOKKOS.
bool isKokkosSwitch(llvm::StringRef macro);

/// The macros that must be defined, or not 0, for a condition to hold, of
/// `#ifdef A`, `#if A`, `#if defined(A)`, and of several by `||` and `&&`: what
/// is compared is left out.
struct WantedMacros {
  std::vector<std::string> names;
  std::vector<std::string> unwanted; ///< those behind `!`
  bool isAny = false;                ///< each of `names` is enough by itself
};

/// `directive` is "ifdef", "elif", ...; `condition` what follows it.
WantedMacros macrosWanted(llvm::StringRef directive, llvm::StringRef condition);

/// The macros that a text's conditions ask whether CUDA is there, or Kokkos;
/// those of an #error too, which stops where none is. Of several back ends,
/// CUDA's: SOLVER_CUDA, if an #error wants one of them or SOLVER_HIP is asked
/// for too.
std::set<std::string> cudaSwitchesIn(llvm::StringRef text);

/// The macros of which the #error at a line of a text asks that they be
/// defined: A of `#ifndef A`, or of an #else behind `#ifdef A`; "A=2" of one
/// behind
/// `#if A == 2`. `isAny`: one is enough, and the host's come last.
/// No names where it asks for nothing, or there is no #error.
WantedMacros macrosOfError(llvm::StringRef text, unsigned line);

/// The condition that hides all kernels of a source from the compiler, as it is
/// written: "#ifdef USE_FP8". Empty if a `__global__` stands outside of all
/// conditions, or none stands anywhere. `#ifndef` hides nothing: most are
/// include guards.
std::string conditionOfKernels(llvm::StringRef text);

/// The innermost condition around an offset of a text, as it is written, but for
/// `#ifndef`, which is a guard mostly; empty where that is an #else.
std::string conditionAround(llvm::StringRef text, size_t at);

/// Returns true if a kernel of CUDA stands outside of all conditions but one
/// that asks whether CUDA is there: not in a directive, and in no source that
/// names what is HIP's and does not ask for CUDA.
bool hasKernels(llvm::StringRef text);
/// The same of a file; false if it cannot be read.
bool fileHasKernels(const std::string &file, const Buffers &buffers = {});

} // namespace warplint
