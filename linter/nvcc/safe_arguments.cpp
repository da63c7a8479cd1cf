#include "nvcc/safe_arguments.h"
#include "input/command_flag.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace warplint {

bool isHazardousPath(StringRef path) {
  return path.find_first_of("$`\"\\\n") != StringRef::npos;
}

/// No character means anything to a shell.
static bool isPlain(StringRef word) {
  return all_of(word, [](char c) {
    return isAlnum(c) || StringRef("_=+.,:/@%^-").contains(c);
  });
}

/// Returns true for what a tool may take for a flag, where the flag before it
/// has its value already, or for a file of flags: gcc reads `@file` wherever it
/// stands.
static bool isTakenForFlags(StringRef value) {
  return value.starts_with("-") || value.starts_with("@");
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
        "offload", "sanitize", "record", "pass-plugin", "report", "use-ld",
        "module"})
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
  // -o, --output-file, --options-file and their like name files.
  return !word.contains('/') &&
         (!word.starts_with("o") || word.starts_with("opt-level"));
}

/// EDG's flags write files as well; these are what builds give it.
static bool isHarmlessCudafeFlag(StringRef word) {
  word = word.ltrim('-');
  return word.starts_with("diag_") || word.starts_with("diag-") ||
         word == "display_error_number" || word == "promote_warnings";
}

/// What may stand in the value of a flag of nvcc's that decides about code.
enum class Value {
  None,  ///< such a flag has no value
  Plain, ///< a number, a name, a list of them
  Path,
  Macro,
  Not, ///< the flag itself is not given on
};

/// Flags that are missing here name a program, a file to write, or another
/// tool's flags; or only other compilers have them, and nvcc would take their
/// value for a flag.
static Value valueOf(StringRef name) {
  return StringSwitch<Value>(name)
      .Cases({"I", "include-path", "isystem", "system-include"}, Value::Path)
      .Cases({"include", "pre-include", "iquote", "idirafter"}, Value::Path)
      .Cases({"L", "library-path", "imacros", "isysroot"}, Value::Path)
      .Cases({"D", "define-macro", "U", "undefine-macro"}, Value::Macro)
      .Cases({"arch", "gpu-architecture", "code", "gpu-code"}, Value::Plain)
      .Cases({"gencode", "generate-code", "std", "x", "O"}, Value::Plain)
      .Cases({"optimize", "rdc", "relocatable-device-code"}, Value::Plain)
      .Cases({"maxrregcount", "ftz", "prec-div", "prec-sqrt"}, Value::Plain)
      .Cases({"fmad", "default-stream", "m", "machine", "l"}, Value::Plain)
      .Cases({"library", "cudart", "cudadevrt", "t", "threads"}, Value::Plain)
      .Cases({"ftemplate-depth", "ftemplate-backtrace-limit"}, Value::Plain)
      .Cases({"diag-error", "diag-suppress", "diag-warn"}, Value::Plain)
      .Cases({"brief-diag", "brief-diagnostics"}, Value::Plain)
      .Cases({"static-global-template-stub", "static-host-stub"}, Value::Plain)
      .Cases({"device-entity-has-hidden-visibility", "e"}, Value::Plain)
      .Cases({"entries", "frandom-seed", "sanitize"}, Value::Plain)
      .Cases({"jtd", "jump-table-density", "compress-mode"}, Value::Plain)
      .Cases({"device-stack-protector", "split-compile"}, Value::Plain)
      .Cases({"split-compile-extended", "opt-info"}, Value::Plain)
      .Cases({"optimization-info", "reloc-ptx"}, Value::Plain)
      .Cases({"relocatable-ptx", "target-dir"}, Value::Plain)
      .Case("target-directory", Value::Plain)
      .Cases({"expt-relaxed-constexpr", "extended-lambda"}, Value::None)
      .Cases({"expt-extended-lambda", "extensible-whole-program"}, Value::None)
      .Cases({"ewp", "G", "device-debug", "g", "debug", "pg"}, Value::None)
      .Cases({"profile", "no-host-device-initializer-list"}, Value::None)
      .Cases({"nohdinitlist", "no-host-device-move-forward"}, Value::None)
      .Cases({"nohdmoveforward", "no-exceptions", "noeh"}, Value::None)
      .Cases({"no-align-double", "restrict", "use_fast_math"}, Value::None)
      .Cases({"extra-device-vectorization", "lineinfo"}, Value::None)
      .Cases({"generate-line-info", "source-in-ptx", "src-in-ptx"},
             Value::None)
      .Cases({"keep-device-functions", "m64", "m32"}, Value::None)
      .Cases({"compile-as-tools-patch", "astoolspatch", "jit"}, Value::None)
      .Cases({"no-compress", "compress-all", "w"}, Value::None)
      .Cases({"disable-warnings", "Wreorder"}, Value::None)
      .Cases({"Wdefault-stream-launch", "Wmissing-launch-bounds"}, Value::None)
      .Cases({"Wext-lambda-captures-this", "Wno-deprecated-declarations"},
             Value::None)
      .Cases({"Wno-deprecated-gpu-targets", "resource-usage"}, Value::None)
      .Cases({"res-usage", "display-error-number", "err-no"}, Value::None)
      .Cases({"no-display-error-number", "no-err-no"}, Value::None)
      .Cases({"allow-unsupported-compiler", "dc", "device-c"}, Value::None)
      .Case("forward-unknown-to-host-compiler", Value::None)
      .Default(Value::Not);
}

