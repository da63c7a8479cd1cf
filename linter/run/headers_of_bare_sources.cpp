#include "run/headers_of_bare_sources.h"
#include "base/folders.h"
#include "base/plural.h"
#include "input/cmake_variables.h"
#include "input/database.h"
#include "input/export_header.h"
#include "input/files_below.h"
#include "input/generated_header.h"
#include "input/kokkos_search.h"
#include "input/library_includes.h"
#include "input/search_flags.h"
#include "input/walk.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Returns true for a header that the system or the toolkit has.
static bool isInstalled(llvm::StringRef header,
                        const std::optional<Toolkit> &toolkit) {
  std::vector<std::string> folders = {"/usr/include", "/usr/local/include",
                                      "/usr/include/x86_64-linux-gnu"};
  if (toolkit) {
    folders.push_back(toolkit->include);
    folders.push_back(toolkit->include + "/cccl");
  }
  return llvm::any_of(folders, [&](const std::string &folder) {
    return fs::exists(pathIn(folder, header));
  });
}

/// Returns true for a header that no project has: of Kokkos, which is searched
/// for by itself, or of the libraries of C and C++, some of which the compiler
/// brings along in a folder of its own. The C++ library's have no extension.
static bool needsNoSearch(llvm::StringRef header) {
  return !path::has_extension(header) || isKokkosHeader(header) ||
         path::is_absolute(header) || isHeaderOfC(header);
}

/// Returns true if '-I' with this folder would hide a header of the C library
/// from all that a source includes, as one with 'unistd.h' for Windows would.
static bool hidesLibrary(llvm::StringRef folder) {
  return llvm::any_of(headersOfC(), [&](llvm::StringRef name) {
    return fs::exists(pathIn(folder, name));
  });
}

/// Returns a folder that has nothing but an #include of `file` under the name
/// of the header; empty if there is no folder to write to.
std::string HeadersOfBareSources::folderOfInclude(llvm::StringRef header,
                                                  llvm::StringRef file) const {
  if (folder_.empty())
    return "";
  return writtenBelow(folder_,
                      {{header.str(), ("#include \"" + file + "\"\n").str()}});
}

/// Returns a folder to include a header from: `folder`, which has it, or one
/// that has nothing but an #include of it.
std::string
HeadersOfBareSources::folderThatHidesNothing(llvm::StringRef header,
                                             const std::string &folder) const {
  if (folder.empty() || !hidesLibrary(folder))
    return folder;
  const std::string made = folderOfInclude(header, pathIn(folder, header));
  return made.empty() ? folder : made;
}

/// Returns the folder of the project that a build copies a header from, as
/// heat-lib/include/ for <heat_lib/step.h>: the only one that has a file of
/// that name, below a folder of the name that the header is included from.
std::string HeadersOfBareSources::folderOfOriginal(llvm::StringRef header,
                                                   const Command &command) {
  auto lettersOf = [](llvm::StringRef name) {
    std::string letters = name.lower();
    llvm::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
    return letters;
  };
  const llvm::StringRef own = path::filename(path::parent_path(header));
  const ProjectFiles &files = files_.around(command);
  if (own.empty() || own.starts_with(".") || !files.isWhole())
    return "";
  const std::vector<llvm::StringRef> folders =
      files.foldersWith(path::filename(header));
  if (folders.size() != 1)
    return "";
  const std::string project = projectAround(command);
  llvm::StringRef inside = folders.front();
  inside.consume_front(project);
  for (auto part = path::begin(inside); part != path::end(inside); ++part)
    if (lettersOf(*part) == lettersOf(own))
      return folders.front().str();
  return "";
}

/// Returns true if a folder between the source's project and `folder`, or that
/// itself, has the files with which a library of its own begins.
static bool isInOwnLibrary(llvm::StringRef folder, const Command &command) {
  const std::string project = projectAround(command);
  for (; folder.size() > project.size() && !isBelow(command.source, folder);
       folder = path::parent_path(folder)) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end;
         !error && entry != end; entry.increment(error)) {
      const llvm::StringRef name = path::filename(entry->path());
      for (llvm::StringRef first :
           {"LICENSE", "LICENCE", "COPYING", "README", "configure"})
        if (name.starts_with_insensitive(first))
          return true;
    }
  }
  return false;
}

