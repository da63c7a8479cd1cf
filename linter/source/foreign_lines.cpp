#include "source/foreign_lines.h"
#include "base/folders.h"
#include "input/database.h"
#include "input/files_below.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

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
  bool isOfProject(llvm::StringRef name) {
    if (!files_)
      files_.emplace(projects());
    return files_->allow(absolute(name));
  }

  std::vector<std::string> projects() const {
    std::vector<std::string> folders;
    // A home folder is no project.
    const std::string current = projectOf(canonicalPath(currentFolder()));
    if (llvm::sys::fs::exists(current + "/.git"))
      folders.push_back(current);
    if (auto main = sources_.getFileEntryRefForID(sources_.getMainFileID()))
      folders.push_back(projectOf(llvm::sys::path::parent_path(
          canonicalPath(absolute(main->getName())))));
    return folders;
  }

  std::string absolute(llvm::StringRef name) const {
    llvm::SmallString<256> path(name);
    sources_.getFileManager().makeAbsolutePath(path);
    return path.str().str();
  }

  clang::SourceManager &sources_;
  std::optional<FilesBelow> files_; ///< once the main file is known
};

} // namespace

void undoForeignLines(clang::Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(
      std::make_unique<ForeignLines>(preprocessor.getSourceManager()));
}

} // namespace warplint
