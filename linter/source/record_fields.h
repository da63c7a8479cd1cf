// Fields of the types read from a source, for records (cache/record.h).
#pragma once
#include "model/record_fields.h"
#include "model/sound.h"
#include "source/preamble.h"
#include "source/read.h"
#include "source/shared_libraries.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(ParseError, file, line, column, text)
WARPLINT_FIELDS(DroppedKernel, name, mangled, place, error)
WARPLINT_FIELDS(InstancesLeftOut, kernel, instances, mangled)
WARPLINT_FIELDS(SourceOutline, whyNot, kernels, launches, errors, notRead, leftOut, userFiles, markedFiles, libraryKernels, unreferenced, templates, hasDeviceFunctions, mentionsKernels, kernelsBehind)
WARPLINT_FIELDS(MadePreamble, file, base, libraries, declarations, files)
WARPLINT_FIELDS(PreambleRecord, asked, state, text, changes, made)
WARPLINT_FIELDS(HeaderBytes, name, bytes)
WARPLINT_FIELDS(SharedLibrariesRecord, sets, read)
WARPLINT_FIELDS(SourceModel, outline, kernels, systemFiles, asked, libraries, observed)
// clang-format on

inline bool isSound(const SourceModel &model) {
  return llvm::all_of(model.kernels,
                      [](const Kernel &kernel) { return isSound(kernel); });
}

inline bool isSound(const PreambleRecord &) { return true; }
inline bool isSound(const SharedLibrariesRecord &) { return true; }

} // namespace warplint
