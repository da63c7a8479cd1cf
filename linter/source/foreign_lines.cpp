#include "source/foreign_lines.h"
#include "base/folders.h"
#include "input/database.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <map>

namespace warplint {
namespace {

class ForeignLines : public clang::PPCallbacks {
public:
  explicit ForeignLines(clang::SourceManager &sources) : sources_(sources) {}

  void FileChanged(clang::SourceLocation at, FileChangeReason,
                   clang::SrcMgr::CharacteristicKind kind,
                   clang::FileID) override {
    const clang::PresumedLoc said = sources_.getPresumedLoc(at);
    const clang::PresumedLoc real =
        sources_.getPresumedLoc(at, /*UseLineDirectives=*/false);
    if (said.isInvalid() || real.isInvalid() ||
        llvm::StringRef(said.getFilename()) == real.getFilename() ||
        isOfProject(said.getFilename()))
      return;
    // A note counts from the line after it.
    sources_.AddLineNote(at, real.getLine() + 1,
                         sources_.getLineTableFilenameID(real.getFilename()),
                         /*IsFileEntry=*/false, /*IsFileExit=*/false, kind);
  }

private:
  /// True as well for a file that does not exist: it has no lines to show.
  bool isOfProject(llvm::StringRef name) {
    auto [known, isNew] = isOfProject_.try_emplace(name.str(), true);
    if (!isNew)
      return known->second;
    llvm::SmallString<256> path(name);
    sources_.getFileManager().makeAbsolutePath(path);
    if (!llvm::sys::fs::exists(path))
      return true;
    const std::string file = canonicalPath(path);
    known->second = llvm::any_of(
        roots(), [&](const std::string &root) { return isBelow(file, root); });
    return known->second;
  }

  const std::vector<std::string> &roots() {
    if (!roots_.empty())
      return roots_;
    // A home folder is no project.
    const std::string current = projectOf(canonicalPath(currentFolder()));
    if (llvm::sys::fs::exists(current + "/.git"))
      roots_.push_back(current);
    if (auto main = sources_.getFileEntryRefForID(sources_.getMainFileID())) {
      llvm::SmallString<256> path(main->getName());
      sources_.getFileManager().makeAbsolutePath(path);
      roots_.push_back(
          projectOf(llvm::sys::path::parent_path(canonicalPath(path)).str()));
    }
    return roots_;
  }

  clang::SourceManager &sources_;
  std::vector<std::string> roots_;
  std::map<std::string, bool> isOfProject_;
};

} // namespace

void undoForeignLines(clang::Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(
      std::make_unique<ForeignLines>(preprocessor.getSourceManager()));
}

} // namespace warplint
