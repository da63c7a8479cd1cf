#include "run/undefined_macros.h"
#include "base/folders.h"
#include "base/plural.h"
#include "input/buffers.h"
#include "input/cuda_switch.h"
#include "input/database.h"
#include "input/files_below.h"
#include "input/source_text.h"
#include "input/walk.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>

namespace warplint {

namespace path = llvm::sys::path;

namespace {

struct Undeclared {
  std::string name;
  bool isType = false; ///< -DREAL=float
};

bool isMacroName(llvm::StringRef name) {
  return name.size() > 1 && llvm::isUpper(name.front()) &&
         llvm::all_of(name, [](char c) {
           return llvm::isUpper(c) || llvm::isDigit(c) || c == '_';
         });
}

/// Returns the name that an error says is unknown; none if it says so of none.
Undeclared undeclaredIn(llvm::StringRef error) {
  const bool isType = error.consume_front("unknown type name '");
  if (!isType && !error.consume_front("use of undeclared identifier '"))
    return {};
  return {error.split('\'').first.str(), isType};
}

/// An absolute name is of a system's header, which declares no project's
/// macros.
bool isMissingHeader(const ParseError &error) {
  llvm::StringRef name = error.text;
  return name.contains("file not found") && name.consume_front("'") &&
         !path::is_absolute(name);
}

bool isPartOfName(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Returns true where a text seems to declare or define a name: `#define N`,
/// `int N = 3`, `enum { N = 1 }`, `typedef float N;`.
bool declares(llvm::StringRef text, const Undeclared &macro) {
  const llvm::StringRef name = macro.name;
  for (size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1)) {
    llvm::StringRef before = text.take_front(at);
    llvm::StringRef behind = text.drop_front(at + name.size());
    if ((!before.empty() && isPartOfName(before.back())) ||
        (!behind.empty() && isPartOfName(behind.front())))
      continue;
    before = before.rtrim(" \t");
    behind = behind.ltrim(" \t");
    for (llvm::StringRef word :
         {"define", "class", "typename", "struct", "enum"})
      if (before.ends_with(word))
        return true;
    if ((behind.starts_with("=") && !behind.starts_with("==")) ||
        (macro.isType && behind.starts_with(";")))
      return true;
  }
  return false;
}

bool isCode(llvm::StringRef file) {
  return isHeader(file) || isCudaSource(file) || isCxxSource(file) ||
         llvm::is_contained(
             llvm::ArrayRef<llvm::StringRef>{".c", ".inc", ".inl", ".in"},
             path::extension(file));
}

/// Leaves the names that no file of a project declares. Leaves none where the
/// project cannot be searched whole.
void eraseDeclared(std::vector<Undeclared> &macros, llvm::StringRef project) {
  const bool isWhole = forEachFileBelow(
      project, [&](const llvm::sys::fs::directory_entry &file) {
        if (macros.empty() || !isCode(file.path()))
          return;
        if (auto text = readText(file.path(), {}))
          llvm::erase_if(macros, [&](const Undeclared &macro) {
            return declares(text->getBuffer(), macro);
          });
      });
  if (!isWhole)
    macros.clear();
}

struct Declaration {
  unsigned line = 0;     ///< 0: there is none
  std::string condition; ///< empty if it is behind none
};

/// Returns the first declaration of a name outside of all braces, where it is a
/// macro, a `typedef` or a `using`.
Declaration declarationIn(llvm::StringRef text, llvm::StringRef name) {
  if (!text.contains(name))
    return {};
  const std::string code = SourceText(text).code();
  int depth = 0;
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(code, '\n')) {
    ++number;
    const size_t begin = line.data() - code.data();
    const llvm::StringRef written = line.trim();
    llvm::StringRef last = written, macro = written;
    const bool isTypedef = written.starts_with("typedef ") &&
                           last.consume_back(";") && last.consume_back(name) &&
                           !last.empty() && !isPartOfName(last.back());
    const bool isMacro =
        macro.consume_front("#") &&
        (macro = macro.ltrim(), macro.consume_front("define ")) &&
        macro.ltrim().split(' ').first == name;
    llvm::StringRef alias = written;
    const bool isAlias = alias.consume_front("using ") &&
                         alias.consume_front(name) &&
                         alias.ltrim().starts_with("=");
    if (depth == 0 && (isTypedef || isMacro || isAlias))
      return {number, conditionAround(text, begin)};
    depth += int(line.count('{')) - int(line.count('}'));
  }
  return {};
}

/// Returns the names that errors of a source say are unknown.
std::set<std::string> undeclaredIn(const SourceOutline &outline) {
  std::set<std::string> names;
  for (const ParseError &error : outline.errors)
    names.insert(undeclaredIn(error.text).name);
  for (const DroppedKernel &kernel : outline.notRead)
    names.insert(undeclaredIn(kernel.error.text).name);
  names.erase("");
  return names;
}

/// "-DPRECISION=2" of `#if PRECISION == 2`, "-DWIDE" of `#ifdef WIDE`.
std::string flagFor(llvm::StringRef condition) {
  auto word = [](llvm::StringRef text) {
    return text.take_while(isPartOfName);
  };
  condition.consume_front("#");
  auto [directive, rest] = condition.ltrim().split(' ');
  const WantedMacros wanted = macrosWanted(directive, rest);
  if (wanted.names.size() == 1 && wanted.unwanted.empty())
    return "-D" + wanted.names.front();
  const auto [left, right] = rest.split(rest.contains(">=") ? ">=" : "==");
  const llvm::StringRef name = left.trim(" \t("), value = right.trim(" \t)");
  return !name.empty() && !value.empty() && word(name) == name &&
                 word(value) == value
             ? ("-D" + name + "=" + value).str()
             : "-DNAME";
}

/// Returns true for a condition that asks for a macro: `#if 0` asks for none.
bool asksForMacro(llvm::StringRef condition) {
  condition.consume_front("#");
  const llvm::StringRef asked = condition.ltrim().drop_while(llvm::isAlpha);
  return llvm::any_of(asked,
                      [](char c) { return llvm::isAlpha(c) || c == '_'; });
}

} // namespace

