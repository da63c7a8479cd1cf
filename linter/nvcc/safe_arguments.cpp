#include "nvcc/safe_arguments.h"
#include "input/compiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace warplint {

bool isHazardousPath(StringRef path) {
  return path.find_first_of("$`\n") != StringRef::npos;
}

/// No character means anything to a shell.
static bool isPlain(StringRef word) {
  return all_of(word, [](char c) {
    return isAlnum(c) || StringRef("_=+.,:/@%^-").contains(c);
  });
}

/// Flags of a host compiler that only preprocesses: those that decide what the
/// text says, and those that change nothing.
static bool isHarmlessHostFlag(StringRef word) {
  if (!word.consume_front("-"))
    return false;
  if (StringSwitch<bool>(word)
          .StartsWith("D", true)
          .StartsWith("U", true)
          .StartsWith("I", true)
          .StartsWith("O", true)
          .StartsWith("isystem", true)
          .StartsWith("iquote", true)
          .StartsWith("idirafter", true)
          .StartsWith("std=", true)
          .StartsWith("stdlib=", true)
          .StartsWith("-sysroot=", true)
          .Cases({"include", "imacros", "isysroot", "w", "pthread", "ansi",
                  "pipe", "nostdinc", "nostdinc++", "undef", "pedantic"},
                 true)
          .Default(false))
    return true;
  if (word.consume_front("W")) // -Wp,-MD,file and its like go to other tools
    return !is_contained({"a", "p", "l"}, word.split(',').first);
  if (word.consume_front("m"))
    return word != "llvm" && !word.contains('/');
  if (word.consume_front("g"))
    return all_of(word, isDigit) || word == "gdb" || word.starts_with("dwarf");
  if (!word.consume_front("f"))
    return false;
  auto [name, value] = word.split('=');
  if (!value.empty())
    return StringSwitch<bool>(name)
        .Cases({"openmp", "abi-version", "template-depth", "visibility"}, true)
        .Cases({"input-charset", "exec-charset", "constexpr-depth"}, true)
        .Cases(
            {"constexpr-steps", "constexpr-loop-limit", "constexpr-ops-limit"},
            true)
        .Cases({"max-errors", "diagnostics-color", "message-length"}, true)
        .Default(false);
  for (StringRef writes :
       {"plugin", "dump", "profile", "test-coverage", "stack-usage",
        "callgraph", "save", "auto-profile", "time-trace", "lto", "opt-info",
        "offload", "sanitize", "record", "pass-plugin", "report", "use-ld"})
    if (name.starts_with(writes))
      return false;
  return true;
}

/// Words of -Xptxas that name no file. A value stands in its word or is a
/// number.
static bool isHarmlessPtxasFlag(StringRef word) {
  if (!word.consume_front("-"))
    return !word.empty() && all_of(word, isDigit);
  word.consume_front("-");
  return !word.contains('/') &&
         !is_contained({"o", "output-file", "optf", "options-file"},
                       word.split('=').first);
}

/// EDG's flags write files as well; these are what builds give it.
static bool isHarmlessCudafeFlag(StringRef word) {
  word = word.ltrim('-');
  return word.starts_with("diag_") || word.starts_with("diag-") ||
         word == "display_error_number" || word == "promote_warnings";
}

/// Flags of nvcc's that name a program, a file to write, or another tool's
/// flags which warplint has no use for.
static bool isHazardousFlag(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"arbin", "archiver-binary", "qpp-config"}, true)
      .Cases({"Xlinker", "linker-options", "Xarchive", "archive-options"}, true)
      .Cases({"Xnvlink", "nvlink-options", "Xfatbin", "fatbin-options"}, true)
      .Cases({"Xcicc", "cicc-options", "Xopencc", "opencc-options"}, true)
      .Cases({"Xnvvm", "Xclang", "mllvm", "Xassembler", "Xpreprocessor"}, true)
      .Cases({"hls", "host-linker-script", "ldir", "libdevice-directory"}, true)
      .Cases({"ptxas-path", "libdevice-path", "fdevice-time-trace"}, true)
      .Cases({"o", "output-file", "odir", "output-directory"}, true)
      .Cases({"keep-dir", "time", "optf", "options-file"}, true)
      .Cases({"run", "run-args", "cl-version", "use-local-env"}, true)
      .Default(false);
}

