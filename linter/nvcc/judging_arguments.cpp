#include "nvcc/judging_arguments.h"
#include "input/command_flag.h"
#include "input/compiler.h"
#include "input/translate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace warplint {
namespace {

enum class Fate {
  Keep,
  Drop,
  Relocatable, ///< -dc: compile, but for a later device link
  HostFlags,   ///< -Xcompiler: may hold a list of gcc's own outputs
  PtxasFlags,  ///< -Xptxas: may turn the optimiser off
  Optimise,    ///< -O
};

/// `name` has no dashes: nvcc accepts one or two before long names.
Fate fateOf(StringRef name) {
  return StringSwitch<Fate>(name)
      .Cases({"c", "compile", "dw", "device-w"}, Fate::Drop)
      .Cases({"dlink", "device-link", "link", "lib", "run"}, Fate::Drop)
      .Cases({"cuda", "cubin", "fatbin", "ptx", "optix-ir", "ltoir"},
             Fate::Drop)
      .Cases({"E", "preprocess", "M", "generate-dependencies"}, Fate::Drop)
      .Cases({"MM", "generate-nonsystem-dependencies"}, Fate::Drop)
      .Cases({"MD", "generate-dependencies-with-compile"}, Fate::Drop)
      .Cases({"MMD", "generate-nonsystem-dependencies-with-compile"},
             Fate::Drop)
      .Cases({"MP", "generate-dependency-targets"}, Fate::Drop)
      .Cases({"keep", "save-temps", "clean", "clean-targets"}, Fate::Drop)
      .Cases({"dryrun", "v", "verbose", "objtemp", "objdir-as-tempdir"},
             Fate::Drop)
      .Cases({"G", "device-debug", "lineinfo", "generate-line-info"},
             Fate::Drop)
      .Cases({"dlto", "dlink-time-opt", "lto", "gen-opt-lto"}, Fate::Drop)
      .Cases({"r", "relocatable-link", "fdevice-syntax-only", "jobserver"},
             Fate::Drop)
      .Cases({"list-gpu-arch", "arch-ls", "list-gpu-code", "code-ls"},
             Fate::Drop)
      .Cases({"o", "output-file", "odir", "output-directory"}, Fate::Drop)
      .Cases({"MF", "dependency-output"}, Fate::Drop)
      .Cases({"MT", "MQ", "dependency-target-name"}, Fate::Drop)
      .Cases({"arch", "gpu-architecture", "code", "gpu-code"}, Fate::Drop)
      .Cases({"gencode", "generate-code", "keep-dir"}, Fate::Drop)
      .Cases({"t", "threads", "time", "fdevice-time-trace"}, Fate::Drop)
      .Cases({"Werror", "run-args", "dopt", "Ofc", "Ofast-compile"}, Fate::Drop)
      .Cases({"dc", "device-c"}, Fate::Relocatable)
      .Cases({"Xcompiler", "compiler-options"}, Fate::HostFlags)
      .Cases({"Xptxas", "ptxas-options"}, Fate::PtxasFlags)
      .Cases({"O", "optimize"}, Fate::Optimise)
      .Default(Fate::Keep);
}

/// Splits one of nvcc's lists at its commas, except behind a backslash.
std::vector<StringRef> splitList(StringRef list) {
  std::vector<StringRef> items;
  size_t begin = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && (list[i] != ',' || (i && list[i - 1] == '\\')))
      continue;
    items.push_back(list.slice(begin, i));
    begin = i + 1;
  }
  return items;
}

/// Drops the flags for dependency files, which gcc would write even if nvcc
/// only preprocesses. Their values may stand in a later -Xcompiler, hence
/// `awaitsValue`.
void addHostFlags(const CommandFlag &flag, bool &awaitsValue,
                  std::vector<std::string> &result) {
  if (flag.value.contains('"') || flag.value.contains('\'')) {
    result.insert(result.end(), {"-Xcompiler", flag.value.str()});
    return; // commas inside quotes do not separate
  }
  for (StringRef item : splitList(flag.value)) {
    item = item.trim();
    if (std::exchange(awaitsValue, false))
      continue;
    if (item == "-MF" || item == "-MT" || item == "-MQ") {
      awaitsValue = true;
      continue;
    }
    if (item.empty() || item == "-O0" || item == "-Werror" || item == "-M" ||
        item.starts_with("-MD") || item.starts_with("-MM") || item == "-MP" ||
        item.starts_with("-MF") || item.starts_with("-MT") ||
        item.starts_with("-MQ"))
      continue;
    result.push_back("-Xcompiler");
    result.push_back(item.str());
  }
}

void addPtxasFlags(StringRef list, std::vector<std::string> &result) {
  for (StringRef item : splitList(list)) {
    item = item.trim();
    if (item.empty() || item == "-O0" || item == "--opt-level=0" ||
        item == "-g" || item == "--device-debug" || item == "-Werror" ||
        item == "--warning-as-error")
      continue;
    result.push_back("-Xptxas");
    result.push_back(item.str());
  }
}

