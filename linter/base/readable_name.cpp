#include "base/readable_name.h"
#include "base/kernel_name.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <cstdlib>
#include <optional>
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// LLVM numbers the lambdas of a function 'lambda', 'lambda0', 'lambda1'.
std::string withNumberedLambdas(StringRef name) {
  static const Regex lambda("'lambda([0-9]*)'\\([^()]*\\)( const)?");
  std::string result;
  for (SmallVector<StringRef> parts; lambda.match(name, &parts);) {
    unsigned before = 0;
    unsigned number = parts[1].empty()                    ? 1
                      : parts[1].getAsInteger(10, before) ? 1
                                                          : before + 2;
    result += name.take_front(parts[0].data() - name.data());
    result += "lambda#" + std::to_string(number);
    name = name.drop_front(parts[0].data() + parts[0].size() - name.data());
  }
  return result + name.str();
}

/// Numba distinguishes the versions of a function by tags such as `[abi:v1]`.
std::string withoutTags(StringRef name) {
  std::string result;
  while (!name.empty()) {
    auto [before, after] = name.split("[abi:");
    result += before;
    name = before.size() == name.size() ? "" : after.split(']').second;
  }
  return result;
}

/// "(lambda at /src/a.cu:12:7)" to "lambda at a.cu:12".
std::string withShortPlaces(StringRef name) {
  static const Regex place("\\((lambda|unnamed [a-z]+) at "
                           "([^()]*):([0-9]+):[0-9]+\\)");
  std::string result;
  for (SmallVector<StringRef> parts; place.match(name, &parts);) {
    result += name.take_front(parts[0].data() - name.data());
    result +=
        (parts[1] + " at " + sys::path::filename(parts[2]) + ":" + parts[3])
            .str();
    name = name.drop_front(parts[0].data() + parts[0].size() - name.data());
  }
  return result + name.str();
}

/// Removes a class that a reduction wraps around its functor.
bool unwrap(StringRef &functor) {
  return functor.consume_front("Kokkos::Impl::CombinedFunctorReducer<") ||
         functor.consume_front(
             "Kokkos::Impl::CombinedReductionFunctorWrapper<") ||
         functor.consume_front("Kokkos::Impl::CudaFunctorAdapter<");
}

/// Names the dispatch that a driver class of Kokkos belongs to:
/// `Kokkos::Impl::ParallelFor<F, ...>` to "parallel_for(F)".
std::string dispatchOf(StringRef name) {
  for (auto [driver, dispatch] :
       {std::pair("ParallelFor<", "parallel_for("),
        std::pair("ParallelReduce<", "parallel_reduce("),
        std::pair("ParallelScan<", "parallel_scan("),
        std::pair("ParallelScanWithTotal<", "parallel_scan(")}) {
    size_t at = name.find(std::string("Kokkos::Impl::") + driver);
    if (at == StringRef::npos)
      continue;
    StringRef rest =
        name.drop_front(at + strlen("Kokkos::Impl::") + strlen(driver));
    StringRef functor = rest.take_front(endOfTemplateArgument(rest));
    while (unwrap(functor))
      functor = functor.take_front(endOfTemplateArgument(functor));
    return (Twine(dispatch) + functor + ")").str();
  }
  return name.str();
}

} // namespace

