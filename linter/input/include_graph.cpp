#include "input/include_graph.h"
#include "base/regular_file.h"
#include "input/cuda_switch.h"
#include "input/database.h"
#include "input/known_macros.h"
#include "input/search_flags.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace scan = clang::dependency_directives_scan;

namespace warplint {
namespace {

StringRef spellingOf(const scan::Token &token, StringRef text) {
  return text.substr(token.Offset, token.Length);
}

/// The word behind the name of a directive, such as the macro of #define.
std::string wordOf(const scan::Directive &directive, StringRef text) {
  return directive.Tokens.size() < 3
             ? ""
             : spellingOf(directive.Tokens[2], text).str();
}

/// The words behind the name of a directive from the token `first` on, each
/// after a blank but the first.
std::string argumentOf(const scan::Directive &directive, StringRef text,
                       size_t first = 2) {
  std::string argument;
  for (size_t i = first; i < directive.Tokens.size(); ++i) {
    if (i > first)
      argument += ' ';
    argument += spellingOf(directive.Tokens[i], text);
  }
  return StringRef(argument).trim().str();
}

bool hasIncludeGuard(ArrayRef<scan::Directive> directives, StringRef text) {
  return directives.size() > 2 && directives[0].Kind == scan::pp_ifndef &&
         directives[1].Kind == scan::pp_define &&
         wordOf(directives[0], text) == wordOf(directives[1], text);
}

Directive includeIn(const scan::Directive &directive, StringRef text) {
  for (const scan::Token &token : directive.Tokens)
    if (StringRef name = spellingOf(token, text);
        name.size() > 2 && (name.front() == '<' || name.front() == '"'))
      return {directive.Kind == scan::pp_include ? Directive::Include
                                                 : Directive::OtherInclude,
              name.drop_front().drop_back().str(), name.front() == '"'};
  return {Directive::MacroInclude, ""};
}

/// The conditions around a directive.
class Conditions {
public:
  explicit Conditions(StringRef text) : text_(text) {}

  /// Takes the next directive; returns true if Clang certainly skips it.
  bool skip(const scan::Directive &directive) {
    switch (directive.Kind) {
    case scan::pp_if:
    case scan::pp_ifdef:
    case scan::pp_ifndef:
      levels_.push_back(levelOf(directive));
      return false;
    case scan::pp_elif:
    case scan::pp_elifdef:
    case scan::pp_elifndef:
    case scan::pp_else:
      if (!levels_.empty())
        levels_.back() = levelOf(directive);
      return false;
    case scan::pp_endif:
      if (!levels_.empty()) // else it ends the include guard
        levels_.pop_back();
      return false;
    default:
      return is_contained(levels_, Never);
    }
  }
  bool any() const { return !levels_.empty(); }

private:
  enum Level { Open, Never };

  Level levelOf(const scan::Directive &directive) const {
    if (directive.Tokens.size() < 3) // #else
      return Open;
    const WantedMacros wanted = macrosWanted(
        spellingOf(directive.Tokens[1], text_), argumentOf(directive, text_));
    return wanted.isAny && wanted.names.size() == 1 &&
                   isNeverDefined(wanted.names[0])
               ? Never
               : Open;
  }

