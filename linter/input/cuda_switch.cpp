#include "input/cuda_switch.h"
#include "input/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace warplint {

static bool hasWord(llvm::StringRef macro,
                    std::initializer_list<llvm::StringRef> sought) {
  llvm::SmallVector<llvm::StringRef> words;
  macro.split(words, '_');
  return llvm::any_of(words, [&](llvm::StringRef word) {
    return llvm::is_contained(sought, word);
  });
}

/// Returns true for WITHOUT_CUDA, HAVE_NO_CUDA and SKIP_KOKKOS.
static bool isNegative(llvm::StringRef macro) {
  return hasWord(macro, {"NO", "NOT", "NON", "WITHOUT", "DISABLE", "DISABLED",
                         "SKIP", "AVOID"});
}

bool isCudaSwitch(llvm::StringRef macro) {
  static constexpr llvm::StringLiteral platforms[] = {"CUDA", "GPU", "NVCC",
                                                      "NVIDIA"},
                                       verbs[] = {
                                           "USE",       "USING",   "HAVE",
                                           "HAS",       "WITH",    "ENABLE",
                                           "ENABLED",   "BUILD",   "BUILDING",
                                           "COMPILING", "SUPPORT", "SUPPORTED",
                                           "AVAILABLE", "FOUND",   "BACKEND"};
  llvm::SmallVector<llvm::StringRef> words;
  macro.consume_front("_"); // of two, the name is a compiler's
  macro.split(words, '_');
  if (words.front().empty() || words.front() == "KOKKOS" || isNegative(macro))
    return false;
  const bool anyVerb = llvm::any_of(words, [&](llvm::StringRef word) {
    return llvm::is_contained(verbs, word);
  });
  bool anyPlatform = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool isPlatform = llvm::is_contained(platforms, words[i]);
    anyPlatform |= isPlatform;
    const bool isProject = i == 0 && anyVerb; // AMREX_USE_CUDA
    if (!isPlatform && !isProject && !llvm::is_contained(verbs, words[i]))
      return false;
  }
  return anyPlatform;
}

namespace {

/// A directive of a text without comments.
struct WrittenDirective {
  size_t begin;             ///< of its line
  llvm::StringRef name;     ///< "ifdef"
  llvm::StringRef argument; ///< with the lines that a backslash continues
};

// Clang's scanner of directives leaves out conditions without directives in
// them: those around a kernel.
std::vector<WrittenDirective> directivesIn(llvm::StringRef code) {
  std::vector<WrittenDirective> directives;
  for (size_t begin = 0; begin < code.size();) {
    size_t end = code.find('\n', begin);
    while (end != llvm::StringRef::npos &&
           code.take_front(end).rtrim('\r').ends_with("\\"))
      end = code.find('\n', end + 1);
    llvm::StringRef line = code.slice(begin, end).trim();
    if (line.consume_front("#")) {
      line = line.ltrim();
      const llvm::StringRef name = line.take_while(llvm::isAlpha);
      directives.push_back({begin, name, line.drop_front(name.size())});
    }
    begin = end == llvm::StringRef::npos ? code.size() : end + 1;
  }
  return directives;
}

} // namespace

WantedMacros macrosWanted(llvm::StringRef directive,
                          llvm::StringRef condition) {
  const bool isDefined = directive == "ifdef" || directive == "elifdef";
  if (!isDefined && directive != "if" && directive != "elif")
    return {};
  if (condition.contains("==") ||
      condition.find_first_of("<>?") != llvm::StringRef::npos ||
      condition.contains("!="))
    return {};
  WantedMacros wanted;
  wanted.isAny = !condition.contains("&&");
  bool isNot = false;
  while (!condition.empty()) {
    const llvm::StringRef word = condition.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (word.empty()) {
      isNot = condition.front() == '!' ||
              (isNot && llvm::isSpace(condition.front()));
      condition = condition.drop_front();
      continue;
    }
    condition = condition.drop_front(word.size());
    if (word == "defined") // `!defined(A)`
      condition = condition.ltrim(" \t(");
    else if (llvm::isDigit(word.front()))
      wanted.isAny = false;
    else if (isNot)
      wanted.isAny = false, wanted.unwanted.push_back(word.str());
    else
      wanted.names.push_back(word.str());
    isNot &= word == "defined";
  }
  return wanted;
}

/// Returns "WARP_SIZE=32" of `WARP_SIZE == 32`; empty for another condition.
static std::string valueAskedFor(llvm::StringRef condition) {
  const auto [left, right] = condition.split("==");
  const llvm::StringRef name = left.trim(" \t("), value = right.trim(" \t)");
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  const bool isPlain = !name.empty() && !llvm::isDigit(name.front()) &&
                       llvm::all_of(name, isWord) && !value.empty() &&
                       llvm::all_of(value, llvm::isDigit);
  return isPlain ? (name + "=" + value).str() : "";
}