void noteHiddenDeclarations(const Outcomes &outcomes,
                            const std::set<std::string> &parts,
                            Report &report) {
  constexpr size_t most = 8; // names, each of which is searched for
  std::set<std::string> seen;
  for (const SourceOutcome &source : outcomes.sources) {
    if (!source.isBare || parts.count(source.source))
      continue;
    for (const std::string &name : undeclaredIn(source.outline)) {
      if (seen.size() == most || !seen.insert(name).second)
        continue;
      for (const std::string &file : source.outline.userFiles) {
        const auto text = readText(file, {});
        if (!text)
          continue;
        const Declaration hidden = declarationIn(text->getBuffer(), name);
        if (!asksForMacro(hidden.condition))
          continue;
        report.notes.push_back(
            "'" + name + "' is declared at " + path::filename(file).str() +
            ":" + std::to_string(hidden.line) + " behind '" + hidden.condition +
            "', which no flag meets: '-- " + flagFor(hidden.condition) +
            "' meets it");
        return;
      }
    }
  }
}

void noteUndefinedMacros(const Outcomes &outcomes,
                         const std::set<std::string> &parts, Report &report) {
  std::map<std::string, std::vector<Undeclared>> byProject;
  for (const SourceOutcome &source : outcomes.sources) {
    const SourceOutline &outline = source.outline;
    if (!source.isBare || parts.count(source.source) ||
        llvm::any_of(outline.errors, isMissingHeader))
      continue;
    auto note = [&](const ParseError &error) {
      Undeclared macro = undeclaredIn(error.text);
      if (!isMacroName(macro.name))
        return;
      auto &macros = byProject[projectOf(path::parent_path(source.source))];
      if (llvm::none_of(macros, [&](const Undeclared &other) {
            return other.name == macro.name;
          }))
        macros.push_back(std::move(macro));
    };
    llvm::for_each(outline.errors, note);
    for (const DroppedKernel &kernel : outline.notRead)
      note(kernel.error);
  }
  std::vector<std::string> names;
  for (auto &[project, macros] : byProject) {
    eraseDeclared(macros, project);
    for (const Undeclared &macro : macros)
      if (!llvm::is_contained(names, macro.name))
        names.push_back(macro.name);
  }
  if (names.empty())
    return;
  constexpr size_t most = 3;
  const size_t left = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - left);
  report.notes.push_back(
      "no file of the project defines '" +
      llvm::join(names, left ? "', '" : "' and '") + "'" +
      (left ? " and " + counted(left, "more name") : "") + ": '-- -D" +
      llvm::join(names, "=... -D") + "=...' defines " +
      (names.size() == 1 ? "it" : "them") +
      " as a build may, and '-p BUILD' takes a build's flags");
}

void noteHeadersToInclude(const Outcomes &outcomes,
                          const std::set<std::string> &parts, Report &report) {
  constexpr size_t most = 8; // names, each of which is searched for
  using Sources = std::vector<const SourceOutcome *>;
  std::map<std::string, std::map<std::string, Sources>> byProject; // by name
  for (const SourceOutcome &source : outcomes.sources)
    if (source.isBare && !parts.count(source.source) &&
        llvm::none_of(source.outline.errors, isMissingHeader))
      for (const std::string &name : undeclaredIn(source.outline)) {
        auto &names = byProject[projectOf(path::parent_path(source.source))];
        if (names.size() < most || names.count(name))
          names[name].push_back(&source);
      }
  std::string name, header;
  Sources users;
  for (const auto &[project, names] : byProject) {
    std::map<std::string, std::vector<std::string>> headers; // by name
    const bool isWhole = forEachFileBelow(
        project, [&](const llvm::sys::fs::directory_entry &file) {
          if (!isHeader(file.path()))
            return;
          if (auto text = readText(file.path(), {}))
            for (const auto &[sought, sources] : names)
              if (declarationIn(text->getBuffer(), sought).line)
                headers[sought].push_back(file.path());
        });
    for (const auto &[declared, in] : headers) {
      const Sources &sources = names.at(declared);
      if (!isWhole || in.size() != 1 || sources.size() <= users.size() ||
          llvm::any_of(sources, [&](const SourceOutcome *source) {
            return source->outline.userFiles.count(in.front());
          }))
        continue;
      name = declared;
      header = in.front();
      users = sources;
    }
  }
  if (users.empty())
    return;
  const std::string shown = shownPath(header, currentFolder()).str();
  report.notes.push_back(
      "'" + name + "' is declared in '" + shown + "', which " +
      path::filename(users.front()->source).str() +
      (users.size() > 1
           ? " and " + counted(users.size() - 1, "more source") + " do"
           : " does") +
      " not include: '-- -include " + shown + "' does, as a build may");
}

} // namespace warplint
