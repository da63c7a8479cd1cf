// Reads from the AST of a source what its IR lacks: names, launches, bounds.
#pragma once
#include "ir/names.h"
#include "model/outline.h"
#include "source/emit.h"
#include "source/kokkos/read_kokkos.h"

namespace warplint {

/// Names and launches outside system headers.
struct SourceFacts {
  Names names;
  std::vector<KernelTemplate> templates; ///< SourceOutline's
  bool hasDeviceFunctions = false, mentionsKernels = false; ///< SourceOutline's
  std::vector<Launch> launches;
  std::set<std::string> neverLaunched; ///< kernels, although launches are there
  std::vector<KokkosReader::Dispatch> dispatches; ///< also in `launches`
};

/// `emitted` maps kernels to their names in the IR.
SourceFacts readFacts(ParsedSource &source, const Emitted &emitted);

} // namespace warplint
