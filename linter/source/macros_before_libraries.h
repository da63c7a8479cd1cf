// The macros that a source defines or undefines before the library headers that
// its precompiled header holds: they may have changed one.
#pragma once
#include "source/shared_libraries.h"
#include "clang/Lex/PPCallbacks.h"
#include <set>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
}

namespace warplint {

class MacrosBeforeLibraries : public clang::PPCallbacks {
public:
  /// `into`, which must live as long as this, gets those that stand before the
  /// last of `libraries`.
  MacrosBeforeLibraries(const clang::SourceManager &sources,
                        HeaderNames libraries, std::set<std::string> &into)
      : sources_(sources), libraries_(std::move(libraries)), into_(into) {}

  void MacroDefined(const clang::Token &name,
                    const clang::MacroDirective *) override {
    note(name);
  }
  void MacroUndefined(const clang::Token &name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    note(name);
  }
  void InclusionDirective(clang::SourceLocation location, const clang::Token &,
                          llvm::StringRef file, bool isAngled,
                          clang::CharSourceRange, clang::OptionalFileEntryRef,
                          llvm::StringRef, llvm::StringRef,
                          const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override;

private:
  void note(const clang::Token &name);

  const clang::SourceManager &sources_;
  const HeaderNames libraries_;
  std::set<std::string> &into_;
  std::vector<std::string> since_; ///< the last of `libraries_`
};

} // namespace warplint
