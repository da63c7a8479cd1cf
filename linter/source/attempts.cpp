#include "source/attempts.h"
#include "input/compiler.h"
#include "source/nvcc_macros.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

namespace warplint {

static bool isBuiltByNvcc(const Command &command,
                          const Translation &translation) {
  const std::vector<std::string> &words = command.arguments;
  return !translation.forHost &&
         (words.empty() ||
          compilerNamed(words[compilerIndex(words)]) != Compiler::Clang);
}

/// Returns the newest architecture with its suffix: "sm_100f" too, which Clang
/// does not know.
static std::string newestAsWritten(const Translation &translation) {
  const std::string newest = newestArchitecture(translation.architectures);
  return llvm::is_contained(translation.architectures, newest + "f")
             ? newest + "f"
             : newest;
}

/// "17" of -std=c++17.
static std::string standard(const Translation &translation) {
  std::string number = "17";
  for (llvm::StringRef flag : translation.clang)
    if (flag.consume_front("-std="))
      number = flag.take_back(2).str();
  return number;
}

std::vector<Attempt> attemptsFor(const Command &command,
                                 const Translation &translation,
                                 const Toolkit &release) {
  const std::vector<std::string> asNvcc =
      nvccMacros(release, newestAsWritten(translation),
                 newestArchitecture(translation.architectures));
  // nvcc keeps GNU keywords such as typeof under -std=c++17.
  std::vector<std::string> asGnu = asNvcc;
  asGnu.push_back("-std=gnu++" + standard(translation));
  // nvcc calls a host function template, such as declval, in a decltype of
  // device code.
  std::vector<std::string> shared = asGnu;
  shared.push_back("-foffload-implicit-host-device-templates");
  std::vector<std::string> relocatable = asGnu;
  relocatable.push_back("-fgpu-rdc");
  const std::vector<Attempt> macros{{Cure::Macros, asNvcc},
                                    {Cure::GnuKeywords, asGnu},
                                    {Cure::HostTemplates, shared},
                                    {Cure::Relocatable, relocatable}},
      none{{Cure::Macros, {}}};
  const bool byNvcc = isBuiltByNvcc(command, translation);
  std::vector<Attempt> all = byNvcc ? macros : none;
  llvm::append_range(all, byNvcc ? none : macros);
  return all;
}

bool mayCure(Cure what, const ErrorKinds &kinds, size_t errors) {
  errors -= kinds.consequences;
  // Only macros decide what is included.
  if (what != Cure::Macros && kinds.missingFiles == errors)
    return false;
  switch (what) {
  case Cure::Macros:
    return kinds.missingAnyway + (kinds.nvccDecides ? 0 : kinds.usersNames) <
           errors;
  case Cure::GnuKeywords:
    return kinds.gnuKeywords;
  case Cure::HostTemplates:
    return kinds.beyondNames;
  case Cure::Relocatable:
    return kinds.relocatable;
  }
  return true;
}

bool isUseOfHost(const ParseError &error) {
  return llvm::StringRef(error.text)
      .starts_with("reference to __host__ function");
}

void dropUsesOfHost(std::vector<ParseError> &errors,
                    llvm::ArrayRef<ParseError> before) {
  auto at = [](const ParseError &error) {
    return std::tie(error.file, error.line, error.column);
  };
  llvm::erase_if(errors, [&](const ParseError &error) {
    return isUseOfHost(error) &&
           llvm::none_of(before, [&](const ParseError &other) {
             return at(other) == at(error);
           });
  });
}

} // namespace warplint
