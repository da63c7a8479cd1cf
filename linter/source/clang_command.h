// The command line that Clang gets for the device side of a source, and what it
// makes of it: a request into words, and words into a compiler instance.
#pragma once
#include "source/parse_request.h"
#include "source/parsed_before.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

/// The release that Clang takes the toolkit's headers for. Without a toolkit,
/// it is that of the stand-in headers.
Toolkit releaseOf(const ParseRequest &request);

/// Returns the flags that all sources of one toolkit and architecture share,
/// after the compiler's name.
std::vector<std::string> sharedFlags(const ParseRequest &request);

/// Returns the user's own flags, as Clang spells them, and those of an attempt.
std::vector<std::string> userFlags(const ParseRequest &request,
                                   const std::vector<std::string> &attempt);

/// Makes `words`, which end with the source, the invocation of `instance`,
/// whose file system and diagnostics are there already. Fails if Clang does not
/// understand them, or compiles nothing for the device.
llvm::Error invoke(const ParseRequest &request,
                   const std::vector<std::string> &words,
                   clang::CompilerInstance &instance);

/// Uses what was parsed before instead of the includes and directives that it
/// holds. `user`: the flags of `userFlags` in the invocation.
void continueFrom(const ParsedBefore &before,
                  const std::vector<std::string> &user,
                  clang::CompilerInstance &instance);

} // namespace warplint
