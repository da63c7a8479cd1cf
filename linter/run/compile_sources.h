// Compiles sources of a batch, to judge their findings.
#pragma once
#include "cache/store.h"
#include "machine/compiled.h"
#include "run/batch.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// Why a source is not compiled where there is no compiler.
inline constexpr llvm::StringLiteral noNvcc = "no nvcc found";

/// The cache that the options name.
Store storeOf(const CacheOptions &options);

/// Compiles a source for all its architectures, or takes the compile that began
/// while other sources were read, or what its build has made of it, if that
/// answers what is asked. If there is nothing to compile with, the reason is in
/// `whyNot`. `parallel`: the number of sources that are compiled at the same
/// time.
Compiled compile(const Batch &batch, size_t source, const Options &options,
                 size_t parallel, Asks asked = Asks::PtxWithLines);

/// Compiles a source that belongs to no batch.
Compiled compile(const Work &work, const Options &options, size_t parallel);

/// Lets compiles begin while sources are read.
void allowEarlyCompiles(Batch &batch, const Options &options);

/// Orders sources for `compile`: first those whose compile has begun, then
/// large ones.
void sortForCompiling(std::vector<size_t> &which, Batch &batch,
                      const CompileOptions &options);

/// The kernels of a source, read from its PTX for the newest architecture.
llvm::Expected<std::vector<Kernel>> ptxKernelsOf(const Work &work,
                                                 const Options &options);

} // namespace warplint
