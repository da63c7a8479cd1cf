// Parses the device side of a command, as nvcc would.
#pragma once
#include "source/parse_request.h"
#include "source/parsed_source.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace warplint {

/// Parses the device side of `command`. Clang accepts a little less than nvcc,
/// so an attempt with errors is followed by others with the flags that may cure
/// them, and the one with the fewest errors is returned. Fails only if there is
/// no AST at all: the source cannot be opened, Clang's own headers are missing.
/// `kept` is the store for precompiled headers; without a folder, none are
/// used. `buffers` replace files on disk.
llvm::Expected<std::unique_ptr<ParsedSource>>
parse(const Command &command, const Translation &translation,
      const std::optional<Toolkit> &toolkit, const std::string &resourceDir,
      const Store &kept = Store(), const Buffers &buffers = {});

} // namespace warplint
