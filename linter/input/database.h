// compile_commands.json to commands.
#pragma once
#include "input/command.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace warplint {

struct Database {
  std::string file;
  /// By canonicalPath of the source.
  std::map<std::string, std::vector<Command>> commands;
  std::vector<std::string> notes; ///< files that are gone, broken entries
};

/// Fails if the file cannot be read or is no compile database.
llvm::Expected<Database> readDatabase(llvm::StringRef file);
/// The same for a file with this text.
llvm::Expected<Database> readDatabase(llvm::StringRef file,
                                      llvm::StringRef text);

/// True if there is something of that name, be it a link that leads nowhere.
bool isNamed(llvm::StringRef file);

/// The databases that belong to a folder, in order of precedence: the one in
/// the folder, then those in its build*/ and build*/*/, the newest first. Names
/// that cannot be opened are among them.
std::vector<std::string> databasesOfFolder(llvm::StringRef folder);

/// The folders build*/ and cmake-build-*/ in `folder`.
std::vector<std::string> buildFoldersOf(llvm::StringRef folder);

/// The path of a file with all links resolved; the absolute path if the file
/// does not exist.
std::string canonicalPath(llvm::StringRef name);

/// The nearest folder upward that is a repository; else `folder` itself.
std::string projectOf(llvm::StringRef folder);

/// True if a file lies in a folder other than "/". Both are canonical paths.
bool isBelow(llvm::StringRef file, llvm::StringRef folder);

/// The same for many files in few folders: caches the folders.
class CanonicalPaths {
public:
  std::string of(llvm::StringRef name);

private:
  std::map<std::string, std::string> folders_; ///< as named, to canonical
};

} // namespace warplint
