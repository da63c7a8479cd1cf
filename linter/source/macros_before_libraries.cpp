#include "source/macros_before_libraries.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

void MacrosBeforeLibraries::InclusionDirective(
    clang::SourceLocation location, const clang::Token &, llvm::StringRef file,
    bool isAngled, clang::CharSourceRange, clang::OptionalFileEntryRef,
    llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
    clang::SrcMgr::CharacteristicKind) {
  if (!isAngled || sources_.isInSystemHeader(location) ||
      !llvm::is_contained(libraries_, file))
    return;
  into_.insert(since_.begin(), since_.end());
  since_.clear();
}

/// Those of flags are part of what the precompiled header is made for.
void MacrosBeforeLibraries::note(const clang::Token &name) {
  const clang::SourceLocation at = name.getLocation();
  if (!sources_.isInSystemHeader(at) && !sources_.isWrittenInBuiltinFile(at) &&
      !sources_.isWrittenInCommandLineFile(at))
    since_.push_back(name.getIdentifierInfo()->getName().str());
}

} // namespace warplint
