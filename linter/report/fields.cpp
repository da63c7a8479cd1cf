#include "report/fields.h"
#include "base/printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace warplint {

std::string csvField(StringRef text) {
  const std::string safe = printableLines(text);
  if (StringRef(safe).find_first_of(",\"\n") == StringRef::npos &&
      !isWorkflowCommand(safe))
    return safe;
  std::string quoted = "\"";
  for (char c : safe)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string utf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

std::string markupEscaped(StringRef text) {
  std::string valid = utf8(text);
  // XML allows no other control characters, nor U+FFFE and U+FFFF.
  constexpr StringRef replacement = "\xEF\xBF\xBD";
  std::string characters;
  for (size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    StringRef rest = StringRef(valid).substr(i);
    if ((c >= 0 && c < ' ' && !isSpace(c)) || c == '\v' || c == '\f') {
      characters += replacement;
    } else if (rest.starts_with("\xEF\xBF\xBE") ||
               rest.starts_with("\xEF\xBF\xBF")) {
      characters += replacement;
      i += 2;
    } else {
      characters += c;
    }
  }
  std::string escaped;
  raw_string_ostream out(escaped);
  printHTMLEscaped(characters, out);
  return escaped;
}

} // namespace warplint
