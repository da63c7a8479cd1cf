#include "compiled/launch_limits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {
namespace {

/// Where the directives of a kernel stand: between its parameters and its
/// body. Empty if it has no body in this text.
std::pair<size_t, size_t> directivesOf(StringRef ptx, StringRef kernel) {
  const std::string entry = (".entry " + kernel).str();
  for (size_t at = 0; (at = ptx.find(entry, at)) != StringRef::npos; ++at) {
    StringRef rest = ptx.drop_front(at + entry.size());
    if (!rest.empty() &&
        (isAlnum(rest[0]) || StringRef("_$").contains(rest[0])))
      continue; // a longer name
    const size_t end = ptx.find_first_of("{;", at);
    const size_t parameters = ptx.slice(at, end).rfind(')');
    if (end == StringRef::npos || ptx[end] == ';')
      continue; // a declaration
    return {parameters == StringRef::npos ? at + entry.size()
                                          : at + parameters + 1,
            end};
  }
  return {0, 0};
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

/// Whether the argument at `i` is -maxrregcount in one of its spellings; `i`
/// then stands on the last argument that belongs to it, and `value` is set.
/// nvcc passes each word of -Xptxas on by itself.
bool isRegisterLimit(ArrayRef<std::string> arguments, size_t &i,
                     unsigned &value) {
  auto word = [&](size_t at) -> StringRef {
    return at < arguments.size() ? StringRef(arguments[at]) : StringRef();
  };
  const bool passedOn = word(i) == "-Xptxas" || word(i) == "--ptxas-options";
  const size_t at = i + passedOn;
  auto [name, number] = word(at).split('=');
  if (!name.starts_with("-") || name.ltrim('-') != "maxrregcount")
    return false;
  i = at;
  if (number.empty()) {
    i = at + 1 + (passedOn && word(at + 1) == "-Xptxas");
    number = word(i);
  }
  number.getAsInteger(10, value);
  return true;
}

} // namespace

LaunchLimits limitsInPtx(StringRef ptx, StringRef kernel) {
  auto [begin, end] = directivesOf(ptx, kernel);
  StringRef text = ptx.slice(begin, end);
  auto said = [&](StringRef name) {
    return numbersOf(directive(text, name), name);
  };
  LaunchLimits limits;
  limits.maxThreads = said(".maxntid");
  limits.minBlocks = said(".minnctapersm");
  limits.maxRegisters = said(".maxnreg");
  return limits;
}

std::string withoutLimits(std::string ptx, ArrayRef<std::string> kernels) {
  for (const std::string &kernel : kernels) {
    auto [begin, end] = directivesOf(ptx, kernel);
    std::string text = ptx.substr(begin, end - begin);
    for (StringRef name : directives) {
      StringRef found = directive(text, name);
      if (!found.empty())
        text.replace(found.data() - text.data(), found.size(), "\n");
    }
    ptx.replace(begin, end - begin, text);
  }
  return ptx;
}

unsigned registersOfCommand(ArrayRef<std::string> arguments) {
  unsigned registers = 0;
  for (size_t i = 0; i < arguments.size(); ++i)
    isRegisterLimit(arguments, i, registers);
  return registers;
}

std::vector<std::string>
argumentsWithoutLimits(ArrayRef<std::string> judgingArguments,
                       const std::string &file) {
  std::vector<std::string> result;
  ArrayRef<std::string> arguments = judgingArguments.drop_back(); // the source
  unsigned registers = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (isRegisterLimit(arguments, i, registers))
      continue;
    if (argument == "-x" || argument == "--x") {
      ++i;
      continue;
    }
    if (!argument.starts_with("-x=") && !argument.starts_with("--x="))
      result.push_back(argument.str());
  }
  result.push_back(file);
  return result;
}

} // namespace warplint
