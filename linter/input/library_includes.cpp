#include "input/library_includes.h"
#include "input/include_graph.h"
#include "input/kokkos_search.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

std::vector<std::string> libraryIncludes(const std::string &source,
                                         StringRef directory,
                                         ArrayRef<std::string> flags,
                                         IncludeGraph &graph) {
  IncludeFolders folders = includeFolders(directory, flags);
  folders.forced.clear(); // their headers come before a precompiled header's
  std::vector<std::string> found;
  graph.follow(
      pathIn(directory, source), folders, flags,
      [&](const IncludeGraph::Inclusion &include) {
        const Directive &directive = include.directive;
        if (directive.kind != Directive::Include)
          return false;
        if (directive.isQuoted ||
            (!include.found.empty() &&
             !isKokkosHeader(sys::path::filename(directive.name))))
          return true;
        if (include.isCertain && !is_contained(found, directive.name))
          found.push_back(directive.name);
        return false;
      });
  return found;
}

static constexpr llvm::StringLiteral names[] = {
    "assert.h",    "errno.h",   "float.h",  "inttypes.h", "limits.h",
    "math.h",      "pthread.h", "stdarg.h", "stdbool.h",  "stddef.h",
    "stdint.h",    "stdio.h",   "stdlib.h", "string.h",   "sys/time.h",
    "sys/types.h", "time.h",    "unistd.h"};

llvm::ArrayRef<llvm::StringLiteral> headersOfC() { return names; }

bool isHeaderOfC(llvm::StringRef header) {
  return llvm::is_contained(names, header);
}

} // namespace warplint
