#include "run/headers_of_bare_sources.h"
#include "base/folders.h"
#include "base/plural.h"
#include "input/files_below.h"
#include "input/search_flags.h"
#include "input/walk.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Returns true for a header that needs no flag: of the system, of the toolkit
/// or of Kokkos, which is searched for by itself. Those of the C++ library have
/// names without an extension.
static bool isKnown(llvm::StringRef header,
                    const std::optional<Toolkit> &toolkit) {
  if (!path::has_extension(header) || header.starts_with("Kokkos_") ||
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

/// The number of folders that two paths begin with alike.
static size_t commonFolders(llvm::StringRef a, llvm::StringRef b) {
  return std::distance(
      path::begin(a),
      std::mismatch(path::begin(a), path::end(a), path::begin(b), path::end(b))
          .first);
}

const ProjectFiles &HeadersOfBareSources::filesOf(const std::string &project) {
  std::lock_guard<std::mutex> lock(mutex_);
  return projects_.try_emplace(project, project).first->second;
}

std::string HeadersOfBareSources::folderOf(llvm::StringRef header,
                                           const Command &command) {
  const ProjectFiles &files = filesOf(projectAround(command));
  if (!files.isWhole()) // another one of that name may be nearer
    return "";
  const llvm::StringRef own = path::parent_path(command.source);
  std::string nearest;
  size_t most = 0;
  bool areSeveral = false;
  for (llvm::StringRef folder : files.foldersWith(header)) {
    const size_t common = commonFolders(folder, own);
    if (common < most)
      continue;
    areSeveral = common == most && !nearest.empty();
    most = common;
    nearest = folder.str();
  }
  return areSeveral ? "" : nearest;
}

void HeadersOfBareSources::addTo(Command &command,
                                 const std::optional<Toolkit> &toolkit) {
  if (!command.isBare || isPtxText(command.source))
    return;
  std::vector<std::string> &words = command.arguments;
  constexpr unsigned mostSteps = 8; // a header that is found may lack others
  for (unsigned step = 0; step < mostSteps; ++step) {
    const IncludeFolders folders = includeFolders(command.directory, words);
    bool isSame = true;
    for (const std::string &header :
         graphs_.get().missing(command.source, folders)) {
      if (isKnown(header, toolkit))
        continue;
      const std::string folder = folderOf(header, command);
      if (folder.empty() || llvm::is_contained(words, "-I" + folder))
        continue;
      words.insert(words.end() - 1, "-I" + folder); // before the source
      isSame = false;
      std::lock_guard<std::mutex> lock(mutex_);
      std::string &named = found_.try_emplace(folder, header).first->second;
      named = std::min(named, header); // whichever source came first
    }
    if (isSame)
      return;
  }
}

void HeadersOfBareSources::addNote(std::vector<std::string> &notes) const {
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
