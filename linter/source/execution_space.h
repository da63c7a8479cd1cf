// Functions that are `__device__` by an earlier declaration alone: Clang takes
// the definition without the word for another function, nvcc does not.
#pragma once
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

class ParsedSource;

/// The attributes ("device", "host", "global") that definitions lack, by the
/// file and offset where each definition begins.
using MissingSpaces =
    std::map<std::pair<std::string, unsigned>, std::vector<std::string>>;

MissingSpaces missingSpaces(const ParsedSource &source);

/// Returns the attributes that `token` lacks in front, if a definition in
/// `missing` begins with it.
std::vector<clang::Token> spacesBefore(const MissingSpaces &missing,
                                       const clang::Token &token,
                                       clang::Preprocessor &preprocessor);

} // namespace warplint
