#include "input/library_includes.h"
#include "input/include_graph.h"
#include "input/kokkos_search.h"
#include "input/search_flags.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace warplint {

namespace {

/// Visits the directives of a source and of its project's headers in the order
/// in which Clang comes to them.
class Walk {
public:
  Walk(StringRef directory, ArrayRef<std::string> flags, const Buffers &buffers)
      : graph_(buffers), folders_(includeFolders(directory, flags)) {}

  void visit(const std::string &file, bool isConditional = false) {
    if (!seen_.insert(file).second)
      return;
    for (const Directive &directive : graph_.scan(file).directives)
      if (directive.kind == Directive::Include)
        visitInclude(directive, file, isConditional || directive.isConditional);
  }

  std::vector<std::string> found;

private:
  void visitInclude(const Directive &include, const std::string &file,
                    bool isConditional) {
    const std::string projects = graph_.find(include, file, folders_);
    const bool isLibrary =
        !include.isQuoted &&
        (projects.empty() || isKokkosHeader(sys::path::filename(include.name)));
    if (!isLibrary && !projects.empty())
      visit(projects, isConditional);
    else if (isLibrary && !isConditional && !is_contained(found, include.name))
      found.push_back(include.name);
  }

  IncludeGraph graph_;
  const IncludeFolders folders_;
  std::set<std::string> seen_;
};

} // namespace

std::vector<std::string> libraryIncludes(const std::string &source,
                                         StringRef directory,
                                         ArrayRef<std::string> flags,
                                         const Buffers &buffers) {
  Walk walk(directory, flags, buffers);
  walk.visit(pathIn(directory, source));
  return std::move(walk.found);
}

} // namespace warplint
