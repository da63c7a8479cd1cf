// The code that a build has made of a source, in place of a compile for the
// judge.
#pragma once
#include "machine/build_report.h"
#include "machine/compiled.h"
#include "machine/fatbin.h"
#include <optional>

namespace warplint {

struct BuiltCode {
  CompiledUnit unit; ///< what an architecture's cubin and PTX say directly
  std::string cubin; ///< its bytes
};

/// Returns what an object holds for an architecture ("": the only one that it
/// was compiled for), if that answers all that is asked:
/// - where code is asked for by line, both cubin and PTX have lines
///   (`-lineinfo`), unless there is no such code: no spill, no stack frame;
/// - the cubin tells what the kernels spill (CubinFunction::spilled).
/// Nothing if functions that are not inlined have frames or spills of their
/// own: a cubin does not say which kernel they belong to.
std::optional<BuiltCode> builtFor(const std::string &architecture,
                                  const DeviceImages &object, Asks asked);

} // namespace warplint
