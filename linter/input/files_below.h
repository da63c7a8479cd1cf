// Tells the files of a project from those that a text merely names: the lines
// of the latter are not shown.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace warplint {

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
