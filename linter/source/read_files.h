// Sorts the files that a source was read from into the user's and the system's.
#pragma once
#include "ir/names.h"
#include "source/access_namer.h"
#include "source/parsed_source.h"

namespace warplint {

/// Adds the files to `names`. Returns true if one of the user's has the word
/// `__global__`, perhaps in a part that Clang skips.
bool readFiles(ParsedSource &source, AccessNamer::InLibrary inLibrary,
               Names &names);

} // namespace warplint