  StringRef text_;
  SmallVector<Level> levels_; ///< of the conditions that are open
};

/// Returns the condition of an #if or #elif, or of their other forms in the
/// same words.
std::string conditionOf(const scan::Directive &directive, StringRef text) {
  const std::string word = wordOf(directive, text);
  switch (directive.Kind) {
  case scan::pp_ifdef:
  case scan::pp_elifdef:
    return "defined(" + word + ")";
  case scan::pp_ifndef:
  case scan::pp_elifndef:
    return "!defined(" + word + ")";
  default:
    return argumentOf(directive, text);
  }
}

std::optional<ConditionStep::Kind> stepOf(scan::DirectiveKind kind) {
  switch (kind) {
  case scan::pp_if:
  case scan::pp_ifdef:
  case scan::pp_ifndef:
    return ConditionStep::If;
  case scan::pp_elif:
  case scan::pp_elifdef:
  case scan::pp_elifndef:
    return ConditionStep::ElseIf;
  case scan::pp_else:
    return ConditionStep::Else;
  case scan::pp_endif:
    return ConditionStep::EndIf;
  default:
    return std::nullopt;
  }
}

Directive macroIn(const scan::Directive &directive, StringRef text) {
  Directive macro{Directive::Macro, wordOf(directive, text)};
  // The parenthesis of parameters follows the name without a blank.
  if (directive.Kind == scan::pp_define && directive.Tokens.size() > 2 &&
      !(directive.Tokens.size() > 3 &&
        spellingOf(directive.Tokens[3], text) == "(" &&
        directive.Tokens[2].getEnd() == directive.Tokens[3].Offset))
    macro.value = argumentOf(directive, text, /*first=*/3);
  return macro;
}

/// Fills what the directives of `text` say, which ends in a null, as the
/// scanner wants it.
void readDirectives(StringRef text, ScannedFile &file) {
  SmallVector<scan::Token> tokens;
  SmallVector<scan::Directive> scanned;
  if (clang::scanSourceForDependencyDirectives(text, tokens, scanned)) {
    file.directives = {{Directive::MacroInclude, ""}}; // it may include anything
    return;
  }
  const bool isGuarded = hasIncludeGuard(scanned, text);
  if (isGuarded)
    file.guard = wordOf(scanned[0], text);
  Conditions conditions(text);
  size_t open = 0; // conditions
  for (const scan::Directive &directive :
       drop_begin(scanned, isGuarded ? 2 : 0)) {
    if (const auto step = stepOf(directive.Kind)) {
      open += *step == ConditionStep::If;
      if (open) // else it is of the include guard
        file.conditions.push_back(
            {*step,
             *step <= ConditionStep::ElseIf ? conditionOf(directive, text) : "",
             file.directives.size()});
      open -= open && *step == ConditionStep::EndIf;
    }
    if (conditions.skip(directive))
      continue;
    const size_t before = file.directives.size();
    switch (directive.Kind) {
    case scan::pp_pragma_once:
      file.isOnce = true;
      break;
    case scan::pp_if:
    case scan::pp_ifdef:
    case scan::pp_ifndef:
    case scan::pp_endif:
    case scan::pp_elif:
    case scan::pp_elifdef:
    case scan::pp_elifndef:
    case scan::pp_else:
    case scan::tokens_present_before_eof:
    case scan::pp_eof:
      break;
    case scan::pp_define:
    case scan::pp_undef:
      file.directives.push_back(macroIn(directive, text));
      break;
    case scan::pp_include:
    case scan::pp_include_next:
    case scan::pp_import:
    case scan::pp___include_macros:
      file.directives.push_back(includeIn(directive, text));
      break;
    default:
      file.directives.push_back({Directive::Other, ""});
    }
    if (file.directives.size() > before)
      file.directives.back().isConditional = conditions.any();
  }
}

} // namespace

IncludeFolders includeFolders(StringRef directory,
                              ArrayRef<std::string> flags) {
  IncludeFolders folders;
  for (SearchFlag &flag : searchFlags(directory, flags))
    (flag.name == "-I"                                    ? folders.project
     : flag.name == "-iquote"                             ? folders.quoted
     : flag.name == "-include" || flag.name == "-imacros" ? folders.forced
                                                          : folders.system)
        .push_back(std::move(flag.path));
  return folders;
}

const ScannedFile &IncludeGraph::scan(const std::string &file) {
  auto [place, isNew] = files_.try_emplace(file);
  ScannedFile &scanned = place->second;
  if (!isNew)
    return scanned;
  static const Buffers none;
  const auto text = readText(file, buffers_ ? *buffers_ : none, wasRead_);
  if (!text)
    return scanned;
  scanned.isReadable = true;
  scanned.bytes = text->getBufferSize();
  scanned.usesKokkos = text->getBuffer().contains("Kokkos::") ||
                       text->getBuffer().contains("KOKKOS_");
  scanned.mentionsKokkos =
      scanned.usesKokkos || text->getBuffer().contains("Kokkos");
  scanned.hasKernels = hasKernels(text->getBuffer());
  scanned.launches = scanned.hasKernels && text->getBuffer().contains("<<<");
  scanned.cudaSwitches = cudaSwitchesIn(text->getBuffer());
  readDirectives(text->getBuffer(), scanned);
  return scanned;
}

std::string IncludeGraph::find(const Directive &include, StringRef file,
                               const IncludeFolders &folders) const {
  auto isThere = [&](const std::string &path) {
    return (buffers_ && buffers_->count(path)) ||
           sys::fs::is_regular_file(path);
  };
  if (include.isQuoted) {
    if (std::string path =
            plainPathIn(sys::path::parent_path(file), include.name);
        isThere(path))
      return path;
    for (const std::string &folder : folders.quoted)
      if (std::string path = plainPathIn(folder, include.name); isThere(path))
        return path;
  }
  for (const std::string &folder : folders.project)
    if (std::string path = plainPathIn(folder, include.name); isThere(path))
      return path;
  return "";
}

const std::vector<std::string> &
IncludeGraph::includedBy(const std::string &file, const ScannedFile &scanned,
                         const IncludeFolders &folders, Edges &edges) const {
  auto [place, isNew] = edges.try_emplace(file);
  if (isNew)
    for (const Directive &directive : scanned.directives)
      place->second.push_back(directive.isInclude() && !directive.name.empty()
                                  ? find(directive, file, folders)
                                  : "");
  return place->second;
}

bool IncludeGraph::walk(const std::string &source,
                        const IncludeFolders &folders, Seen &seen,
                        function_ref<bool(const ScannedFile &)> visit) {
  Edges &edges = edges_[folders];
  if (!seen.insert(source).second)
    return false;
  std::vector<std::string> left{source};
  while (!left.empty()) {
    const std::string file = std::move(left.back());
    left.pop_back();
    const ScannedFile &scanned = scan(file);
    if (visit(scanned))
      return true;
    for (const std::string &included :
         includedBy(file, scanned, folders, edges))
      if (!included.empty() && seen.insert(included).second)
        left.push_back(included);
  }
  return false;
}

bool IncludeGraph::reaches(const std::string &source,
                           const IncludeFolders &folders,
                           function_ref<bool(const ScannedFile &)> isWanted) {
  Seen seen;
  return walk(source, folders, seen, isWanted);
}

IncludeGraph::Seen IncludeGraph::reached(const std::string &source,
                                         const IncludeFolders &folders) {
  Seen seen;
  const auto none = [](const ScannedFile &) { return false; };
  walk(source, folders, seen, none);
  for (const std::string &file : folders.forced)
    walk(file, folders, seen, none);
  return seen;
}

struct IncludeGraph::Followed {
  const IncludeFolders &folders;
  Edges &edges;
  KnownMacros macros;
  function_ref<bool(const Inclusion &)> visit;
  Seen seen = {};
  unsigned depth = 0;
  /// Files without a guard that include each other grow without a limit.
  unsigned left = 200'000; ///< the directives that may still be followed
};

namespace {

/// The conditions around a place in a file, as far as macros decide them.
class Branches {
public:
  enum State { Skipped, Unknown, Taken };

