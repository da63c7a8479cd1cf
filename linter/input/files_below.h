// The files of a project, and which files are among them: the lines of others,
// which a text merely names, are not shown.
#pragma once
#include "input/command.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

/// The folder in which to search for what belongs to a command: the project of
/// its compile database, else the repository around the source, else the
/// working directory, else the folder that the user named, if the source lies
/// below it and it is no home, else the source's own folder.
std::string projectAround(const Command &command);

/// Visits the files below a folder in any order, without hidden ones. Follows
/// no links. Returns false, and visits no more, behind 50,000 entries and
/// where a folder cannot be read.
bool forEachFileBelow(
    llvm::StringRef folder,
    llvm::function_ref<void(const llvm::sys::fs::directory_entry &)> visit);

/// Asks the file system once for each file.
class FilesBelow {
public:
  /// `folders` are canonical paths.
  explicit FilesBelow(std::vector<std::string> folders)
      : folders_(std::move(folders)) {}

  /// Returns true for a regular file that lies below one of the folders,
  /// wherever links lead, and for a name that no file has: it has no lines.
  bool allow(const std::string &file);

private:
  const std::vector<std::string> folders_;
  std::map<std::string, bool> known_;
};

} // namespace warplint
