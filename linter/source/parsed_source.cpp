#include "source/parsed_source.h"
#include "base/failure.h"
#include "input/kokkos_search.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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

static uint64_t bytesOf(const clang::SourceManager &sources,
                        llvm::function_ref<bool(const clang::SrcMgr::FileInfo &,
                                                llvm::StringRef name)>
                            counts) {
  uint64_t bytes = 0;
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile())
      continue;
    const clang::SrcMgr::ContentCache &file = entry.getFile().getContentCache();
    if (file.OrigEntry && counts(entry.getFile(), file.OrigEntry->getName()))
      bytes += file.getSize();
  }
  return bytes;
}

uint64_t ParsedSource::libraryBytes() const {
  return bytesOf(instance_->getSourceManager(),
                 [](const clang::SrcMgr::FileInfo &info, llvm::StringRef name) {
                   return clang::SrcMgr::isSystem(
                              info.getFileCharacteristic()) ||
                          isKokkosHeader(name);
                 });
}

uint64_t ParsedSource::headerBytes() const {
  const clang::SourceManager &sources = instance_->getSourceManager();
  const clang::OptionalFileEntryRef source =
      sources.getFileEntryRefForID(sources.getMainFileID());
  return bytesOf(sources,
                 [&](const clang::SrcMgr::FileInfo &, llvm::StringRef name) {
                   return !source || name != source->getName();
                 });
}

} // namespace warplint
