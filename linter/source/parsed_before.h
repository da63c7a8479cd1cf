// What Clang need not parse again for a source: it continues from a precompiled
// header, or from a preamble that continues one.
#pragma once
#include "clang/Lex/Lexer.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warplint {

/// A text that Clang reads under a path where the disk has no file.
struct TextForClang {
  std::string path, text;
};

struct ParsedBefore {
  std::string header; ///< a precompiled header's file; empty: nothing is used
  /// Its include directives beyond those for all sources.
  std::string libraries;
  std::string preamble;                   ///< its file; empty: none is used
  clang::PreambleBounds bounds{0, false}; ///< of the preamble in the source
  /// What the user's headers declare in the preamble: Clang's numbers.
  std::vector<uint64_t> declarations;
  std::vector<uint32_t> files; ///< as MadePreamble::files
  /// What both were made of, and Clang compares with what they say.
  std::vector<TextForClang> texts;
};

} // namespace warplint
