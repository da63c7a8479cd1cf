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

/// The text after the fix; "none" if it has no edit.
inline std::string fixed(const std::string &text, Fix fix) {
  const std::vector<Edit> edits = editsOf(fix, text);
  return edits.empty() ? "none" : applied(text, edits);
}

} // namespace warplint
