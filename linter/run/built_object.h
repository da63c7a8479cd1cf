// Finds the object that a build has made of a source: a source is judged by it,
// instead of being compiled again.
#pragma once
#include "machine/fatbin.h"
#include "run/batch.h"
#include <optional>
#include <string>

namespace warplint {

/// The path of the object that the source's command makes with nvcc, if it is
/// newer than the source and than its compile database. Empty otherwise, and if
/// the build compiles otherwise than the judge: without optimisation, with
/// link-time code generation, with flags that the user has added.
std::string builtObject(const Work &work);

/// The device code of that object, if it is newer than all files that the
/// source was read from, which `cache` knows.
std::optional<DeviceImages> builtCode(const Work &work, RunCache &cache);

} // namespace warplint