  State state() const {
    return open_.empty() ? Taken : std::min(open_.back().outer, inner());
  }

  /// `next` is the directive behind it, if there is one.
  void take(const ConditionStep &step, const KnownMacros &macros,
            const Directive *next) {
    if (step.kind == ConditionStep::If)
      open_.push_back({state(), Skipped, false, false});
    if (open_.empty())
      return;
    Branch &branch = open_.back();
    if (step.kind == ConditionStep::EndIf) {
      open_.pop_back();
      return;
    }
    const bool isElse = step.kind == ConditionStep::Else;
    const std::optional<bool> holds =
        branch.outer == Skipped                      ? false
        : isElse || isOwnDefault(step, macros, next) ? true
                                                     : macros.holds(step.condition);
    branch.now = branch.wasTaken || holds == false ? Skipped
                 : branch.wasUnknown || !holds     ? Unknown
                                                   : Taken;
    branch.wasTaken |= branch.now == Taken;
    branch.wasUnknown |= branch.now == Unknown;
  }

private:
  struct Branch {
    State outer, now;
    bool wasTaken, wasUnknown; ///< up to here
  };

  State inner() const { return open_.back().now; }

  /// `#ifndef _A` before `#define _A`: an include guard, whatever its name is.
  static bool isOwnDefault(const ConditionStep &step, const KnownMacros &macros,
                           const Directive *next) {
    return next && next->kind == Directive::Macro && next->value &&
           step.condition == "!defined(" + next->name + ")" &&
           !macros.isNamed(next->name) && !macros.isDefined(next->name);
  }

