#include "input/compile_step.h"
#include "input/command_flag.h"
#include "input/compiler.h"
#include "input/kokkos_search.h"
#include "input/search_flags.h"
#include "input/translate.h"
#include "input/walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {
namespace {

enum class Phase { Any, Object, Other };

/// `name` has no dashes: nvcc accepts one or two before long names.
Phase phaseOf(StringRef name) {
  return StringSwitch<Phase>(name)
      .Cases({"c", "compile", "dc", "device-c", "dw", "device-w"},
             Phase::Object)
      .Cases({"cuda", "cubin", "fatbin", "ptx", "gpu", "optix-ir", "ltoir"},
             Phase::Other)
      .Cases({"E", "preprocess", "M", "generate-dependencies", "MM"},
             Phase::Other)
      .Cases({"generate-nonsystem-dependencies", "S", "fsyntax-only",
              "fdevice-syntax-only"},
             Phase::Other)
      .Cases({"dlink", "device-link", "link", "lib", "run", "dryrun", "###"},
             Phase::Other)
      .Cases({"cuda-host-only", "offload-host-only", "cuda-device-only",
              "offload-device-only"},
             Phase::Other)
      .Default(Phase::Any);
}

struct Words {
  std::vector<std::string> sources;
  std::string object, folder; ///< -o, -odir
  bool isObject = false, isOther = false, asksForReport = false;
};

bool isSource(StringRef word) {
  return isCudaSource(word) || isCxxSource(word);
}

bool isVerbose(StringRef list) {
  return any_of(llvm::split(list, ','), [](StringRef flag) {
    flag = flag.trim();
    return flag == "-v" || flag == "--verbose";
  });
}

void note(const CommandFlag &flag, Words &words) {
  const StringRef name = flag.name;
  const Phase phase = phaseOf(name);
  words.isObject |= phase == Phase::Object;
  words.isOther |= phase == Phase::Other;
  if (name == "o" || name == "output-file")
    words.object = flag.value.str();
  else if (name == "odir" || name == "output-directory")
    words.folder = flag.value.str();
  else if (name == "Xptxas" || name == "ptxas-options")
    words.asksForReport |= isVerbose(flag.value);
  else if (name == "res-usage" || name == "resource-usage")
    words.asksForReport = true;
}

Words read(ArrayRef<std::string> arguments) {
  Words words;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef word = arguments[i];
    if (!word.starts_with("-") || word == "-") {
      if (isSource(word))
        words.sources.push_back(word.str());
      continue;
    }
    const CommandFlag flag = readFlag(arguments.drop_front(i));
    note(flag, words);
    i += flag.words - 1;
  }
  return words;
}

/// True if the words compile one source to one object.
bool makesObject(const Words &words) {
  return words.isObject && !words.isOther && words.sources.size() == 1;
}

std::string objectOf(const Words &words, const std::string &directory) {
  SmallString<256> object(words.folder);
  sys::path::append(object, sys::path::stem(words.sources.front()) + ".o");
  return plainPathIn(directory,
                     words.object.empty() ? object.str() : words.object);
}

/// True for sources in CMake's own folder, or compiled there. CMake would take
/// findings on them for output of the compiler.
bool isProbe(StringRef path) { return path.contains("/CMakeFiles/"); }

} // namespace

std::string objectOf(const std::vector<std::string> &fullArguments,
                     const std::string &directory) {
  const Words words = read(ArrayRef(fullArguments).drop_front());
  return makesObject(words) ? objectOf(words, directory) : "";
}

std::optional<CompileStep> compileStep(const std::vector<std::string> &words,
                                       const std::string &directory) {
  CompileStep step;
  step.command = {"", directory, words, /*isBare=*/false, /*isTrusted=*/true};
  if (words.empty() || isProbe(directory + "/"))
    return std::nullopt;
  Expected<std::vector<std::string>> full = fullArguments(step.command);
  if (!full) {
    consumeError(full.takeError());
    return std::nullopt;
  }
  const Words found = read(ArrayRef(*full).drop_front());
  if (!makesObject(found))
    return std::nullopt;
  step.command.source = plainPathIn(directory, found.sources.front());
  if (isProbe(step.command.source))
    return std::nullopt;
  const Command plain{step.command.source, directory, *full};
  const bool isCuda = compilesCuda(plain);
  IncludeGraph includes;
  if (!isCuda && !usesKokkos(plain, includes))
    return std::nullopt;

  step.object = objectOf(found, directory);
  step.asksForReport = found.asksForReport;
  step.arguments = std::move(*full);
  const size_t compiler = compilerIndex(words);
  const Compiler kind = compilerNamed(words[compiler]);
  // Kokkos' launcher may pass the same words to the host compiler.
  const bool isSure = !compiler || sys::path::filename(words[compiler - 1]) !=
                                       "kokkos_launch_compiler";
  step.takesReportFlag =
      isCuda && isSure && !is_contained(words, "--") &&
      (kind == Compiler::Nvcc || kind == Compiler::NvccWrapper);
  return step;
}

} // namespace warplint
