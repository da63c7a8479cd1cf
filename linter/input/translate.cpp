#include "input/translate.h"
#include "base/folders.h"
#include "input/command_flag.h"
#include "input/compiler.h"
#include "clang/Basic/OffloadArch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

namespace warplint {

/// Splits a list at its commas, except behind a backslash.
static std::vector<std::string> splitList(llvm::StringRef text) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',')
      words.back() += text[++i];
    else if (text[i] == ',')
      words.emplace_back();
    else
      words.back() += text[i];
  }
  llvm::erase_if(words, [](const std::string &word) { return word.empty(); });
  return words;
}

namespace {

class Translator;
enum class Value { None, One, List, Maybe };
using Reader = void (Translator::*)(llvm::StringRef value);

struct Meaning {
  llvm::StringLiteral longName, shortName;
  Value value;
  llvm::StringLiteral clang; ///< KEEP: the spelling; DEFINE: -D and the macro
  Reader reader = nullptr;   ///< READ
};

class Translator {
public:
  explicit Translator(Compiler compiler) : compiler_(compiler) {}

  void readAll(llvm::ArrayRef<std::string> words);
  Translation finish(const std::optional<Toolkit> &toolkit);

  // The readers that nvcc_flags.def names.
  void readArchitecture(llvm::StringRef value) { architecture_ = value.str(); }
  void readCode(llvm::StringRef value) { code_.push_back(value.str()); }
  void readGenerateCode(llvm::StringRef value);
  void readClangArchitecture(llvm::StringRef value) { addTarget(value); }
  void readNoArchitecture(llvm::StringRef value);
  void readStandard(llvm::StringRef value) { standard_ = value.str(); }
  void readDefaultStream(llvm::StringRef value) {
    if (value == "per-thread")
      add("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }
  void readRelocatable(llvm::StringRef value) {
    result_.relocatable = value == "true";
  }
  void setRelocatable(llvm::StringRef) { result_.relocatable = true; }
  void setLinkTimeOptimised(llvm::StringRef) {
    result_.linkTimeOptimised = true;
  }
  void setFastMath(llvm::StringRef) { result_.shortForms = {true, true, true}; }
  void readExactDivision(llvm::StringRef value) {
    result_.shortForms.divisions |= value == "false";
  }
  void readExactRoot(llvm::StringRef value) {
    result_.shortForms.roots |= value == "false";
  }
  void readMaxRegisters(llvm::StringRef value) {
    unsigned count;
    if (!value.getAsInteger(10, count))
      result_.maxRegisters = count;
  }
  void readHostFlags(llvm::StringRef value);

private:
  void add(const llvm::Twine &flag) { result_.clang.push_back(flag.str()); }
  void keep(llvm::StringRef spelling, llvm::StringRef value);
  void apply(const Meaning &flag, llvm::StringRef value);
  void addTarget(llvm::StringRef name);
  void readHost();
  void markInstalled();

  Compiler compiler_;
  Translation result_;
  std::string architecture_, standard_;
  std::vector<std::string> code_;
  std::vector<std::string> host_; ///< flags for the host compiler
};

} // namespace

static constexpr Meaning meanings[] = {
#define KEEP(LONG, SHORT, VALUE, CLANG) {LONG, SHORT, Value::VALUE, CLANG},
#define DEFINE(LONG, SHORT, MACRO) {LONG, SHORT, Value::None, "-D" MACRO},
#define READ(LONG, SHORT, VALUE, READER)                                       \
  {LONG, SHORT, Value::VALUE, "", &Translator::READER},
#define DROP(LONG, SHORT, VALUE) {LONG, SHORT, Value::VALUE, ""},
#include "input/nvcc_flags.def"
};

static const Meaning *meaningOf(llvm::StringRef name) {
  for (const Meaning &flag : meanings)
    if (!name.empty() && (flag.longName == name || flag.shortName == name))
      return &flag;
  return nullptr;
}

void Translator::readAll(llvm::ArrayRef<std::string> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    llvm::StringRef word = words[i];
    if (word == "--")
      break;
    // Sources and objects; Kokkos' launcher leaves compilers among them.
    if (!word.starts_with("-") || word == "-")
      continue;
    const CommandFlag flag = readFlag(words.drop_front(i));
    const Meaning *meaning = meaningOf(flag.name);
    if (meaning && meaning->value == Value::None && flag.hasValue)
      meaning = nullptr;
    if (meaning)
      apply(*meaning, flag.value);
    else // of the host compiler: `-iquote dir`
      llvm::append_range(host_, words.slice(i, flag.words));
    i += flag.words - 1;
  }
  readHost();
}

void Translator::apply(const Meaning &flag, llvm::StringRef value) {
  std::vector<std::string> values;
  // Only nvcc splits at commas; Clang's -I and -D do not.
  if (flag.value == Value::List &&
      (compiler_ != Compiler::Clang || flag.reader))
    values = splitList(value);
  else
    values.push_back(value.str());
  for (const std::string &one : values)
    if (flag.reader)
      (this->*flag.reader)(one);
    else if (!flag.clang.empty())
      keep(flag.clang, one);
}

void Translator::keep(llvm::StringRef spelling, llvm::StringRef value) {
  if (spelling == "-isystem" || spelling == "-include") {
    add(spelling);
    add(value);
  } else {
    add(spelling + value);
  }
}

/// "sm_80", "compute_80" and "lto_80" name the same architecture.
void Translator::addTarget(llvm::StringRef name) {
  name = name.trim("[]\"' ");
  if (name.consume_front("lto_"))
    result_.linkTimeOptimised = true;
  else if (!name.consume_front("sm_") && !name.consume_front("compute_"))
    return; // native, all, all-major depend on nvcc and the machine
  std::string target = ("sm_" + name).str();
  if (!name.empty() && llvm::isDigit(name[0]) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c); }) &&
      !llvm::is_contained(result_.architectures, target))
    result_.architectures.push_back(target);
}

