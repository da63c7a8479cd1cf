#include "input/cuda_switch.h"
#include "input/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace warplint {

bool isCudaSwitch(llvm::StringRef macro) {
  static constexpr llvm::StringLiteral
      platforms[] = {"CUDA", "GPU", "NVCC"},
      verbs[] = {"USE",     "USING",     "HAVE",      "HAS",      "WITH",
                 "ENABLE",  "ENABLED",   "BUILD",     "BUILDING", "COMPILING",
                 "SUPPORT", "SUPPORTED", "AVAILABLE", "FOUND"},
      others[] = {"NO", "NOT", "NON", "WITHOUT", "DISABLE", "KOKKOS"};
  llvm::SmallVector<llvm::StringRef> words;
  macro.consume_front("_"); // of two, the name is a compiler's
  macro.split(words, '_');
  if (words.front().empty() || llvm::is_contained(others, words.front()))
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
    else if (llvm::isDigit(word.front()) || isNot)
      wanted.isAny = false;
    else
      wanted.names.push_back(word.str());
    isNot &= word == "defined";
  }
  return wanted;
}

std::set<std::string> cudaSwitchesIn(llvm::StringRef text) {
  std::set<std::string> switches;
  if (!text.contains("CUDA") && !text.contains("GPU") && !text.contains("NVCC"))
    return switches;
  const std::string code = SourceText(text).code();
  for (const WrittenDirective &directive : directivesIn(code))
    for (std::string &macro :
         macrosWanted(directive.name, directive.argument).names)
      if (isCudaSwitch(macro))
        switches.insert(std::move(macro));
  return switches;
}

std::string conditionOfKernels(llvm::StringRef text) {
  constexpr llvm::StringLiteral kernel = "__global__";
  constexpr size_t none = std::string::npos;
  if (!text.contains(kernel))
    return "";
  const std::string code = SourceText(text).code();
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

} // namespace warplint
