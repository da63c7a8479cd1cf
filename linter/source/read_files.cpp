#include "source/read_files.h"
#include "base/allowance_marker.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace {

class FileReader {
public:
  FileReader(ParsedSource &source, AccessNamer::InLibrary inLibrary,
             Names &names)
      : instance_(source.instance()), sources_(instance_.getSourceManager()),
        inLibrary_(std::move(inLibrary)), names_(names) {}

  void read(const ParsedSource &source);
  bool mentionsKernels() const { return mentionsKernels_; }

private:
  void readFile(const clang::SrcMgr::SLocEntry &entry);
  std::string absolute(llvm::StringRef file) const;
  void readPrecompiledHeader(clang::ASTReader &reader,
                             clang::serialization::ModuleFile &header);

  clang::CompilerInstance &instance_;
  const clang::SourceManager &sources_;
  AccessNamer::InLibrary inLibrary_;
  Names &names_;
  bool mentionsKernels_ = false;
};

void FileReader::read(const ParsedSource &source) {
  for (unsigned i = 0; i < sources_.local_sloc_entry_size(); ++i)
    readFile(sources_.getLocalSLocEntry(i));
  clang::ASTReader *reader = instance_.getASTReader().get();
  if (!reader)
    return;
  for (clang::serialization::ModuleFile &header : reader->getModuleManager()) {
    if (header.FileName != source.preamble) {
      readPrecompiledHeader(*reader, header);
      continue;
    }
    // Clang counts what it has loaded from -2 downwards.
    const int first = header.SLocEntryBaseID;
    for (uint32_t i : source.filesOfPreamble)
      if (i < header.LocalNumSLocEntries)
        readFile(sources_.getLoadedSLocEntry(-2 - (first + int(i))));
  }
}

void FileReader::readFile(const clang::SrcMgr::SLocEntry &entry) {
  if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
    return;
  clang::FileID id = sources_.getFileID(
      clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
  if (id == sources_.getPreambleFileID()) // no file of anyone's
    return;
  // A header may declare itself a system header in its first lines.
  const bool isSystems = inLibrary_(sources_.getLocForEndOfFile(id));
  const std::string file =
      absolute(entry.getFile().getContentCache().OrigEntry->getName());
  if (isSystems) {
    names_.systemFiles.insert(file);
    return;
  }
  names_.userFiles.insert(file);
  auto text = sources_.getBufferDataOrNone(id);
  if (!text)
    return;
  if (hasAllowanceMarker(*text))
    names_.markedFiles.insert(file);
  mentionsKernels_ |= text->contains("__global__");
}

std::string FileReader::absolute(llvm::StringRef file) const {
  llvm::SmallString<256> path(file);
  instance_.getVirtualFileSystem().makeAbsolute(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

/// A precompiled header contains no file of the user's.
void FileReader::readPrecompiledHeader(
    clang::ASTReader &reader, clang::serialization::ModuleFile &header) {
  reader.visitInputFileInfos(
      header, /*IncludeSystem=*/true,
      [&](const clang::serialization::InputFileInfo &file, bool) {
        names_.systemFiles.insert(absolute(file.UnresolvedImportedFilename));
      });
}

} // namespace

bool readFiles(ParsedSource &source, AccessNamer::InLibrary inLibrary,
               Names &names) {
  FileReader reader(source, std::move(inLibrary), names);
  reader.read(source);
  return reader.mentionsKernels();
}

} // namespace warplint
