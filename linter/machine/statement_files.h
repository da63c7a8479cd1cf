// The source files of a kernel's code to their statements.
#pragma once
#include "input/source_statements.h"
#include <map>
#include <memory>

namespace warplint {

/// The statements of source files; reads each once.
class StatementFiles {
public:
  /// Relative names of files are relative to `directory`.
  explicit StatementFiles(std::string directory)
      : directory_(std::move(directory)) {}
  /// Null if the file cannot be read.
  const SourceStatements *of(const std::string &file);
  /// As `isLibraryFile`, which looks at the disk: once for each file. Many lines
  /// of machine code are of one.
  bool isLibrary(const std::string &file);

private:
  std::string directory_;
  std::map<std::string, std::unique_ptr<SourceStatements>> files_;
  std::map<std::string, bool> libraries_;
};

} // namespace warplint
