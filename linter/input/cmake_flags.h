// The compiler's flags that a project's CMake files write out in plain words,
// without CMake: nothing that they name is run.
#pragma once
#include "input/cmake_variables.h"
#include "input/makefile_flags.h"
#include <map>
#include <set>

namespace warplint {

/// What CMake files ask for outside of conditions.
class CmakeFlags {
public:
  /// Of the files of a folder and of those above it, up to `top`, the highest
  /// first; takes no folder that is not below `top`. Where the last file links
  /// what these do not make, the files of the folders that they add tell what
  /// their libraries give to others.
  CmakeFlags(llvm::ArrayRef<CmakeFile> files, llvm::StringRef top);

  /// `-I` with an absolute folder that exists, and `-D` with a name or number:
  /// of all sources, of the target that compiles this one, and what targets to
  /// which it is linked give to others. A target compiles what its list of
  /// sources names, or may if that list is not written out; of several, only
  /// what they give to others counts. A macro that is defined in two ways, or
  /// under a condition, is left out.
  WrittenFlags of(llvm::StringRef source) const;

private:
  struct Asked {
    std::string file; ///< the last one that asks
    std::vector<std::string> folders;
    std::map<std::string, std::set<std::string>> macros; ///< values, by name
  };
  struct Target {
    std::set<std::string> sources; ///< absolute paths
    bool isWritten = true;         ///< no source is a variable's
    bool isOfLastFile = false;
    bool isElsewhere = false; ///< made in a folder beside: for links alone
    Asked own, forOthers; ///< `PUBLIC` is both
    std::vector<std::string> links;
  };

  void read(const CmakeCommand &command);
  void readTarget(const CmakeCommand &command);
  bool linksToUnknown() const;
  void readLibrariesBelow(const CmakeFile &file);
  void readSources(Target &target, llvm::ArrayRef<std::string> words);
  void addFolder(Asked &asked, llvm::StringRef word, bool isConditional);
  void addMacrosOfAll(llvm::ArrayRef<std::string> words, bool isConditional);
  void addMacro(Asked &asked, llvm::StringRef word, bool isConditional);
  std::vector<const Target *> targetsOf(llvm::StringRef source) const;

  CmakeVariables variables_;
  std::string top_, folder_, file_;
  bool isLastFile_ = false, isElsewhere_ = false;
  Asked ofAll_;
  std::map<std::string, Target> targets_;
  std::set<std::string> seen_; ///< folders whose files were read
};

} // namespace warplint