  SmallVector<Branch> open_;
};

} // namespace

void IncludeGraph::follow(const std::string &file, Followed &state,
                          bool isCertain) {
  constexpr unsigned mostNested = 100;
  const ScannedFile &scanned = scan(file);
  const bool isFirst = state.seen.insert(file).second;
  KnownMacros &macros = state.macros;
  if (state.depth >= mostNested || (!isFirst && scanned.isOnce))
    return;
  if (!scanned.guard.empty()) {
    if (!isFirst)
      return;
    macros.define(scanned.guard, "");
  }
  ++state.depth;
  Branches branches;
  auto step = scanned.conditions.begin();
  const std::vector<std::string> &included =
      includedBy(file, scanned, state.folders, state.edges);
  for (size_t i = 0; i < scanned.directives.size() && state.left; ++i) {
    const Directive &directive = scanned.directives[i];
    for (; step != scanned.conditions.end() && step->next <= i; ++step)
      branches.take(*step, macros, step->next == i ? &directive : nullptr);
    --state.left;
    const Branches::State here = branches.state();
    if (here == Branches::Skipped)
      continue;
    if (directive.kind == Directive::Macro) {
      if (here == Branches::Unknown || !isCertain)
        macros.forget(directive.name);
      else if (directive.value)
        macros.define(directive.name, *directive.value);
      else
        macros.undefine(directive.name);
    } else if (directive.isInclude()) {
      const bool isTaken = here == Branches::Taken;
      if (state.visit({directive, included[i], isTaken, isTaken && isCertain}) &&
          !included[i].empty())
        follow(included[i], state, isTaken && isCertain);
    }
  }
  --state.depth;
}

void IncludeGraph::follow(const std::string &source,
                          const IncludeFolders &folders,
                          ArrayRef<std::string> flags,
                          function_ref<bool(const Inclusion &)> visit) {
  Followed state{folders, edges_[folders], KnownMacros(flags), visit};
  for (const std::string &file : folders.forced)
    follow(file, state, /*isCertain=*/true);
  follow(source, state, /*isCertain=*/true);
}

std::set<std::string> IncludeGraph::missing(const std::string &source,
                                            const IncludeFolders &folders,
                                            ArrayRef<std::string> flags) {
  std::set<std::string> names;
  follow(source, folders, flags, [&](const Inclusion &include) {
    if (include.found.empty() && include.isTaken &&
        include.directive.kind == Directive::Include)
      names.insert(include.directive.name);
    return true;
  });
  return names;
}

/// Returns true if the directive of that index stands first behind an `#ifndef`
/// of the macro that it defines.
static bool isDefault(const ScannedFile &scanned, size_t index) {
  return any_of(scanned.conditions, [&](const ConditionStep &step) {
    return step.kind == ConditionStep::If && step.next == index &&
           step.condition == "!defined(" + scanned.directives[index].name + ")";
  });
}

std::set<std::string>
IncludeGraph::cudaSwitches(const std::string &source,
                           const IncludeFolders &folders) {
  std::set<std::string> asked, off;
  const Seen files = reached(source, folders);
  for (const std::string &file : files) {
    const std::set<std::string> &own = scan(file).cudaSwitches;
    asked.insert(own.begin(), own.end());
  }
  for (const std::string &file : files) {
    const ScannedFile &scanned = scan(file);
    for (size_t i = 0; i < scanned.directives.size(); ++i) {
      const Directive &directive = scanned.directives[i];
      if (directive.kind != Directive::Macro)
        continue;
      if (directive.value && StringRef(*directive.value).trim() == "0" &&
          isDefault(scanned, i))
        off.insert(directive.name);
      else
        asked.erase(directive.name);
    }
  }
  // SOLVER_GPU, with SOLVER_GPU_CUDA and SOLVER_GPU_HIP as its back ends.
  for (StringRef gpu : off)
    if (gpu.ends_with("_GPU") && asked.count((gpu + "_CUDA").str()))
      asked.insert(gpu.str());
  return asked;
}

uint64_t IncludeGraph::bytes(const std::string &source,
                             const IncludeFolders &folders, StringRef common) {
  auto [place, isNew] = common_.try_emplace({folders, common.str()});
  if (isNew) {
    Directive include{Directive::Include, common.str()};
    if (const std::string file = find(include, "", folders); !file.empty())
      walk(file, folders, place->second,
           [](const ScannedFile &) { return false; });
  }
  Seen seen = place->second;
  uint64_t sum = 0;
  walk(source, folders, seen, [&](const ScannedFile &file) {
    sum += file.bytes;
    return false;
  });
  return sum;
}

void IncludeGraph::forEachIncluded(const std::string &file,
                                   const IncludeFolders &folders,
                                   function_ref<void(std::string)> use) {
  for (const Directive &directive : scan(file).directives) {
    if (!directive.isInclude() || directive.name.empty())
      continue;
    auto tryIn = [&](StringRef folder) {
      // As it is spelt: a folder before ".." may be a link.
      if (std::string path = pathIn(folder, directive.name);
          sys::fs::exists(path))
        use(std::move(path));
    };
    tryIn(sys::path::parent_path(file));
    for (const auto *group :
         {&folders.quoted, &folders.project, &folders.system})
      for (const std::string &folder : *group)
        tryIn(folder);
  }
}

std::string IncludeGraph::firstPipe(const std::string &source,
                                    const IncludeFolders &folders,
                                    StringRef library) {
  // Headers that include each other by "../detail/a.h" give a file ever longer
  // paths, so links and dots are resolved in its folder. They are not in its
  // name: what a file that is a link includes lies beside the link.
  std::vector<std::string> left;
  std::set<std::string> seen;
  StringMap<std::string> canonical; // by folder: many files lie in each
  auto add = [&](StringRef path) {
    const StringRef spelt = sys::path::parent_path(path);
    auto [folder, isNew] = canonical.try_emplace(spelt);
    if (isNew)
      folder->second = canonicalPath(spelt);
    std::string file = pathIn(folder->second, sys::path::filename(path));
    if (seen.insert(file).second)
      left.push_back(std::move(file));
  };
  add(source);
  for_each(folders.forced, add);
  const std::string ofLibrary = canonicalPath(library);
  while (!left.empty()) {
    const std::string file = std::move(left.back());
    left.pop_back();
    if (!mayBeRead(file))
      return file;
    if (StringRef(file).starts_with("/usr/") ||
        StringRef(file).starts_with(ofLibrary))
      continue;
    forEachIncluded(file, folders, add);
  }
  return "";
}

bool IncludeGraph::mayRead(const std::string &source,
                           const IncludeFolders &folders,
                           const std::set<std::string> &files, StringRef root) {
  std::vector<std::string> left = {canonicalPath(source)};
  for (const std::string &file : folders.forced)
    left.push_back(canonicalPath(file));
  std::set<std::string> seen(left.begin(), left.end());
  while (!left.empty()) {
    const std::string file = std::move(left.back());
    left.pop_back();
    if (files.count(file))
      return true;
    // A macro in a library's header names one of the library's own files.
    if (StringRef(file).starts_with(root) &&
        any_of(scan(file).directives, [](const Directive &directive) {
          return directive.kind == Directive::MacroInclude;
        }))
      return true;
    forEachIncluded(file, folders, [&](std::string path) {
      if (path = canonicalPath(path); seen.insert(path).second)
        left.push_back(std::move(path));
    });
  }
  return false;
}

} // namespace warplint
