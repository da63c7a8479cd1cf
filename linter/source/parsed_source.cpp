#include "source/parsed_source.h"
#include "base/failure.h"
#include "input/kokkos_search.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

ParsedSource::~ParsedSource() {
  if (action_)
    action_->EndSourceFile();
}

llvm::Error ParsedSource::begin(std::unique_ptr<clang::FrontendAction> action) {
  const clang::FrontendInputFile source =
      instance_->getFrontendOpts().Inputs[0];
  if (!instance_->createTarget())
    return failure("Clang has no target for " + source.getFile().str());
  instance_->createFileManager();
  instance_->createSourceManager();
  if (!action->BeginSourceFile(*instance_, source))
    return failure(errors.empty() ? "Clang could not begin" : errors[0].text);
  action_ = std::move(action);
  return llvm::Error::success();
}

namespace {

bool isOfLibrary(const clang::SrcMgr::FileInfo &info) {
  const auto &file = info.getContentCache().OrigEntry;
  return clang::SrcMgr::isSystem(info.getFileCharacteristic()) ||
         (file && isKokkosHeader(file->getName()));
}

/// The files that a source has read, less those of a precompiled header.
std::vector<clang::FileID> filesOf(const clang::SourceManager &sources) {
  std::vector<clang::FileID> files;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    const auto begin =
        clang::SourceLocation::getFromRawEncoding(entry.getOffset());
    if (entry.isFile() && entry.getFile().getContentCache().OrigEntry)
      files.push_back(sources.getFileID(begin));
  }
  return files;
}

} // namespace

std::vector<HeaderBytes>
ParsedSource::libraryBytes(llvm::ArrayRef<std::string> names) const {
  const clang::SourceManager &sources = instance_->getSourceManager();
  std::vector<HeaderBytes> all;
  for (const std::string &name : names)
    all.push_back({name, 0});
  // What a library header includes counts for the one that the project
  // includes. Clang lists a file before those that it includes.
  llvm::DenseMap<clang::FileID, HeaderBytes *> headerOf;
  for (const clang::FileID file : filesOf(sources)) {
    const clang::SrcMgr::FileInfo &info = sources.getSLocEntry(file).getFile();
    if (!isOfLibrary(info) || info.getIncludeLoc().isInvalid())
      continue;
    const clang::FileID by = sources.getFileID(info.getIncludeLoc());
    HeaderBytes *header = headerOf.lookup(by);
    const llvm::StringRef path = info.getContentCache().OrigEntry->getName();
    if (!header && !isOfLibrary(sources.getSLocEntry(by).getFile()))
      for (HeaderBytes &one : all)
        if (path.ends_with("/" + one.name))
          header = &one;
    headerOf[file] = header;
    if (header)
      header->bytes += info.getContentCache().getSize();
  }
  llvm::erase_if(all, [](const HeaderBytes &one) { return !one.bytes; });
  return all;
}

uint64_t ParsedSource::headerBytes() const {
  const clang::SourceManager &sources = instance_->getSourceManager();
  uint64_t bytes = 0;
  for (const clang::FileID file : filesOf(sources))
    if (file != sources.getMainFileID())
      bytes += sources.getSLocEntry(file).getFile().getContentCache().getSize();
  return bytes;
}

} // namespace warplint
