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

  /// False if the file's effect on what follows it is not known.
  bool visit(const std::string &file, bool isConditional = false) {
    if (!seen_.insert(file).second)
      return true;
    const ScannedFile &scanned = graph_.scan(file);
    return scanned.isReadable &&
           all_of(scanned.directives, [&](const Directive &directive) {
             return visitDirective(directive, file,
                                   isConditional || directive.isConditional);
           });
  }

  LibraryIncludes found;

private:
  bool visitDirective(const Directive &directive, const std::string &file,
                      bool isConditional) {
    if (directive.kind == Directive::Macro)
      found.macros.push_back(directive.name);
    else if (directive.kind == Directive::Include)
      return visitInclude(directive, file, isConditional);
    return directive.kind == Directive::Macro;
  }

  bool visitInclude(const Directive &include, const std::string &file,
                    bool isConditional) {
    const std::string projects = graph_.find(include, file, folders_);
    const bool isLibrary =
        !include.isQuoted &&
        (projects.empty() || isKokkosHeader(sys::path::filename(include.name)));
    if (!isLibrary) // a conditional include may name a file that is nowhere
      return projects.empty() ? isConditional : visit(projects, isConditional);
    if (!isConditional && !is_contained(found.headers, include.name)) {
      found.headers.push_back(include.name);
      found.macrosBefore.push_back(found.macros.size());
    }
    return true;
  }

  IncludeGraph graph_;
  const IncludeFolders folders_;
  std::set<std::string> seen_;
};

} // namespace

LibraryIncludes libraryIncludes(const std::string &source, StringRef directory,
                                ArrayRef<std::string> flags,
                                const Buffers &buffers) {
  Walk walk(directory, flags, buffers);
  walk.visit(pathIn(directory, source));
  return std::move(walk.found);
}

} // namespace warplint
