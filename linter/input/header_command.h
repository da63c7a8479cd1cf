// A header to the command that compiles it by itself.
#pragma once
#include "input/command.h"
#include "input/database.h"
#include "input/include_graph.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace warplint {

/// True if one of the commands compiles a source that may include the header.
bool isIncluded(const std::string &header, llvm::ArrayRef<Command> commands,
                IncludeGraph &includes);

/// The command of the first source in the databases that is compiled as CUDA
/// and may include the header, with the header in the source's place.
std::optional<Command>
commandForHeader(const std::string &header,
                 llvm::ArrayRef<const Database *> databases,
                 IncludeGraph &includes);

} // namespace warplint