void Translator::readNoArchitecture(llvm::StringRef value) {
  if (value == "all")
    result_.architectures.clear();
  llvm::erase(result_.architectures, value.str());
}

/// arch=compute_80,code=[sm_80,compute_80], with or without brackets, quotes
/// and code.
void Translator::readGenerateCode(llvm::StringRef value) {
  std::string virtualOne;
  bool hasCode = false, inCode = false;
  for (const std::string &part : splitList(value)) {
    llvm::StringRef word = llvm::StringRef(part).trim("[]\"' ");
    if (word.consume_front("arch=")) {
      virtualOne = word.str();
      inCode = false;
      continue;
    }
    inCode |= word.consume_front("code=");
    if (inCode) {
      addTarget(word);
      hasCode = true;
    }
  }
  if (!hasCode)
    addTarget(virtualOne);
}

/// Reads -Xcompiler a,b and -Xcompiler "a b"; nvcc passes both on unchanged,
/// and a shell splits them.
void Translator::readHostFlags(llvm::StringRef value) {
  for (const std::string &part : splitList(value))
    llvm::append_range(host_, splitCommandLine(part));
}

/// Takes the host compiler's flags that change what a source means. Warnings do
/// not matter here, and -march, -fPIC and the like change host code only.
void Translator::readHost() {
  for (size_t i = 0; i < host_.size(); ++i) {
    llvm::StringRef word = host_[i];
    if (llvm::is_contained({"-I", "-D", "-U", "-isystem", "-include", "-iquote",
                            "-idirafter", "-imacros", "-isysroot"},
                           word)) {
      if (i + 1 < host_.size()) {
        add(word);
        add(host_[++i]);
      }
      continue;
    }
    bool isKept = llvm::StringSwitch<bool>(word)
                      .StartsWith("-I", true)
                      .StartsWith("-D", true)
                      .StartsWith("-U", true)
                      .StartsWith("-iquote", true)
                      .StartsWith("-isystem", true)
                      .StartsWith("-idirafter", true)
                      .StartsWith("-stdlib=", true)
                      .StartsWith("--sysroot=", true)
                      .StartsWith("--gcc-toolchain=", true)
                      .StartsWith("--gcc-install-dir=", true)
                      .StartsWith("-ftemplate-depth", true)
                      .StartsWith("-fconstexpr-", true)
                      .Cases({"-fsigned-char", "-funsigned-char",
                              "-fshort-enums", "-fms-extensions", "-fchar8_t",
                              "-fno-char8_t", "-fgnu-keywords", "-nostdinc",
                              "-nostdinc++", "-fshort-wchar"},
                             true)
                      .Default(false);
    // GCC's name for Clang's -fconstexpr-steps.
    if (word.starts_with("-fconstexpr-") &&
        !word.starts_with("-fconstexpr-depth=") &&
        !word.starts_with("-fconstexpr-steps="))
      isKept = false;
    if (isKept)
      add(word);
    else if (word.consume_front("-std="))
      standard_ = word.str();
    // Defines _OPENMP for host code under `#ifdef _OPENMP`, without reading the
    // pragmas.
    else if (word == "-fopenmp" || word == "-qopenmp" ||
             word.starts_with("-fopenmp="))
      add("-D_OPENMP=201511");
  }
}