/// Returns true for a macro that keeps what it is about off the GPU.
static bool isOfHost(llvm::StringRef macro) {
  return hasWord(macro, {"HOST", "CPU", "SERIAL", "SEQUENTIAL"});
}

/// As macrosOfError, for the #error that is one of `directives`.
static WantedMacros macrosBefore(llvm::ArrayRef<WrittenDirective> directives,
                                 size_t error) {
  WantedMacros wanted;
  bool isElse = false;
  unsigned closed = 0;
  for (const WrittenDirective &directive :
       llvm::reverse(directives.take_front(error))) {
    const bool opens = directive.name.starts_with("if");
    if (directive.name == "endif")
      ++closed;
    if (closed) {
      closed -= opens;
      continue;
    }
    if (directive.name == "else") {
      isElse = true;
      continue;
    }
    if (!opens && !directive.name.starts_with("elif"))
      continue;
    if (isElse) {
      for (std::string &name :
           macrosWanted(directive.name, directive.argument).names)
        wanted.names.push_back(std::move(name));
      if (std::string value = valueAskedFor(directive.argument); !value.empty())
        wanted.names.push_back(std::move(value));
      wanted.isAny = true;
    } else if (directive.name == "ifndef") {
      wanted.names = {directive.argument.trim().split(' ').first.str()};
    } else {
      WantedMacros own = macrosWanted(directive.name, directive.argument);
      if (own.names.empty())
        wanted.names = std::move(own.unwanted);
      wanted.isAny = directive.argument.contains("&&");
    }
    if (opens || !isElse)
      break;
  }
  if (isElse)
    std::reverse(wanted.names.begin(), wanted.names.end());
  // A compiler's own is not the user's to define.
  llvm::erase_if(wanted.names,
                 [](llvm::StringRef name) { return name.starts_with("__"); });
  if (wanted.isAny) // the first is the one to define
    llvm::stable_sort(wanted.names, [](llvm::StringRef a, llvm::StringRef b) {
      return !isOfHost(a) && isOfHost(b);
    });
  return wanted;
}

WantedMacros macrosOfError(llvm::StringRef text, unsigned line) {
  const std::string code = SourceText(text).code();
  const std::vector<WrittenDirective> directives = directivesIn(code);
  for (size_t i = 0; i < directives.size(); ++i)
    if (directives[i].name == "error" &&
        llvm::StringRef(code).take_front(directives[i].begin).count('\n') + 1 ==
            line)
      return macrosBefore(directives, i);
  return {};
}

bool isKokkosSwitch(llvm::StringRef macro) {
  return macro.ends_with("_KOKKOS") && !macro.starts_with("KOKKOS_") &&
         !isNegative(macro);
}

/// Returns true for a macro that selects CUDA if it is one of several back
/// ends: SOLVER_CUDA. Kokkos' configuration defines its own.
static bool isCudaBackEnd(llvm::StringRef macro) {
  return macro.ends_with("_CUDA") && !macro.starts_with("KOKKOS_ENABLE_") &&
         !macro.starts_with("_") && !isNegative(macro);
}

/// Returns true if `macros` has the same for another GPU: SOLVER_ROCM.
static bool isForOthersToo(llvm::StringRef macro,
                           const std::set<std::string> &macros) {
  macro.consume_back("CUDA");
  return llvm::any_of(llvm::ArrayRef({"ROCM", "HIP", "SYCL"}),
                      [&](const char *other) {
                        return macros.count(macro.str() + other);
                      });
}

/// Returns true for a name of AMD's platform.
static bool isForRocm(llvm::StringRef macro) {
  return hasWord(macro, {"ROCM", "HIP"});
}

/// Returns true for CUDA's part of a condition that takes either platform,
/// `GOOGLE_CUDA || TENSORFLOW_USE_ROCM` and `__CUDA || __ROCM`.
static bool isBesideRocm(llvm::StringRef macro, const WantedMacros &wanted) {
  return wanted.isAny && (macro.ltrim('_') == "CUDA" || isCudaBackEnd(macro)) &&
         llvm::any_of(wanted.names, isForRocm);
}

std::set<std::string> cudaSwitchesIn(llvm::StringRef text) {
  std::set<std::string> switches;
  if (llvm::none_of(llvm::ArrayRef({"CUDA", "GPU", "NVCC", "_KOKKOS"}),
                    [&](const char *part) { return text.contains(part); }))
    return switches;
  const std::string code = SourceText(text).code();
  const std::vector<WrittenDirective> directives = directivesIn(code);
  std::set<std::string> asked;
  for (size_t i = 0; i < directives.size(); ++i) {
    const bool isError = directives[i].name == "error";
    const WantedMacros wanted =
        isError ? macrosBefore(directives, i)
                : macrosWanted(directives[i].name, directives[i].argument);
    const bool isChoice = isError && wanted.isAny && wanted.names.size() > 1;
    for (const std::string &macro : wanted.names)
      if (isCudaSwitch(macro) || isKokkosSwitch(macro) ||
          (isChoice && isCudaBackEnd(macro)) || isBesideRocm(macro, wanted))
        switches.insert(macro);
    asked.insert(wanted.names.begin(), wanted.names.end());
  }
  for (const std::string &macro : asked)
    if (isCudaBackEnd(macro) && isForOthersToo(macro, asked))
      switches.insert(macro);
  return switches;
}

