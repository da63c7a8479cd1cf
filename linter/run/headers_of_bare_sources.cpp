#include "run/headers_of_bare_sources.h"
#include "base/folders.h"
#include "base/plural.h"
#include "input/cmake_variables.h"
#include "input/export_header.h"
#include "input/files_below.h"
#include "input/generated_header.h"
#include "input/kokkos_search.h"
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

/// Returns true for a header that needs no flag: of the system, of the toolkit
/// or of Kokkos, which is searched for by itself. Those of the C++ library have
/// names without an extension.
static bool isKnown(llvm::StringRef header,
                    const std::optional<Toolkit> &toolkit) {
  if (!path::has_extension(header) || isKokkosHeader(header) ||
      path::is_absolute(header))
    return true;
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

/// Returns true if '-I' with this folder would hide a header of the C library
/// from all that a source includes, as one with 'unistd.h' for Windows would.
static bool hidesLibrary(llvm::StringRef folder) {
  return llvm::any_of(
      llvm::ArrayRef({"assert.h", "errno.h", "inttypes.h", "limits.h", "math.h",
                      "pthread.h", "stdbool.h", "stddef.h", "stdint.h",
                      "stdio.h", "stdlib.h", "string.h", "sys/time.h",
                      "sys/types.h", "time.h", "unistd.h"}),
      [&](llvm::StringRef name) { return fs::exists(pathIn(folder, name)); });
}

/// Returns a folder to include a header from: `folder`, which has it, or one
/// that has nothing but an #include of it.
std::string
HeadersOfBareSources::folderThatHidesNothing(llvm::StringRef header,
                                             const std::string &folder) {
  if (folder.empty() || folder_.empty() || !hidesLibrary(folder))
    return folder;
  const std::string made = writtenBelow(
      folder_,
      {{header.str(), "#include \"" + pathIn(folder, header) + "\"\n"}});
  return made.empty() ? folder : made;
}

/// Returns the folder to include a header from that is made of a template;
/// empty if there is no such template, or no folder to write to. A template
/// must be nearer to the source than `other`, a folder that has the header, if
/// there is one: a build may have put it there, or it is another program's.
std::string
HeadersOfBareSources::folderOfGenerated(llvm::StringRef header,
                                        const Command &command,
                                        llvm::StringRef other) {
  constexpr size_t longest = 1 << 20; // bytes
  if (folder_.empty())
    return "";
  // A template may stand in the folder that the header is included from:
  // several have the name "config.h.in". A project without a folder of that
  // name generates no header in it: <boost/version.hpp> is another one's.
  const std::vector<std::string> plain = templateNames(header);
  std::vector<std::string> names;
  const llvm::StringRef own = path::parent_path(header);
  if (!own.empty())
    for (const std::string &name : plain)
      names.push_back(pathIn(own, name));
  if (own.empty() || files_.around(command).hasFolder(path::filename(own)))
    llvm::append_range(names, plain);
  for (const std::string &name : names) {
    const std::string in = files_.nearestWith(name, command, graphs_.get());
    auto text = in.empty() ? nullptr : readText(pathIn(in, name), {});
    if (!text || text->getBufferSize() > longest ||
        (!other.empty() && stepsTo(in, command) >= stepsTo(other, command)))
      continue;
    const CmakeVariables variables =
        CmakeVariables::of(cmakeFilesAbove(in, projectAround(command)));
    const std::string made =
        withConfigured(text->getBuffer(), [&](llvm::StringRef value) {
          return variables.valueOf(value);
        });
    const std::string folder = writtenBelow(folder_, {{header.str(), made}});
    if (folder.empty())
      return "";
    std::lock_guard<std::mutex> lock(mutex_);
    generated_.try_emplace(pathIn(in, name), header);
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
          if (isKnown(header, toolkit))
            return "";
          const std::string folder =
              files_.nearestWith(header, command, graphs_.get());
          std::string made = folderOfGenerated(header, command, folder);
          if (made.empty()) {
            made = folderThatHidesNothing(header, folder);
            original[made] = folder;
          } else {
            generated.insert(made);
          }
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
