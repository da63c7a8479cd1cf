#include "input/export_header.h"
#include "input/cmake_variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace warplint {

namespace {

/// The words of a call, each with its variables replaced.
class ExportCall {
public:
  ExportCall(const CmakeCommand &command, const CmakeVariables &variables)
      : words_(command.words), variables_(variables) {}

  std::optional<std::string> target() const {
    return words_.empty() ? std::nullopt : variables_.expanded(words_.front());
  }

  /// Returns what follows a keyword; none without it, or if it is not settled.
  std::optional<std::string> after(StringRef keyword) const {
    const auto word = wordAfter(keyword);
    return word ? variables_.expanded(*word) : std::nullopt;
  }

  /// The same of a path's last part: in most, a variable leads to the folder.
  std::optional<std::string> filenameAfter(StringRef keyword) const {
    const auto word = wordAfter(keyword);
    return word ? variables_.expanded(llvm::sys::path::filename(*word))
                : std::nullopt;
  }

  bool has(StringRef keyword) const {
    return llvm::is_contained(words_, keyword);
  }

private:
  std::optional<StringRef> wordAfter(StringRef keyword) const {
    const auto at = llvm::find(words_, keyword);
    return at == words_.end() || at + 1 == words_.end()
               ? std::nullopt
               : std::optional<StringRef>(*(at + 1));
  }

  llvm::ArrayRef<std::string> words_;
  const CmakeVariables &variables_;
};

} // namespace

/// As string(MAKE_C_IDENTIFIER).
static std::string identifier(std::string text) {
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return text;
}

static std::string defined(StringRef macro) {
  return ("#ifndef " + macro + "\n#define " + macro + "\n#endif\n").str();
}

/// Returns the name that the macros of the header begin with; none if the call
/// writes another header.
static std::optional<std::string> baseFor(StringRef header,
                                          const ExportCall &call) {
  const StringRef own = llvm::sys::path::filename(header);
  const auto base =
      call.has("BASE_NAME") ? call.after("BASE_NAME") : call.target();
  StringRef written = own;
  if (call.has("EXPORT_FILE_NAME")) {
    if (call.filenameAfter("EXPORT_FILE_NAME") != own)
      return std::nullopt;
  } else if (!written.consume_back("_export.h") ||
             (base && StringRef(*base).lower() != written)) {
    return std::nullopt;
  }
  if (base)
    return base;
  return written == own ? std::nullopt : std::optional(written.str());
}

std::optional<std::string> exportHeader(StringRef name,
                                        llvm::ArrayRef<CmakeFile> files) {
  if (files.empty())
    return std::nullopt;
  CmakeVariables variables = CmakeVariables::of(files.drop_back());
  for (const CmakeCommand &command : files.back().commands) {
    variables.follow(command);
    if (command.name != "generate_export_header")
      continue;
    const ExportCall call(command, variables);
    const auto base = baseFor(name, call);
    if (!base)
      continue;
    const std::string prefix = call.after("PREFIX_NAME").value_or("");
    auto macro = [&](StringRef kind) {
      const auto own = call.after((kind + "_MACRO_NAME").str());
      return identifier(
          prefix + own.value_or((StringRef(*base).upper() + "_" + kind).str()));
    };
    const std::string deprecated = macro("DEPRECATED");
    return "#pragma once\n" + defined(macro("EXPORT")) +
           defined(macro("NO_EXPORT")) + defined(deprecated) +
           defined(deprecated + "_EXPORT") + defined(deprecated + "_NO_EXPORT");
  }
  return std::nullopt;
}

} // namespace warplint
