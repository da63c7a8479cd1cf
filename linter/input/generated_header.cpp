#include "input/generated_header.h"
#include "input/cmake_variables.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {

std::vector<std::string> templateNames(StringRef header) {
  const StringRef name = sys::path::filename(header);
  const StringRef stem = sys::path::stem(name);
  const StringRef extension = sys::path::extension(name);
  return {(name + ".in").str(), (name + ".cmake").str(),
          (name + ".cmake.in").str(), (name + ".cmakein").str(),
          (stem + ".in" + extension).str()};
}

std::string headerOfTemplate(StringRef name) {
  StringRef stem = name;
  if (!stem.consume_back(".in"))
    stem.consume_back(".cmakein");
  stem.consume_back(".cmake");
  const StringRef extension = sys::path::extension(stem);
  const std::string header =
      sys::path::extension(sys::path::stem(stem)) == ".in"
          ? (sys::path::stem(sys::path::stem(stem)) + extension).str()
          : stem.str();
  return is_contained({".h", ".hpp", ".cuh", ".hh"}, extension) &&
                 is_contained(templateNames(header), name)
             ? header
             : "";
}

/// Takes "@VALUE@" or "${VALUE}" from the front of the text, and returns its
/// name, which a Makefile's own template may qualify ("${heat:Major}"); empty
/// if there is none.
static StringRef consumeValue(StringRef &text) {
  StringRef rest = text;
  const bool isAt = rest.consume_front("@");
  if (!isAt && !rest.consume_front("${"))
    return "";
  const StringRef name = rest.take_while(
      [&](char c) { return isAlnum(c) || c == '_' || (c == ':' && !isAt); });
  rest = rest.drop_front(name.size());
  if (name.empty() || !rest.consume_front(isAt ? "@" : "}"))
    return "";
  text = rest;
  return name;
}

namespace {

struct ConfiguredText {
  std::string text;
  bool isChanged = false;
  bool isSettled = true; ///< each value is one that the build files give
};

} // namespace

/// Returns true if a name must follow this part of a line: a macro's behind
/// `#define`, or that of a member of a namespace.
static bool wantsName(StringRef before) {
  if (before.ends_with("::"))
    return true;
  StringRef directive = before.trim();
  return directive.consume_front("#") &&
         is_contained({"define", "ifdef", "ifndef"}, directive.ltrim());
}

static ConfiguredText withValues(StringRef line,
                                 const ConfiguredValue &valueOf) {
  ConfiguredText result;
  bool isInString = false;
  while (!line.empty()) {
    if (const StringRef name = consumeValue(line); !name.empty()) {
      const auto value = valueOf ? valueOf(name) : std::nullopt;
      // No line moves, and no string ends.
      const bool isPlain = value && value->find_first_of("\n\"\\") == value->npos;
      // The name of the variable is one that nothing else has.
      result.text += isPlain                  ? StringRef(*value)
                     : isInString             ? ""
                     : wantsName(result.text) ? name
                                              : "0";
      result.isChanged = true;
      result.isSettled &= isPlain;
      continue;
    }
    isInString ^= line.front() == '"';
    result.text += line.front();
    line = line.drop_front();
  }
  return result;
}

/// Returns the definition of what configure defines whatever it finds: C++ has
/// no 'restrict', and a Fortran compiler has names of its own for C.
static std::string alwaysConfigured(StringRef macro) {
  if (macro == "restrict")
    return "#define restrict __restrict";
  if (is_contained({"FC_FUNC", "FC_FUNC_", "F77_FUNC", "F77_FUNC_"}, macro))
    return ("#define " + macro + "(name, NAME) name##_").str();
  return "";
}

/// `switches`: the macros that are 1 or 0.
static std::string configuredLine(StringRef line,
                                  const ConfiguredValue &valueOf,
                                  std::vector<StringRef> &switches) {
  const ConfiguredText configured = withValues(line, valueOf);
  const bool isOpen = configured.isChanged && !configured.isSettled;
  StringRef rest = line.trim();
  if (isOpen && !consumeValue(rest).empty() && rest.empty())
    return ""; // declarations, or directives
  StringRef directive = line.ltrim();
  const bool isDirective = directive.consume_front("#");
  directive = directive.ltrim();
  if (isDirective && directive.consume_front("cmakedefine01")) {
    switches.push_back(directive.trim());
    return "";
  }
  if (isDirective && directive.consume_front("cmakedefine")) {
    const StringRef macro = directive.trim().take_until(isSpace);
    const auto value = valueOf ? valueOf(macro) : std::nullopt;
    const size_t at = configured.text.find("cmakedefine");
    return value && isTrueInCmake(*value) && !isOpen
               ? "#" + configured.text.substr(at + strlen("cmake"))
               : "";
  }
  // Autoconf's '#undef' is a line to be filled in: what the user defines stays.
  if (isDirective && directive.consume_front("undef "))
    return alwaysConfigured(directive.trim());
  return isOpen && isDirective && directive.starts_with("include")
             ? ""
             : configured.text;
}

std::string withConfigured(StringRef text, const ConfiguredValue &valueOf) {
  std::string result;
  std::vector<StringRef> switches;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    result += configuredLine(line, valueOf, switches) + "\n";
    text = rest;
  }
  // What the user defines stays; behind the text no line of it moves.
  for (StringRef name : switches) {
    const auto value = valueOf ? valueOf(name) : std::nullopt;
    const char *number = value && isTrueInCmake(*value) ? " 1" : " 0";
    result +=
        ("#ifndef " + name + "\n#define " + name + number + "\n#endif\n")
            .str();
  }
  return result;
}

static bool leadsOut(StringRef name) {
  return sys::path::is_absolute(name) ||
         any_of(make_range(sys::path::begin(name), sys::path::end(name)),
                [](StringRef part) { return part == ".." || part == "."; });
}

static bool write(const std::string &file, StringRef text) {
  if (sys::fs::exists(file))
    return true;
  return !sys::fs::create_directories(sys::path::parent_path(file)) &&
         !errorToBool(writeToOutput(file, [&](raw_ostream &out) {
           out << text;
           return Error::success();
         }));
}

std::string writtenBelow(StringRef kept, ArrayRef<GeneratedHeader> headers) {
  SHA256 hash;
  for (const GeneratedHeader &header : headers) {
    hash.update(header.name + std::string(1, '\0'));
    hash.update(header.text + std::string(1, '\0'));
  }
  const std::string folder =
      pathIn(kept, toHex(hash.result(), /*LowerCase=*/true));
  const bool isWritten = all_of(headers, [&](const GeneratedHeader &header) {
    return !leadsOut(header.name) &&
           write(pathIn(folder, header.name), header.text);
  });
  return isWritten ? folder : "";
}

} // namespace warplint
