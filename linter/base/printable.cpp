#include "base/printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

namespace warplint {

size_t characterSize(StringRef text) {
  if (isPrint(text.front()))
    return 1;
  const auto *begin = reinterpret_cast<const UTF8 *>(text.begin());
  size_t size = getNumBytesForUTF8(*begin);
  if (size > text.size() || !isLegalUTF8Sequence(begin, begin + size))
    return 1;
  return size;
}

std::string printable(StringRef text) {
  if (all_of(text, isPrint)) // nearly always
    return text.str();
  std::string result;
  while (!text.empty()) {
    const StringRef character = text.take_front(characterSize(text));
    text = text.drop_front(character.size());
    result += sys::unicode::columnWidthUTF8(character) < 0
                  ? StringRef(replacementCharacter)
                  : character;
  }
  return result;
}

bool isWorkflowCommand(StringRef line) {
  line = line.ltrim();
  return line.starts_with("::") || line.starts_with("##[");
}

std::string printableLines(StringRef text) {
  auto [line, rest] = text.split('\n');
  std::string result = printable(line);
  for (bool isMore = line.size() < text.size(); isMore;) {
    const size_t left = rest.size();
    std::tie(line, rest) = rest.split('\n');
    isMore = line.size() < left;
    result += (isWorkflowCommand(line) ? "\n| " : "\n") + printable(line);
  }
  return result;
}

} // namespace warplint