std::string readableVariableName(StringRef mangled) {
  const std::string name = demangle(mangled);
  const size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

std::string shortKernelName(StringRef name) {
  std::string whole = withShortPlaces(name);
  constexpr StringRef unnamed = "(anonymous namespace)::";
  for (size_t at; (at = whole.find(unnamed)) != std::string::npos;)
    whole.erase(at, unnamed.size());
  if (name.contains("Kokkos::Impl::cuda_parallel_launch") ||
      name.contains("Kokkos::Impl::hip_parallel_launch"))
    return dispatchOf(whole);
  return whole;
}

/// The number of the character literal that `text` begins with, and removes it.
static std::optional<unsigned> consumeCharacter(StringRef &text) {
  StringRef rest = text;
  if (!rest.consume_front("'") || rest.empty())
    return std::nullopt;
  unsigned number = static_cast<unsigned char>(rest.front());
  if (rest.consume_front("\\x")) {
    if (rest.consumeInteger(16, number))
      return std::nullopt;
  } else if (rest.consume_front("\\")) {
    constexpr StringRef escapes = "abtnvfr"; // 7 to 13
    const size_t at = rest.empty() ? StringRef::npos : escapes.find(rest[0]);
    if (rest.empty())
      return std::nullopt;
    number = at != StringRef::npos ? 7 + at
             : rest[0] == '0'      ? 0
                                   : static_cast<unsigned char>(rest[0]);
    rest = rest.drop_front();
  } else {
    rest = rest.drop_front();
  }
  if (!rest.consume_front("'"))
    return std::nullopt;
  text = rest;
  return number;
}

std::string withNumericCharacters(StringRef name) {
  std::string result;
  while (!name.empty()) {
    if (const auto number = consumeCharacter(name)) {
      result += std::to_string(*number);
      continue;
    }
    result += name.front();
    name = name.drop_front();
  }
  return result;
}

std::string abbreviatedName(StringRef name, size_t most) {
  constexpr StringRef dots = "...";
  std::string text = name.str();
  while (text.size() > most) {
    std::vector<size_t> open;               ///< where argument lists begin
    std::pair<size_t, size_t> longest, own; ///< begin and size of a list
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '<')
        open.push_back(i + 1);
      if (text[i] != '>' || open.empty() || (i && text[i - 1] == '-'))
        continue;
      std::pair<size_t, size_t> list(open.back(), i - open.back());
      open.pop_back();
      if (StringRef(text).substr(list.first, list.second) == dots)
        continue;
      // The last list that is in no other is that of the kernel itself.
      if (open.empty())
        std::swap(list, own);
      if (list.second > longest.second)
        longest = list;
    }
    if (!longest.second)
      longest = own;
    if (longest.second <= dots.size())
      break;
    text.replace(longest.first, longest.second, dots);
  }
  return text;
}

std::string readableKernelName(StringRef mangled) {
  // The demangler keeps pointers into its input.
  const std::string input = withoutFile(mangled).str();
  ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(input.c_str()) || !demangler.isFunction())
    return input;
  char *text = demangler.getFunctionName(nullptr, nullptr);
  const std::string name = text ? text : input;
  std::free(text);
  return shortKernelName(
      withNumberedLambdas(withoutTags(withoutInternalNamespace(name))));
}

// The demangler quotes a lambda: "run()::'lambda1'(int)".
static bool isWord(char c) {
  return isAlnum(c) || c == '_' || c == ':' || c == '\'';
}

/// The template arguments at the same offset of all names.
static std::vector<std::string>
firstArguments(const std::vector<std::string> &names, size_t at) {
  std::vector<std::string> arguments;
  for (StringRef name : names) {
    StringRef rest = name.drop_front(std::min(at, name.size()));
    arguments.push_back(rest.take_front(endOfTemplateArgument(rest)).str());
  }
  return arguments;
}

/// Where the text between two offsets begins if it is to have the template whose
/// argument list ends in it: "flux<1>::'lambda1'", not "1>::'lambda1'".
static size_t beginOfList(StringRef name, size_t begin, size_t end) {
  int depth = 0, open = 0; ///< lists that begin before the text
  for (size_t i = begin; i < std::max(begin, end); ++i) {
    depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    open = std::max(open, -depth);
  }
  while (begin && open)
    open += name[--begin] == '>' ? 1 : name[begin] == '<' ? -1 : 0;
  while (begin && isWord(name[begin - 1]))
    --begin;
  return begin;
}

std::vector<std::string> differingParts(const std::vector<std::string> &names) {
  if (all_equal(names))
    return std::vector<std::string>(names.size());
  const StringRef first = names.front();
  size_t begin = first.size(), end = first.size();
  for (StringRef name : names) {
    size_t same = 0, sameAtEnd = 0;
    while (same < std::min(begin, name.size()) && first[same] == name[same])
      ++same;
    while (sameAtEnd < std::min(end, name.size()) &&
           first[first.size() - 1 - sameAtEnd] ==
               name[name.size() - 1 - sameAtEnd])
      ++sameAtEnd;
    begin = same;
    end = sameAtEnd;
  }
  // Whole words: "float2" and "float4", not "2" and "4".
  while (begin && isWord(first[begin - 1]))
    --begin;
  while (end && isWord(first[first.size() - end]))
    --end;
  const size_t differing = begin;
  for (StringRef name : names)
    begin = std::min(begin, beginOfList(name, differing, name.size() - end));
  std::vector<std::string> parts = firstArguments(names, differing);
  for (std::string &part : parts)
    part = StringRef(part).ltrim(':'); // of a namespace without a name
  if (std::set(parts.begin(), parts.end()).size() == names.size())
    return parts;
  constexpr size_t longest = 60;
  for (size_t i = 0; i < names.size(); ++i) {
    StringRef name = names[i];
    StringRef part =
        name.size() > begin + end ? name.slice(begin, name.size() - end) : "";
    parts[i] = part.size() > longest ? (part.take_front(longest) + "...").str()
                                     : part.str();
  }
  return parts;
}

} // namespace warplint