static constexpr llvm::StringLiteral kernel = "__global__";

/// `code`: the text without comments and literals, at the same offsets.
static std::string conditionOfKernels(llvm::StringRef text,
                                      const std::string &code) {
  constexpr size_t none = std::string::npos;
  std::vector<size_t> open; ///< where conditions begin; none: of an #ifndef
  std::string first;
  size_t at = code.find(kernel); ///< the next one
  std::vector<WrittenDirective> directives = directivesIn(code);
  directives.push_back({code.size(), "", ""});
  for (const WrittenDirective &directive : directives) {
    for (; at < directive.begin; at = code.find(kernel, at + 1)) {
      auto outermost =
          llvm::find_if(open, [](size_t at) { return at != none; });
      if (outermost == open.end())
        return "";
      if (first.empty())
        first = text.substr(*outermost).split('\n').first.trim().str();
    }
    if (directive.name == "if" || directive.name == "ifdef")
      open.push_back(directive.begin);
    else if (directive.name == "ifndef")
      open.push_back(none);
    else if (directive.name == "endif" && !open.empty())
      open.pop_back();
  }
  return first;
}

std::string conditionOfKernels(llvm::StringRef text) {
  return text.contains(kernel)
             ? conditionOfKernels(text, SourceText(text).code())
             : "";
}

std::string conditionAround(llvm::StringRef text, size_t at) {
  const std::string code = SourceText(text).code();
  llvm::SmallVector<const WrittenDirective *> open;
  const std::vector<WrittenDirective> directives = directivesIn(code);
  for (const WrittenDirective &directive : directives) {
    if (directive.begin >= at)
      break;
    if (directive.name.starts_with("if"))
      open.push_back(&directive);
    else if (open.empty())
      continue;
    else if (directive.name == "endif")
      open.pop_back();
    else if (directive.name.starts_with("el"))
      open.back() = &directive;
  }
  while (!open.empty() && open.back()->name == "ifndef")
    open.pop_back();
  if (open.empty() || open.back()->name == "else")
    return "";
  return llvm::StringRef(code)
      .substr(open.back()->begin)
      .split('\n')
      .first.trim()
      .str();
}

/// Returns true if a text names what is HIP's: 'hipStream_t', "hip_utils.h",
/// and not what serves both: "common/cuda_hip/config.hpp".
static bool mentionsHip(llvm::StringRef text) {
  for (size_t at = text.find("hip"); at != llvm::StringRef::npos;
       at = text.find("hip", at + 1)) {
    const char before = at ? text[at - 1] : ' ';
    const char behind = text.substr(at + 3).empty() ? ' ' : text[at + 3];
    if (!llvm::isAlnum(before) && !text.take_front(at).ends_with("cuda_") &&
        (llvm::isUpper(behind) || llvm::StringRef("_/.").contains(behind)))
      return true;
  }
  return false;
}

/// Returns true for `#if defined(SOLVER_ENABLE_CUDA) && defined(__CUDACC__)`
/// and `#ifdef SOLVER_CUDA`, which a build with CUDA meets. What asks for the
/// compiler alone stands in headers of host code too.
static bool asksForCuda(llvm::StringRef directive) {
  directive.consume_front("#");
  const auto [word, condition] = directive.ltrim().split(' ');
  const WantedMacros wanted = macrosWanted(word, condition);
  auto isOfCuda = [](llvm::StringRef macro) {
    return isCudaSwitch(macro) || isCudaBackEnd(macro);
  };
  return llvm::any_of(wanted.names, isOfCuda) &&
         llvm::all_of(wanted.names, [&](llvm::StringRef macro) {
           return isOfCuda(macro) || macro == "__CUDACC__" ||
                  macro == "__NVCC__";
         });
}

bool hasKernels(llvm::StringRef text) {
  // What asks for CUDA has what is HIP's beside it.
  if (!text.contains(kernel) ||
      (mentionsHip(text) && cudaSwitchesIn(text).empty()))
    return false;
  const std::string code = SourceText(text).code();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(code).split(lines, '\n');
  if (llvm::none_of(lines, [&](llvm::StringRef line) {
        return line.contains(kernel) && !line.ltrim().starts_with("#");
      }))
    return false;
  const std::string condition = conditionOfKernels(text, code);
  return condition.empty() || asksForCuda(condition);
}

bool fileHasKernels(const std::string &file, const Buffers &buffers) {
  if (llvm::StringRef(file).contains(".hip."))
    return false; // HIP's own, "kernels.hip.cpp"
  const auto text = readText(file, buffers);
  return text && hasKernels(text->getBuffer());
}

} // namespace warplint
