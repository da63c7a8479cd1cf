// A file in a project's repository that records the resources of its kernels.
// Worse kernels are an error; better ones have to be recorded, so that later
// losses show.
#pragma once
#include "report/resources/resource_changes.h"
#include "run/options.h"
#include "run/resources.h"

namespace warplint {

/// Compares with `file`. Kernels of sources that were not read, or not for
/// their architecture, are not compared. Fails if the file cannot be read.
llvm::Expected<ResourceComparison>
compareWithRatchet(const std::string &file, const ReadResources &now,
                   const SettingOptions &options);

/// Writes the file. Recorded kernels of sources that were not read stay;
/// sources are named relative to the folder of the file.
llvm::Error updateRatchet(const std::string &file, const ReadResources &now,
                          const SettingOptions &options);

} // namespace warplint
