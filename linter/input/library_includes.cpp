#include "input/library_includes.h"
#include "input/kokkos_search.h"
#include "input/search_flags.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
namespace scan = clang::dependency_directives_scan;

namespace warplint {

namespace {

class Walk {
public:
  Walk(StringRef directory, ArrayRef<std::string> flags, const Buffers &buffers)
      : buffers_(buffers) {
    for (SearchFlag &flag : searchFlags(directory, flags))
      if (flag.name == "-I")
        folders_.push_back(std::move(flag.path));
      else if (flag.name == "-iquote")
        quoteFolders_.push_back(std::move(flag.path));
  }

  /// False if it cannot be told what comes behind the file.
  bool through(const std::string &file, bool isConditional = false) {
    if (!seen_.insert(file).second)
      return true;
    std::unique_ptr<MemoryBuffer> text = readText(file, buffers_);
    SmallVector<scan::Token> tokens;
    SmallVector<scan::Directive> directives;
    if (!text || clang::scanSourceForDependencyDirectives(text->getBuffer(),
                                                          tokens, directives))
      return false;
    // Its own guard is no condition of what it holds.
    unsigned depth = isConditional;
    for (size_t i = guards(directives, text->getBuffer());
         i < directives.size(); ++i)
      if (!behind(directives[i], text->getBuffer(), file, depth))
        return false;
    return true;
  }

  LibraryIncludes found;

private:
  static StringRef textOf(const scan::Token &token, StringRef text) {
    return text.substr(token.Offset, token.Length);
  }

  static StringRef nameIn(const scan::Directive &directive, StringRef text) {
    return directive.Tokens.size() < 3 ? "" : textOf(directive.Tokens[2], text);
  }

  /// How many directives it begins with that keep it from being read twice.
  static unsigned guards(ArrayRef<scan::Directive> directives, StringRef text) {
    const bool isGuarded =
        directives.size() > 2 && directives[0].Kind == scan::pp_ifndef &&
        directives[1].Kind == scan::pp_define &&
        nameIn(directives[0], text) == nameIn(directives[1], text);
    return isGuarded ? 2 : 0;
  }

  bool behind(const scan::Directive &directive, StringRef text,
              const std::string &file, unsigned &depth) {
    switch (directive.Kind) {
    case scan::pp_if:
    case scan::pp_ifdef:
    case scan::pp_ifndef:
      ++depth;
      return true;
    case scan::pp_endif:
      depth -= depth > 0; // else it is the guard's
      return true;
    case scan::pp_elif:
    case scan::pp_elifdef:
    case scan::pp_elifndef:
    case scan::pp_else:
    case scan::pp_pragma_once:
    case scan::tokens_present_before_eof:
    case scan::pp_eof:
      return true;
    case scan::pp_define:
    case scan::pp_undef:
      found.macros.push_back(nameIn(directive, text).str());
      return true;
    case scan::pp_include:
      for (const scan::Token &token : directive.Tokens)
        if (StringRef name = textOf(token, text);
            name.size() > 2 && (name.front() == '<' || name.front() == '"'))
          return behindInclude(name.drop_front().drop_back().str(),
                               name.front() == '"', file, depth > 0);
      return false; // a macro names it
    default:
      return false;
    }
  }

  bool behindInclude(const std::string &name, bool isQuoted,
                     const std::string &file, bool isConditional) {
    std::optional<std::string> users = find(name, isQuoted, file);
    const bool isLibrary =
        !isQuoted && (!users || isKokkosHeader(sys::path::filename(name)));
    if (!isLibrary) // one that is nowhere may not be wanted here
      return users ? through(*users, isConditional) : isConditional;
    if (!isConditional && !is_contained(found.headers, name)) {
      found.headers.push_back(name);
      found.macrosBefore.push_back(found.macros.size());
    }
    return true;
  }

  /// Where the user's own folders have it.
  std::optional<std::string> find(StringRef name, bool isQuoted,
                                  StringRef file) const {
    std::vector<std::string> folders;
    if (isQuoted) {
      folders.push_back(sys::path::parent_path(file).str());
      append_range(folders, quoteFolders_);
    }
    append_range(folders, folders_);
    for (const std::string &folder : folders)
      if (std::string path = plainPathIn(folder, name);
          buffers_.count(path) || sys::fs::is_regular_file(path))
        return path;
    return std::nullopt;
  }

  const Buffers &buffers_;
  std::vector<std::string> folders_, quoteFolders_;
  std::set<std::string> seen_;
};

} // namespace

LibraryIncludes libraryIncludes(const std::string &source, StringRef directory,
                                ArrayRef<std::string> flags,
                                const Buffers &buffers) {
  Walk walk(directory, flags, buffers);
  walk.through(pathIn(directory, source));
  return std::move(walk.found);
}

} // namespace warplint