/// Returns the template that a CMake file of the project gives for a header, as
/// `configure_file(cmake/heat.hpp.in ${PROJECT_BINARY_DIR}/_heat.hpp)` does for
/// "_heat.hpp"; empty if none does.
std::string HeadersOfBareSources::configuredTemplate(llvm::StringRef header,
                                                     const Command &command) {
  const ProjectFiles &files = files_.around(command);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto [known, isNew] = configured_.try_emplace(projectAround(command));
  if (isNew)
    for (llvm::StringRef folder : files.foldersWith("CMakeLists.txt"))
      if (auto text = readText(pathIn(folder, "CMakeLists.txt"), {}))
        for (const CmakeCommand &each : commandsInCmake(text->getBuffer()))
          if (each.name == "configure_file" && each.words.size() >= 2)
            known->second.push_back(
                {folder.str(), each.words[0], each.words[1]});
  for (const Configured &each : known->second) {
    const llvm::StringRef made = each.made;
    if (made != header && !made.ends_with(("/" + header).str()))
      continue;
    llvm::StringRef from = each.from;
    if (!from.contains('$')) {
      // A project says nothing of files that are not its own.
      std::string file = plainPathIn(each.folder, from);
      if (isBelow(file, projectAround(command)) && fs::is_regular_file(file))
        return file;
      continue;
    }
    // Most variables stand for a folder of the project.
    from = from.drop_front(from.rfind('}') + 1);
    if (!from.consume_front("/") || from.contains('$'))
      continue;
    const std::vector<llvm::StringRef> folders = files.foldersWith(from);
    if (folders.size() == 1)
      return pathIn(folders.front(), from);
  }
  return "";
}

/// Returns the templates that a header may be made of, each as its folder and
/// its name, the likelier one first.
std::vector<std::pair<std::string, std::string>>
HeadersOfBareSources::templatesOf(llvm::StringRef header,
                                  const Command &command) {
  // A template may stand in the folder that the header is included from:
  // several have the name "config.h.in". A project without a folder of that
  // name generates no header in it: <boost/version.hpp> is another one's.
  std::vector<std::string> plain = templateNames(header);
  plain.push_back((path::stem(header) + ".in").str());
  std::vector<std::string> names;
  const llvm::StringRef own = path::parent_path(header);
  if (!own.empty())
    for (const std::string &name : plain)
      names.push_back(pathIn(own, name));
  if (own.empty() || files_.around(command).hasFolder(path::filename(own)))
    llvm::append_range(names, plain);
  std::vector<std::pair<std::string, std::string>> found;
  for (std::string &name : names)
    if (std::string in = files_.nearestWith(name, command, graphs_.get());
        !in.empty())
      found.emplace_back(std::move(in), std::move(name));
  if (found.empty())
    if (const std::string file = configuredTemplate(header, command);
        !file.empty())
      found.emplace_back(path::parent_path(file), path::filename(file));
  return found;
}

/// Returns true for an installed header that is another version of one of the
/// project: one that the project generates, or has if another one that it
/// generates is installed. Of a library that the project has a copy of, the
/// installed one is taken, as built there.
bool HeadersOfBareSources::isOwnOfProject(
    llvm::StringRef header, const Command &command,
    const std::optional<Toolkit> &toolkit) {
  auto isOwn = [&](llvm::StringRef folder) {
    return !folder.empty() && !isInOwnLibrary(folder, command);
  };
  if (llvm::any_of(templatesOf(header, command),
                   [&](const auto &found) { return isOwn(found.first); }))
    return true;
  const auto &templates = files_.around(command).templates();
  return isOwn(files_.nearestWith(header, command, graphs_.get())) &&
         llvm::any_of(templates, [&](llvm::StringRef file) {
           const llvm::StringRef folder = path::parent_path(file);
           const std::string made = headerOfTemplate(path::filename(file));
           return (isInstalled(made, toolkit) ||
                   isInstalled(pathIn(path::filename(folder), made),
                               toolkit)) &&
                  isOwn(folder);
         });
}

/// Returns true for a template of declarations, and no input of a program:
/// "heat.in" may be either.
static bool isTemplate(llvm::StringRef name, llvm::StringRef text) {
  return path::has_extension(path::stem(name)) || text.contains("#define") ||
         text.contains("#cmakedefine");
}

