// The language in which Clang's lexer reads tokens without its parser.
#pragma once
#include "clang/Basic/LangOptions.h"

namespace warplint {

/// C++20, with what nvcc accepts in any standard.
inline clang::LangOptions lexerLanguage() {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;
  language.CPlusPlus17 = language.CPlusPlus20 = language.LineComment = true;
  language.Bool = language.WChar = language.Char8 = true;
  return language;
}

} // namespace warplint