bool isInput(StringRef argument, const Command &command) {
  SmallString<256> path = argument;
  sys::path::make_absolute(command.directory, path);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  if (path == command.source)
    return true;
  return StringSwitch<bool>(sys::path::extension(argument))
      .Cases({".cu", ".c", ".cc", ".cpp", ".cxx", ".C"}, true)
      .Cases({".o", ".obj", ".a", ".so", ".lib", ".ltoir"}, true)
      .Cases({".ptx", ".cubin", ".fatbin", ".gpu", ".ii"}, true)
      .Default(false);
}

std::vector<std::string> nvccFlags(const Command &command,
                                   ArrayRef<std::string> arguments) {
  std::vector<std::string> result;
  bool awaitsValue = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (!argument.starts_with("-") || argument == "-") {
      if (!isInput(argument, command))
        result.push_back(argument.str());
      continue;
    }
    const CommandFlag flag = readFlag(arguments.drop_front(i));
    const ArrayRef<std::string> words = arguments.slice(i, flag.words);
    i += flag.words - 1;
    // nvcc's own takes the next word, those of other compilers do not.
    if (argument.ltrim('-') == "Werror" && i + 1 < arguments.size() &&
        !StringRef(arguments[i + 1]).starts_with("-") &&
        !isInput(arguments[i + 1], command))
      ++i;
    switch (fateOf(flag.name)) {
    case Fate::Drop:
      break;
    case Fate::Relocatable:
      result.push_back("-rdc=true");
      break;
    case Fate::HostFlags:
      addHostFlags(flag, awaitsValue, result);
      break;
    case Fate::PtxasFlags:
      addPtxasFlags(flag.value, result);
      break;
    case Fate::Optimise:
      if (flag.value == "0")
        break;
      [[fallthrough]];
    case Fate::Keep:
      append_range(result, words);
      break;
    }
  }
  return result;
}

/// The flags of a Clang command that affect what the source means. Others are
/// unknown to nvcc, or mean something else to it.
std::vector<std::string> flagsOfClang(ArrayRef<std::string> arguments) {
  // Clang allows these by default.
  std::vector<std::string> result = {"--extended-lambda",
                                     "--expt-relaxed-constexpr"};
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    bool hasNext = i + 1 < arguments.size();
    bool isKept = false;
    for (StringRef name : {"-I", "-D", "-U", "-isystem", "-include"}) {
      if (!argument.starts_with(name) || argument.starts_with("-include-"))
        continue;
      StringRef value = argument.drop_front(name.size());
      if (value.empty() && hasNext)
        value = arguments[++i];
      result.push_back(name.str());
      result.push_back(value.str());
      isKept = true;
      break;
    }
    if (isKept)
      continue;
    if (argument.starts_with("-std="))
      result.push_back(argument.str());
    else if (argument == "-ffast-math")
      result.push_back("--use_fast_math");
    else if (argument == "-fgpu-rdc" || argument == "-fcuda-rdc")
      result.push_back("-rdc=true");
    else if (argument == "-fgpu-flush-denormals-to-zero" ||
             argument == "-fcuda-flush-denormals-to-zero")
      result.push_back("-ftz=true");
    else if (argument == "-ffp-contract=off")
      result.push_back("-fmad=false");
    else if (argument == "-Xcuda-ptxas" && hasNext)
      addPtxasFlags(arguments[++i], result);
  }
  return result;
}

/// nvcc knows no names of GNU dialects (it enables their extensions anyway),
/// and no language "cuda".
void adaptToNvcc(std::vector<std::string> &arguments) {
  for (auto argument = arguments.begin(); argument != arguments.end();) {
    if (StringRef(*argument).starts_with("-std=gnu"))
      argument->replace(0, 8, "-std=c");
    bool isLanguage = *argument == "-x" && argument + 1 != arguments.end();
    argument =
        isLanguage ? arguments.erase(argument, argument + 2) : argument + 1;
  }
}

std::string programOf(StringRef argument, Compiler compiler,
                      const Toolkit &toolkit) {
  if (compiler == Compiler::Nvcc && sys::path::is_absolute(argument) &&
      sys::fs::can_execute(argument))
    return argument.str();
  return toolkit.nvcc;
}

} // namespace

