#include "run/build_files_of_bare_sources.h"
#include "base/folders.h"
#include "base/listed.h"
#include "base/plural.h"
#include "input/cmake_standard.h"
#include "input/command_flag.h"
#include "input/compiler.h"
#include "input/files_below.h"
#include "input/search_flags.h"
#include "input/walk.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace path = llvm::sys::path;

/// Returns true if the user's words say what `word` is about: a macro, the
/// standard.
static bool isTyped(llvm::StringRef word, llvm::ArrayRef<std::string> typed) {
  const llvm::StringRef name = word.split('=').first;
  if (llvm::StringRef macro = name; macro.consume_front("-D"))
    return namesMacro(typed, macro);
  return llvm::any_of(typed, [&](llvm::StringRef other) {
    return other.split('=').first == name;
  });
}

/// Returns true if '-I' with this folder would hide a header of the toolkit from
/// others of it, as one with darknet's 'cuda.h' would: before a source, Clang
/// reads more of them than nvcc does. A source beside it needs no flag.
static bool hidesToolkit(llvm::StringRef folder) {
  return llvm::any_of(llvm::ArrayRef({"cuda.h", "cuda_runtime.h",
                                      "cuda_runtime_api.h", "driver_types.h",
                                      "vector_types.h"}),
                      [&](llvm::StringRef name) {
                        return llvm::sys::fs::exists(pathIn(folder, name));
                      });
}

const BuildFilesOfBareSources::BuildFiles &
BuildFilesOfBareSources::of(const Command &command) {
  const std::string folder = path::parent_path(command.source).str();
  std::lock_guard<std::mutex> lock(mutex_);
  const auto [known, isNew] = known_.try_emplace(folder);
  BuildFiles &files = known->second;
  if (isNew) {
    const std::string project = projectAround(command);
    files.flags = flagsOfMakefile(folder, project);
    if (files.flags.file.empty()) {
      const std::vector<CmakeFile> written = cmakeFilesAbove(folder, project);
      files.flags = standardOfCmake(written);
      files.cmake.emplace(written, project);
    }
  }
  return files;
}

void BuildFilesOfBareSources::addTo(Command &command) {
  if (!command.isBare || isPtxText(command.source) || !compilesCuda(command))
    return;
  const BuildFiles &files = of(command);
  addTo(command, files.flags);
  if (files.cmake)
    addTo(command, files.cmake->of(command.source));
}

void BuildFilesOfBareSources::addTo(Command &command,
                                    const WrittenFlags &flags) {
  std::set<std::string> taken;
  for (const std::string &word : flags.words) {
    if (llvm::StringRef(word).starts_with("-I") ||
        isTyped(word, command.arguments))
      continue;
    command.arguments.insert(command.arguments.end() - 1, word);
    // A standard is as little worth a line of each run as the default one is.
    if (!llvm::StringRef(word).starts_with("-std="))
      taken.insert(word);
  }
  for (const std::string &folder : addFoldersTo(command, flags))
    taken.insert("-I" + folder);
  if (taken.empty())
    return;
  std::lock_guard<std::mutex> lock(mutex_);
  taken_[flags.file].merge(taken);
}

/// Adds and returns the folders that have missing headers.
std::set<std::string>
BuildFilesOfBareSources::addFoldersTo(Command &command,
                                      const WrittenFlags &flags) {
  auto folderWith = [&](const std::string &header) -> std::string {
    for (llvm::StringRef word : flags.words)
      if (word.consume_front("-I") &&
          llvm::sys::fs::exists(pathIn(word, header)) && !hidesToolkit(word))
        return word.str();
    return "";
  };
  std::set<std::string> folders;
  for (unsigned level = 0; level < mostMissingLevels; ++level) {
    const std::vector<AddedFolder> added =
        addFoldersOfMissing(command, graphs_.get(), folderWith);
    if (added.empty())
      break;
    for (const AddedFolder &each : added)
      folders.insert(each.folder);
  }
  return folders;
}

void BuildFilesOfBareSources::addNote(std::vector<std::string> &notes) const {
  if (taken_.empty())
    return;
  constexpr size_t most = 3;
  const auto &[file, words] = *taken_.begin();
  std::vector<std::string> shown;
  for (llvm::StringRef word : words)
    if (shown.size() < most)
      shown.push_back("'" +
                      (word.consume_front("-I")
                           ? "-I" + shownPath(word, currentFolder()).str()
                           : word.str()) +
                      "'");
  const size_t more = words.size() - shown.size();
  std::string text =
      "no build gives the flags: " + listed(std::move(shown), more);
  text += (words.size() == 1 ? " was taken from '" : " were taken from '") +
          shownPath(file, currentFolder()).str() + "'";
  if (taken_.size() > 1)
    text += ", and flags of " + counted(taken_.size() - 1, "more file");
  notes.push_back(text + "; '-p BUILD' takes a build's flags");
}

} // namespace warplint
