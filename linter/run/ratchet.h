// A file in a project's repository that says what its kernels take, and holds
// them there in both directions: what is worse is an error, what is better has
// to be recorded, so that it cannot get lost again.
#pragma once
#include "report/resources/resource_changes.h"
#include "run/resources.h"

namespace warplint {

/// What changed since `file` was written. Kernels of sources that were not
/// read, or not for their architecture (--arch, or a configuration's), are left
/// in peace. Fails if the file
/// cannot be read, or is none.
llvm::Expected<ResourceComparison> compareWithRatchet(const std::string &file,
                                                      const ReadResources &now,
                                                      const Options &options);

/// Writes the file, keeping its kernels of sources that were not read; sources
/// are named relative to its folder.
llvm::Error updateRatchet(const std::string &file, const ReadResources &now,
                          const Options &options);

} // namespace warplint