std::vector<std::string>
judgingArguments(const Command &command,
                 const std::vector<std::string> &fullArguments,
                 const Toolkit &toolkit) {
  if (fullArguments.empty())
    return {toolkit.nvcc, "-x", "cu", command.source};
  const size_t at = compilerIndex(fullArguments);
  const Compiler compiler = compilerNamed(fullArguments[at]);
  ArrayRef<std::string> flags = ArrayRef(fullArguments).drop_front(at + 1);
  std::vector<std::string> result = {
      programOf(fullArguments[at], compiler, toolkit)};
  if (compiler == Compiler::Clang)
    append_range(result, flagsOfClang(flags));
  else
    append_range(result, nvccFlags(command, flags));
  if (command.isBare)
    addFlagsOfBareSources(result, toolkit);
  if (compiler != Compiler::Nvcc) {
    adaptToNvcc(result);
    result.insert(result.end(), {"-x", "cu"});
    bool canForward = toolkit.major == 0 || toolkit.major > 10 ||
                      (toolkit.major == 10 && toolkit.minor >= 2);
    const bool isClang = compiler == Compiler::Clang;
    if (!isClang && canForward)
      result.push_back("-forward-unknown-to-host-compiler");
    if (std::optional<std::string> host =
            sys::Process::GetEnv("NVCC_WRAPPER_DEFAULT_COMPILER"))
      if (!isClang && !host->empty())
        result.insert(result.end(), {"-ccbin", *host});
  }
  result.push_back(command.source);
  return result;
}

std::vector<std::string> argumentsFor(const std::string &file,
                                      ArrayRef<std::string> judgingArguments) {
  std::vector<std::string> result;
  ArrayRef<std::string> arguments = judgingArguments.drop_back(); // the source
  for (size_t i = 0; i < arguments.size(); ++i) {
    const StringRef argument = arguments[i];
    // Drops the language, which is the source's.
    if (argument == "-x" || argument == "--x")
      ++i;
    else if (!argument.starts_with("-x=") && !argument.starts_with("--x="))
      result.push_back(argument.str());
  }
  result.push_back(file);
  return result;
}

bool judgesAsBuilt(const std::vector<std::string> &fullArguments) {
  ArrayRef<std::string> arguments = fullArguments;
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (!StringRef(arguments[i]).starts_with("-"))
      continue;
    const CommandFlag flag = readFlag(arguments.drop_front(i));
    i += flag.words - 1;
    const bool isDropped = StringSwitch<bool>(flag.name)
                               .Cases({"G", "device-debug", "dopt", "Ofc",
                                       "Ofast-compile", "gen-opt-lto"},
                                      true)
                               .Default(false);
    if (isDropped || (fateOf(flag.name) == Fate::Optimise && flag.value == "0"))
      return false;
    if (fateOf(flag.name) != Fate::PtxasFlags)
      continue;
    std::vector<std::string> remaining;
    addPtxasFlags(flag.value, remaining);
    // Each flag that stays takes two words.
    if (remaining.size() != 2 * splitList(flag.value).size())
      return false;
  }
  return !asksForLinkTimeOptimisation(fullArguments);
}

bool keepsPtxWithLines(const std::vector<std::string> &fullArguments) {
  ArrayRef<std::string> arguments = fullArguments;
  bool hasLines = false, namesCode = false, keepsPtx = false, hasReal = false;
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (!StringRef(arguments[i]).starts_with("-"))
      continue;
    const CommandFlag flag = readFlag(arguments.drop_front(i));
    i += flag.words - 1;
    const StringRef value = flag.value;
    if (flag.name == "lineinfo" || flag.name == "generate-line-info")
      hasLines = true;
    else if (flag.name == "arch" || flag.name == "gpu-architecture")
      hasReal |= value.starts_with("sm_"); // stands for code=sm_90,compute_90
    else if (flag.name == "code" || flag.name == "gpu-code") {
      namesCode = true;
      keepsPtx |= value.contains("compute_");
    } else if (flag.name == "gencode" || flag.name == "generate-code") {
      namesCode = true;
      keepsPtx |= value.split("code=").second.contains("compute_");
    }
  }
  return hasLines && (namesCode ? keepsPtx : hasReal);
}

bool asksForLinkTimeOptimisation(
    const std::vector<std::string> &fullArguments) {
  return any_of(fullArguments, [](StringRef argument) {
    StringRef name = argument.ltrim('-');
    return name == "dlto" || name == "dlink-time-opt" || name == "lto" ||
           argument.contains("lto_");
  });
}

/// True if the argument at `i` is -maxrregcount in one of its spellings; then
/// moves `i` to its last word and sets `value`. nvcc passes each word of
/// -Xptxas on separately.
static bool isRegisterLimit(ArrayRef<std::string> arguments, size_t &i,
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

unsigned registersOfCommand(ArrayRef<std::string> arguments) {
  unsigned registers = 0;
  for (size_t i = 0; i < arguments.size(); ++i)
    isRegisterLimit(arguments, i, registers);
  return registers;
}

std::vector<std::string>
argumentsWithoutLimits(ArrayRef<std::string> judgingArguments,
                       const std::string &file) {
  std::vector<std::string> arguments;
  unsigned registers = 0;
  for (size_t i = 0; i < judgingArguments.size(); ++i)
    if (!isRegisterLimit(judgingArguments, i, registers))
      arguments.push_back(judgingArguments[i]);
  return argumentsFor(file, arguments);
}

} // namespace warplint