namespace {

class Filter {
public:
  Filter(StringRef directory, const TrustedPrograms &trusted,
         ArrayRef<std::string> typed)
      : directory_(directory), trusted_(trusted) {
    while (!typed.empty())
      typed = typed.drop_front(note(typed));
  }

  /// Reads the flag that is the first of `words`; returns how many it takes.
  size_t read(ArrayRef<std::string> words) {
    const StringRef word = words.front();
    const size_t count = std::min(wordsOfFlag(words), words.size());
    auto [spelling, value] = word.split('=');
    if (count > 1)
      value = words[1];
    const StringRef name = spelling.ltrim('-');
    const std::string text = textOf(words);
    const bool isFlag = word.starts_with("-") && word.size() > 1;
    if (is_contained(typed_, text))
      append_range(result.arguments, words.take_front(count));
    else if (name == "ccbin" || name == "compiler-bindir")
      addHostCompiler(value, text);
    else if (name == "Xcompiler" || name == "compiler-options")
      addPassedOn(value, "-Xcompiler", isHarmlessHostFlag);
    else if (name == "Xptxas" || name == "ptxas-options")
      addPassedOn(value, "-Xptxas", isHarmlessPtxasFlag);
    else if (name == "Xcudafe" || name == "cudafe-options")
      addPassedOn(value, "-Xcudafe", isHarmlessCudafeFlag);
    else if (!isFlag || isHazardousPath(text) || isHazardousFlag(name) ||
             !(isNvccFlag(word) || (isPlain(word) && isHarmlessHostFlag(word))))
      result.dropped.push_back(text);
    else
      append_range(result.arguments, words.take_front(count));
    return count;
  }

  SafeArguments result;

private:
  /// The flag that is the first of `words`, with its value.
  static std::string textOf(ArrayRef<std::string> words) {
    const bool hasValue = wordsOfFlag(words) > 1 && words.size() > 1;
    return hasValue ? words[0] + " " + words[1] : words[0];
  }

  size_t note(ArrayRef<std::string> words) {
    typed_.push_back(textOf(words));
    return std::min(wordsOfFlag(words), words.size());
  }

  void addHostCompiler(StringRef program, const std::string &text) {
    std::string found = trusted_.findHostCompiler(program, directory_);
    if (found.empty() || isHazardousPath(found))
      result.dropped.push_back(text);
    else
      result.arguments.insert(result.arguments.end(),
                              {"-ccbin", std::move(found)});
  }

  void addPassedOn(StringRef list, StringRef flag,
                   function_ref<bool(StringRef)> isHarmless) {
    SmallVector<StringRef> items;
    list.split(items, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef item : items) {
      // For the shell that nvcc calls: PyTorch's builds have "'-fPIC'".
      if (item.size() > 1 && item.starts_with("'") && item.ends_with("'"))
        item = item.drop_front().drop_back();
      const bool isValue = std::exchange(awaitsValue_, false);
      if (isPlain(item) && (isValue || isHarmless(item)))
        result.arguments.insert(result.arguments.end(),
                                {flag.str(), item.str()});
      else
        result.dropped.push_back((flag + " " + item).str());
      awaitsValue_ = is_contained({"-include", "-imacros", "-isystem",
                                   "-iquote", "-idirafter", "-isysroot"},
                                  item);
    }
  }

  StringRef directory_;
  const TrustedPrograms &trusted_;
  std::vector<std::string> typed_;
  bool awaitsValue_ = false; ///< the flag before, in a word of its own
};

} // namespace

SafeArguments safeArguments(ArrayRef<std::string> arguments,
                            StringRef directory, const TrustedPrograms &trusted,
                            ArrayRef<std::string> typed) {
  Filter filter(directory, trusted, typed);
  filter.result.arguments.push_back(arguments.front());
  ArrayRef<std::string> flags = arguments.drop_front().drop_back();
  while (!flags.empty())
    flags = flags.drop_front(filter.read(flags));
  filter.result.arguments.push_back(arguments.back());
  return std::move(filter.result);
}

} // namespace warplint
