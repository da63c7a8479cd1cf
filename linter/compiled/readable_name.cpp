#include "compiled/readable_name.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <cstdlib>

using namespace llvm;

namespace warplint {
namespace {

/// LLVM counts the lambdas of a function 'lambda', 'lambda0', 'lambda1'.
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

/// nvcc -rdc=true puts the file before the name of what is static, and a hash
/// of it into a namespace of its own.
StringRef withoutStaticPrefix(StringRef name) {
  size_t at =
      name.starts_with("__nv_static_") ? name.find("__Z") : StringRef::npos;
  return at == StringRef::npos ? name : name.drop_front(at + 1);
}

std::string withoutInternalNamespace(std::string name) {
  static const Regex hash("_INTERNAL_[A-Za-z0-9_]+::");
  while (hash.match(name))
    name = hash.sub("", name);
  return name;
}

/// The end of the template argument that `text` begins with.
size_t endOfArgument(StringRef text) {
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

/// What Kokkos' driver class dispatches: `Kokkos::Impl::ParallelFor<F, ...>` to
/// "Kokkos::parallel_for<F>".
std::string ofKokkos(StringRef name) {
  for (auto [driver, dispatch] :
       {std::pair("ParallelFor<", "parallel_for<"),
        std::pair("ParallelReduce<", "parallel_reduce<"),
        std::pair("ParallelScan<", "parallel_scan<"),
        std::pair("ParallelScanWithTotal<", "parallel_scan<")}) {
    size_t at = name.find(std::string("Kokkos::Impl::") + driver);
    if (at == StringRef::npos)
      continue;
    StringRef rest =
        name.drop_front(at + strlen("Kokkos::Impl::") + strlen(driver));
    StringRef functor = rest.take_front(endOfArgument(rest));
    // A reduction wraps what it was given.
    if (functor.consume_front("Kokkos::Impl::CombinedFunctorReducer<"))
      functor = functor.take_front(endOfArgument(functor));
    return (Twine("Kokkos::") + dispatch + functor + ">").str();
  }
  return name.str();
}

} // namespace

std::string shortKernelName(StringRef name) {
  std::string whole = withShortPlaces(name);
  constexpr StringRef unnamed = "(anonymous namespace)::";
  for (size_t at; (at = whole.find(unnamed)) != std::string::npos;)
    whole.erase(at, unnamed.size());
  if (name.contains("Kokkos::Impl::cuda_parallel_launch") ||
      name.contains("Kokkos::Impl::hip_parallel_launch"))
    return ofKokkos(whole);
  return whole;
}

std::string readableKernelName(StringRef mangled) {
  const std::string kept =
      withoutStaticPrefix(mangled).str(); // the demangler points into it
  ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(kept.c_str()) || !demangler.isFunction())
    return kept;
  char *name = demangler.getFunctionName(nullptr, nullptr);
  std::string result = name ? name : kept;
  std::free(name);
  return shortKernelName(
      withNumberedLambdas(withoutInternalNamespace(std::move(result))));
}

} // namespace warplint
