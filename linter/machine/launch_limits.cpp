#include "machine/launch_limits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {
namespace {

/// The directives of a kernel: what stands between its parameters and its body.
struct Entry {
  StringRef kernel, directives;
};

/// Every kernel that has a body in this text.
std::vector<Entry> entriesOf(StringRef ptx) {
  constexpr StringLiteral keyword = ".entry";
  std::vector<Entry> entries;
  for (size_t at = 0; (at = ptx.find(keyword, at)) != StringRef::npos;) {
    at += keyword.size();
    StringRef kernel = ptx.substr(at).ltrim().take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '$'; });
    const size_t end = ptx.find_first_of("{;", at);
    if (end == StringRef::npos)
      break;
    if (ptx[end] == ';')
      continue; // a declaration
    StringRef head(kernel.end(), ptx.data() + end - kernel.end());
    const size_t parameters = head.rfind(')');
    entries.push_back({kernel, parameters == StringRef::npos
                                   ? head
                                   : head.drop_front(parameters + 1)});
  }
  return entries;
}

/// The directive of that name, with its numbers, in `text`.
StringRef directive(StringRef text, StringRef name) {
  const size_t at = text.find(name);
  if (at == StringRef::npos)
    return {};
  StringRef found = text.drop_front(at);
  const size_t end = found.drop_front().find('.');
  return end == StringRef::npos ? found : found.take_front(end + 1);
}

/// The product of a directive's numbers; 0 if it has none.
unsigned numbersOf(StringRef directive, StringRef name) {
  if (!directive.consume_front(name))
    return 0;
  unsigned product = 1, number = 0;
  do {
    directive = directive.ltrim();
    if (directive.consumeInteger(10, number))
      return 0;
    product *= number;
    directive = directive.ltrim();
  } while (directive.consume_front(","));
  return product;
}

constexpr StringLiteral directives[] = {".maxntid", ".minnctapersm",
                                        ".maxnreg"};

} // namespace

StringMap<LaunchLimits> limitsInPtx(StringRef ptx) {
  StringMap<LaunchLimits> limits;
  for (const Entry &entry : entriesOf(ptx)) {
    auto said = [&](StringRef name) {
      return numbersOf(directive(entry.directives, name), name);
    };
    LaunchLimits &own = limits[entry.kernel];
    own.maxThreads = said(".maxntid");
    own.minBlocks = said(".minnctapersm");
    own.maxRegisters = said(".maxnreg");
  }
  return limits;
}

std::string withoutLimits(StringRef ptx, ArrayRef<std::string> kernels) {
  std::string result;
  size_t copied = 0;
  for (const Entry &entry : entriesOf(ptx)) {
    if (!is_contained(kernels, entry.kernel))
      continue;
    std::string text = entry.directives.str();
    for (StringRef name : directives) {
      StringRef found = directive(text, name);
      if (!found.empty())
        text.replace(found.data() - text.data(), found.size(), "\n");
    }
    const size_t begin = entry.directives.data() - ptx.data();
    result += ptx.slice(copied, begin);
    result += text;
    copied = begin + entry.directives.size();
  }
  result += ptx.substr(copied);
  return result;
}

} // namespace warplint
