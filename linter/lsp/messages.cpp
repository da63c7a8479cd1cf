#include "lsp/messages.h"
#include "base/failure.h"
#include "base/parse_json.h"

using namespace llvm;

namespace warplint {

/// The length of a header with the empty line after it; empty if incomplete.
static std::optional<size_t> headerSize(StringRef bytes) {
  for (StringRef end : {"\r\n\r\n", "\n\n"})
    if (size_t at = bytes.find(end); at != StringRef::npos)
      return at + end.size();
  // No valid header is that long.
  constexpr size_t longest = 1 << 16;
  return bytes.size() > longest ? std::optional(bytes.size()) : std::nullopt;
}

/// Other bytes may precede it: the rest of a message that was longer than
/// announced.
static std::optional<size_t> contentLength(StringRef header) {
  constexpr size_t longest = 1 << 30;
  constexpr StringLiteral name = "Content-Length:";
  const size_t at = header.rfind_insensitive(name);
  size_t length;
  if (at == StringRef::npos ||
      header.substr(at + name.size())
          .split('\n')
          .first.trim()
          .getAsInteger(10, length) ||
      length > longest)
    return std::nullopt;
  return length;
}

std::optional<Expected<json::Value>> Messages::next() {
  const std::optional<size_t> header = headerSize(bytes_);
  if (!header)
    return std::nullopt;
  const std::optional<size_t> length =
      contentLength(StringRef(bytes_).take_front(*header));
  if (!length) {
    bytes_.erase(0, *header);
    return failure("a header without a good Content-Length");
  }
  if (bytes_.size() - *header < *length)
    return std::nullopt;
  const std::string text = bytes_.substr(*header, *length);
  bytes_.erase(0, *header + *length);
  return parseJson(text);
}

} // namespace warplint
