#include "base/kernel_name.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace llvm;

namespace warplint {

/// nvcc -rdc=true prefixes names with internal linkage with their file:
/// `__nv_static_25__324ca874_4_n_cu_18f5cf2a__Z4statPf`, where 25 is the length
/// of the file's part.
static StringRef withoutStaticPrefix(StringRef name) {
  StringRef rest = name;
  unsigned length = 0;
  if (!rest.consume_front("__nv_static_") || rest.consumeInteger(10, length) ||
      !rest.consume_front("_") || rest.size() <= length || rest[length] != '_')
    return name;
  return rest.drop_front(length + 1);
}

/// Clang -fgpu-rdc appends the hash of the file, nvcc the number of a clone.
static StringRef withoutSuffix(StringRef name) {
  for (StringRef mark :
       {"__intern__", "__static__", ".intern.", ".static.", "$"}) {
    size_t at = name.rfind(mark);
    if (at == StringRef::npos || at == 0)
      continue;
    StringRef tail = name.drop_front(at + mark.size());
    if (!tail.empty() && all_of(tail, isHexDigit))
      return name.take_front(at);
  }
  return name;
}

StringRef withoutFile(StringRef mangled) {
  return withoutSuffix(withoutStaticPrefix(mangled));
}

/// nvcc puts static functions other than kernels (such as template arguments
/// and the functions around lambdas) into a namespace
/// `_INTERNAL_<hash>_<file>_<hash>`.
std::string withoutInternalNamespace(StringRef name) {
  std::string result;
  while (!name.empty()) {
    auto [before, after] = name.split("_INTERNAL_");
    result += before;
    if (before.size() == name.size())
      break;
    StringRef rest =
        after.drop_while([](char c) { return isAlnum(c) || c == '_'; });
    bool inName =
        !before.empty() && (isAlnum(before.back()) || before.back() == '_');
    if (inName || !rest.consume_front("::")) {
      result += "_INTERNAL_";
      rest = after;
    }
    name = rest;
  }
  return result;
}

/// CUB and Thrust name a namespace after the architectures of the compilation:
/// `CUB_300001_SM_900`, `THRUST_300001_SM_800_900_NS`. warplint compiles for
/// one architecture at a time, so its names differ from the build's.
static std::string withoutArchitectures(StringRef name) {
  std::string result;
  while (!name.empty()) {
    auto [before, after] = name.split("_SM_");
    result += before;
    if (before.size() == name.size())
      break;
    StringRef library = before.rtrim("0123456789");
    name = after;
    if (!library.ends_with("CUB_") && !library.ends_with("THRUST_")) {
      result += "_SM_";
      continue;
    }
    do
      name = name.drop_while(isDigit);
    while (name.size() > 1 && name[0] == '_' && isDigit(name[1]) &&
           name.consume_front("_"));
  }
  return result;
}

size_t endOfTemplateArgument(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("<([{").contains(text[i]))
      ++depth;
    else if (StringRef(">)]}").contains(text[i]) && --depth < 0)
      return i;
    else if (text[i] == ',' && depth == 0)
      return i;
  }
  return text.size();
}

/// Up to 4.0, Kokkos wraps the functor of a reduction under nvcc only:
/// `CudaFunctorAdapter<Functor, Policy, Value, Tag>` instead of `Functor`.
static std::string withoutFunctorAdapter(StringRef name) {
  std::string result;
  constexpr StringRef adapter = "Kokkos::Impl::CudaFunctorAdapter<";
  for (size_t at; (at = name.find(adapter)) != StringRef::npos;) {
    result += name.take_front(at);
    name = name.drop_front(at + adapter.size());
    StringRef functor = name.take_front(endOfTemplateArgument(name));
    result += functor;
    name = name.drop_front(functor.size());
    while (name.consume_front(","))
      name = name.drop_front(endOfTemplateArgument(name));
    name.consume_front(">");
  }
  return result + name.str();
}

/// Returns where the parameters of a demangled function begin, its parenthesis
/// included: the text before may hold others, those of a lambda's function.
static size_t beginOfParameters(StringRef name) {
  if (!name.ends_with(")"))
    return StringRef::npos;
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')';
    depth -= name[i] == '(';
    if (depth == 0)
      return i;
  }
  return StringRef::npos;
}

/// nvcc drops the arguments of a variable template from the type of a parameter
/// (`std::conditional_t<std::is_same_v<T, int>, int, float> *`). Such a type is
/// a member of a template's instance. And nvcc writes a parameter pack as a
/// repetition of another type (`DpS4_`) where a lambda's function has as many
/// template parameters. The function's own template arguments tell its
/// instances apart.
static std::string withoutOddParameters(StringRef name, StringRef mangled) {
  const size_t begin = beginOfParameters(name);
  const bool ofTemplate =
      begin != StringRef::npos && begin > 0 && name[begin - 1] == '>';
  const bool isOdd = ofTemplate && (name.drop_front(begin).contains(">::") ||
                                    mangled.contains("Dp"));
  return isOdd ? (name.take_front(begin) + "(...)").str() : name.str();
}

/// nvcc writes parameters of a function template around a lambda as other
/// types, too: `upsweep<F>(int *)` as `upsweep<F>(F)`.
static std::string withoutParametersAroundLambdas(std::string name) {
  constexpr StringRef lambda = "::'lambda";
  for (size_t at = name.find(lambda); at != std::string::npos;
       at = name.find(lambda, at)) {
    const StringRef before = StringRef(name).take_front(at);
    const size_t begin = beginOfParameters(before);
    const bool ofTemplate =
        begin != StringRef::npos && begin > 0 && before[begin - 1] == '>';
    if (ofTemplate) {
      name.erase(begin, at - begin);
      at = begin;
    }
    at += lambda.size();
  }
  return name;
}

std::string normalisedKernelName(StringRef mangled) {
  StringRef name = withoutFile(mangled);
  if (!name.starts_with("_Z"))
    return name.str();
  return withoutOddParameters(
      withoutParametersAroundLambdas(withoutFunctorAdapter(
          withoutArchitectures(withoutInternalNamespace(demangle(name))))),
      name);
}

StringRef functionOfKey(StringRef key) {
  return key.take_until([](char c) { return c == '('; });
}

} // namespace warplint
