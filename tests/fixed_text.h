// The text of a source after one fix.
#pragma once
#include "fixes/edits.h"
#include <gtest/gtest.h>

namespace warplint {

/// The place of the first `what` in the text.
inline Place placeOf(llvm::StringRef text, llvm::StringRef what) {
  const size_t at = text.find(what);
  EXPECT_NE(at, llvm::StringRef::npos) << what.str();
  const llvm::StringRef before = text.take_front(at);
  const size_t line = before.rfind('\n');
  return {"a.cu", unsigned(before.count('\n') + 1),
          unsigned(at - (line == llvm::StringRef::npos ? 0 : line + 1) + 1)};
}

inline std::string withReturns(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\n' ? "\r\n" : std::string(1, c);
  return result;
}

/// The text after the fix; "none" if it has no edit. The same text with lines
/// that end in carriage returns gets the same.
inline std::string fixed(const std::string &text, const Fix &fix) {
  auto after = [&](const std::string &before) {
    const std::vector<Edit> edits = editsOf(fix, before);
    return edits.empty() ? "none" : applied(before, edits);
  };
  const std::string result = after(text);
  EXPECT_EQ(after(withReturns(text)), withReturns(result));
  return result;
}

} // namespace warplint