/// Takes installed headers for a library's, whatever flag leads to them: the
/// builds of PyTorch's extensions find those of PyTorch by -I.
void Translator::markInstalled() {
  std::vector<std::string> marked;
  for (size_t i = 0; i < result_.clang.size(); ++i) {
    llvm::StringRef word = result_.clang[i];
    const bool isSplit = word == "-I" && i + 1 < result_.clang.size();
    const std::string folder = isSplit                    ? result_.clang[i + 1]
                               : word.consume_front("-I") ? word.str()
                                                          : "";
    if (!isInstalledForPython(folder)) {
      marked.push_back(result_.clang[i]);
      continue;
    }
    marked.insert(marked.end(), {"-isystem", folder});
    i += isSplit;
  }
  result_.clang = std::move(marked);
}

Translation Translator::finish(const std::optional<Toolkit> &toolkit) {
  // Without -code, -arch stands for itself; the last -arch counts.
  if (code_.empty())
    addTarget(architecture_);
  for (const std::string &code : code_)
    addTarget(code);
  if (result_.relocatable)
    add("-D__CUDACC_RDC__");
  markInstalled();
  // The default of CUDA 12 and 13.
  add("-std=" + (standard_.empty() ? "c++17" : standard_));
  if (toolkit && !toolkit->cccl.empty())
    keep("-isystem", toolkit->cccl);
  result_.clang.insert(result_.clang.begin(), {"-x", "cuda"});
  return std::move(result_);
}

Translation translate(const std::vector<std::string> &fullArguments,
                      const std::optional<Toolkit> &toolkit) {
  llvm::ArrayRef<std::string> words = fullArguments;
  size_t first = compilerIndex(words);
  Translator translator(words.empty() ? Compiler::Nvcc
                                      : compilerNamed(words[first]));
  translator.readAll(words.drop_front(std::min(first + 1, words.size())));
  return translator.finish(toolkit);
}

void addFlagsOfBareSources(std::vector<std::string> &arguments,
                           const std::optional<Toolkit> &toolkit) {
  if (toolkit && toolkit->major != 0 && toolkit->major < 11)
    return;
  auto has = [&](llvm::StringRef name) {
    return llvm::any_of(arguments, [&](llvm::StringRef argument) {
      return argument.ltrim('-').split('=').first == name;
    });
  };
  if (!has("std"))
    arguments.push_back("-std=c++17");
  if (!has("extended-lambda") && !has("expt-extended-lambda"))
    arguments.push_back("--extended-lambda");
  if (!has("expt-relaxed-constexpr"))
    arguments.push_back("--expt-relaxed-constexpr");
}

static bool isKnownToClang(llvm::StringRef name) {
  return clang::StringToOffloadArch(name) != clang::OffloadArch::UNKNOWN;
}

std::string newestArchitecture(const std::vector<std::string> &architectures) {
  struct Number {
    unsigned number = 0;
    bool isSpecific = false; ///< sm_90a
  };
  Number newest;
  for (llvm::StringRef name : architectures) {
    Number one;
    if (!name.consume_front("sm_") || name.consumeInteger(10, one.number))
      continue;
    one.isSpecific = name == "a";
    if (one.number > newest.number ||
        (one.number == newest.number && one.isSpecific))
      newest = one;
  }
  std::string name = "sm_" + std::to_string(newest.number);
  if (newest.isSpecific && isKnownToClang(name + "a"))
    return name + "a";
  // Newer than this Clang knows: takes the nearest older one.
  for (unsigned number = newest.number; number >= 50; --number)
    if (isKnownToClang("sm_" + std::to_string(number)))
      return "sm_" + std::to_string(number);
  return newest.number && isKnownToClang(name) ? name : "sm_80";
}

} // namespace warplint