/// Returns the folder to include a header from that is made of a template;
/// empty if there is no such template, or no folder to write to. A template
/// must be nearer to the source than `other`, a folder that has the header, if
/// there is one: a build may have put it there, or it is another program's.
std::string HeadersOfBareSources::folderOfGenerated(llvm::StringRef header,
                                                    const Command &command,
                                                    llvm::StringRef other) {
  constexpr size_t longest = 1 << 20; // bytes
  if (folder_.empty())
    return "";
  for (const auto &[in, name] : templatesOf(header, command)) {
    auto text = readText(pathIn(in, name), {});
    if (!text || text->getBufferSize() > longest ||
        !isTemplate(name, text->getBuffer()) ||
        (!other.empty() && stepsTo(in, command) >= stepsTo(other, command)))
      continue;
    const CmakeVariables variables =
        CmakeVariables::of(cmakeFilesAbove(in, projectAround(command)));
    // What a compiler says of it names the user's file.
    const std::string from = pathIn(in, name);
    const bool isPlain = from.find_first_of("\"\\\n") == from.npos;
    const std::string made =
        (isPlain ? "#line 1 \"" + from + "\"\n" : "") +
        withConfigured(text->getBuffer(), [&](llvm::StringRef value) {
          return variables.valueOf(value);
        });
    const std::string folder = writtenBelow(folder_, {{header.str(), made}});
    if (folder.empty())
      return "";
    std::lock_guard<std::mutex> lock(mutex_);
    generated_.try_emplace(from, header);
    return folder;
  }
  return other.empty() ? folderOfExports(header, command) : "";
}

/// Returns the folder of a header that a CMake file of the project generates
/// for the visibility of a library; empty if none does.
std::string HeadersOfBareSources::folderOfExports(llvm::StringRef header,
                                                  const Command &command) {
  if (!path::filename(header).contains_insensitive("export"))
    return ""; // the files are read only where one may speak of it
  const std::string project = projectAround(command);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto [known, isNew] = exports_.try_emplace({project, header.str()});
  if (!isNew)
    return known->second;
  for (llvm::StringRef in :
       files_.around(command).foldersWith("CMakeLists.txt")) {
    const auto made = exportHeader(header, cmakeFilesAbove(in, project));
    if (!made)
      continue;
    known->second = writtenBelow(folder_, {{header.str(), *made}});
    if (!known->second.empty())
      generated_.try_emplace(pathIn(in, "CMakeLists.txt"), header);
    break;
  }
  return known->second;
}

void HeadersOfBareSources::addTo(Command &command,
                                 const std::optional<Toolkit> &toolkit) {
  if (!command.isBare || isPtxText(command.source))
    return;
  std::set<std::string> generated;             ///< folders
  std::map<std::string, std::string> original; ///< folders, by those made
  for (unsigned level = 0; level < mostMissingLevels; ++level) {
    const std::vector<AddedFolder> added = addFoldersOfMissing(
        command, graphs_.get(), [&](const std::string &header) -> std::string {
          if (needsNoSearch(header) ||
              (isInstalled(header, toolkit) &&
               !isOwnOfProject(header, command, toolkit)))
            return "";
          const std::string folder =
              files_.nearestWith(header, command, graphs_.get());
          std::string made = folderOfGenerated(header, command, folder);
          if (!made.empty()) {
            generated.insert(made);
            return made;
          }
          std::string from = folder;
          if (from.empty()) {
            from = folderOfOriginal(header, command);
            if (!from.empty())
              made =
                  folderOfInclude(header, pathIn(from, path::filename(header)));
          } else {
            made = folderThatHidesNothing(header, from);
          }
          original[made] = from;
          return made;
        });
    if (added.empty())
      return;
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &[header, folder] : added)
      if (!generated.count(folder)) {
        std::string &named =
            found_.try_emplace(original[folder], header).first->second;
        named = std::min(named, header); // whichever source came first
      }
  }
}

void HeadersOfBareSources::addNoteOfGenerated(
    std::vector<std::string> &notes) const {
  if (generated_.empty())
    return;
  const auto &[file, header] = *generated_.begin();
  std::string text = "a build generates '" + header + "' from '" +
                     shownPath(file, currentFolder()).str() + "'";
  if (generated_.size() > 1)
    text += ", and " + counted(generated_.size() - 1, "more header");
  notes.push_back(text + "; here nothing is switched on in it that "
                         "CMakeLists.txt leaves open: '-p BUILD' takes a "
                         "build's");
}

void HeadersOfBareSources::addNote(std::vector<std::string> &notes) const {
  addNoteOfGenerated(notes);
  if (found_.empty())
    return;
  constexpr size_t most = 3;
  std::string text = "no build says where headers are: ";
  size_t shown = 0;
  for (const auto &[folder, header] : found_) {
    if (shown == most)
      break;
    text += (shown++ ? ", '" : "'") + header + "' was taken from '" +
            shownPath(folder, currentFolder()).str() + "'";
  }
  if (found_.size() > most)
    text += " and others from " + counted(found_.size() - most, "more folder");
  notes.push_back(text + "; '-p BUILD' takes a build's flags");
}

} // namespace warplint
