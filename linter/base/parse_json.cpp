#include "base/parse_json.h"
#include "base/failure.h"

namespace warplint {

/// The deepest document is an LSP message, with about twenty levels.
static constexpr unsigned mostLevels = 200;

/// Counts brackets outside strings, whether or not they match.
static bool isTooDeep(llvm::StringRef text) {
  unsigned levels = 0;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (inString) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++levels > mostLevels)
        return true;
    } else if ((c == ']' || c == '}') && levels) {
      --levels;
    }
  }
  return false;
}

llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text) {
  if (isTooDeep(text))
    return failure("the JSON is nested more than " + llvm::Twine(mostLevels) +
                   " levels deep");
  return llvm::json::parse(text);
}

} // namespace warplint