/// Returns true if nvcc hands the value on as it is, to no shell's harm: in
/// double quotes, with a backslash before each quote of a macro, but none
/// before another backslash.
static bool isSafeValue(Value kind, StringRef value) {
  SmallVector<StringRef> items;
  value.split(items, ','); // as nvcc splits its lists
  if (any_of(items, isTakenForFlags))
    return false;
  switch (kind) {
  case Value::Plain:
    return isPlain(value);
  case Value::Path:
    return !isHazardousPath(value);
  case Value::Macro: { // `\,` is a comma
    std::string rest = value.str();
    for (size_t at; (at = rest.find("\\,")) != std::string::npos;)
      rest.erase(at, 2);
    return StringRef(rest).find_first_of("$`\\\n") == StringRef::npos;
  }
  case Value::None:
  case Value::Not:
    break;
  }
  return false;
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
    const CommandFlag flag = readFlag(words);
    const StringRef name = flag.name, value = flag.value;
    words = words.take_front(flag.words);
    const std::string text = join(words, " ");
    if (is_contained(typed_, text))
      append_range(result.arguments, words);
    else if (name == "ccbin" || name == "compiler-bindir")
      addHostCompiler(value, text);
    else if (name == "Xcompiler" || name == "compiler-options")
      addPassedOn(value, "-Xcompiler", isHarmlessHostFlag);
    else if (name == "Xptxas" || name == "ptxas-options")
      addPassedOn(value, "-Xptxas", isHarmlessPtxasFlag);
    else if (name == "Xcudafe" || name == "cudafe-options")
      addPassedOn(value, "-Xcudafe", isHarmlessCudafeFlag);
    else if (isSafe(flag, words))
      append_range(result.arguments, words);
    else
      result.dropped.push_back(text);
    return flag.words;
  }

  SafeArguments result;

private:
  /// Returns true for a flag, with its value, that nvcc knows or hands to the
  /// host compiler, and that neither they nor a shell do harm by.
  static bool isSafe(const CommandFlag &flag, ArrayRef<std::string> words) {
    const Value kind = valueOf(flag.name);
    if (kind != Value::Not && (kind != Value::None || !flag.hasValue))
      return kind == Value::None || isSafeValue(kind, flag.value);
    return words.size() == 1 && isPlain(words.front()) &&
           isHarmlessHostFlag(words.front());
  }

  size_t note(ArrayRef<std::string> words) {
    const size_t count = readFlag(words).words;
    typed_.push_back(join(words.take_front(count), " "));
    return count;
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
      if (isPlain(item) &&
          (isValue ? !isTakenForFlags(item) : isHarmless(item)))
        result.arguments.insert(result.arguments.end(),
                                {flag.str(), item.str()});
      else
        result.dropped.push_back((flag + " " + item).str());
      // A flag without its value would take the next one.
      if (isValue && result.arguments.back() != item)
        result.arguments.resize(result.arguments.size() - 2);
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
