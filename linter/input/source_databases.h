// The compile databases around the sources of a request.
#pragma once
#include "input/database.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <set>

namespace warplint {

/// Finds the databases that contain a source; reads each once.
class SourceDatabases {
public:
  /// What is wrong with a database that nobody asked for goes into `notes`,
  /// which must outlive this.
  explicit SourceDatabases(std::vector<std::string> &notes) : notes_(notes) {}

  /// Handles -p: only this database, a file or that of a build folder, is used
  /// from now on. Fails if it cannot be read.
  llvm::Error ask(llvm::StringRef typed);

  /// Null if the user has not asked for one.
  const Database *asked() const { return asked_.get(); }
  /// Returns true if one was asked for, or gave a command.
  bool any() const { return asked_ || !used_.empty(); }

  /// The commands of the nearest database that contains this source; `key` is
  /// its canonicalPath. The search ends at a repository's root.
  llvm::ArrayRef<Command> commandsOf(llvm::StringRef source,
                                     const std::string &key);

  /// The databases that may contain the sources that include a header, the
  /// nearest first.
  std::vector<const Database *> near(llvm::StringRef file);

  /// Adds the notes of the databases that gave a command, or would have if
  /// their files still existed; others are of no interest to the user.
  void addNotes();

  /// Notes how to get a database, if there is a build folder near the sources
  /// and no database: they are read without their build's flags then.
  void addNoteOfBuildWithout(llvm::ArrayRef<std::string> sources);

private:
  struct Folder {
    std::vector<const Database *> databases;
    bool isRepository = false; ///< folders above belong to others
  };

  const Folder &folderAt(llvm::StringRef name);
  const Database *read(const std::string &file);

  std::vector<std::string> &notes_;
  std::unique_ptr<Database> asked_;
  std::map<std::string, std::unique_ptr<Database>> read_;
  std::map<std::string, Folder> folders_; ///< by name
  std::set<const Database *> used_;
};

} // namespace warplint
