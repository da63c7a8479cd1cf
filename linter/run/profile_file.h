// A file of Nsight Compute to what it measured.
#pragma once
#include "machine/profile.h"
#include "run/options.h"

namespace warplint {

/// Reads a CSV file (machine/profile.h), or a report (.ncu-rep) with the help
/// of `ncu`, from the toolkit of `options` or from PATH, or else of the Python
/// package ncu-report. Both are NVIDIA's programs, installed apart. Fails with
/// a sentence.
llvm::Expected<Profile> readProfileFile(const std::string &path,
                                        const Options &options);

} // namespace warplint
