// A parsed source to what only its AST can say: names, launches, bounds.
#pragma once
#include "ir/names.h"
#include "source/emit.h"
#include "source/kokkos/read_kokkos.h"

namespace warplint {

/// Names and launches of everything that is not in a system header.
struct SourceFacts {
  Names names;
  std::vector<Launch> launches;
  std::vector<KokkosReader::Dispatch> dispatches; ///< in `launches` as well
};

/// `emitted` tells what the IR calls the kernels.
SourceFacts readFacts(ParsedSource &source, const Emitted &emitted);

/// Name, place and launch bounds of a kernel that was read from its IR.
void describeKernel(ParsedSource &source, const clang::FunctionDecl &function,
                    Kernel &kernel);

} // namespace warplint
