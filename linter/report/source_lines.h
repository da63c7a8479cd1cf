// Lines of sources; reads each file once.
#pragma once
#include "input/buffers.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

class SourceLines {
public:
  /// Reads `buffers` first, then the disk.
  explicit SourceLines(Buffers buffers = {}) : buffers_(std::move(buffers)) {}

  /// Line `number`, from 1, without its line break; empty if there is none.
  std::optional<llvm::StringRef> line(const std::string &file, unsigned number);
  /// 0 if the file cannot be read.
  unsigned count(const std::string &file);
  /// Converts a column in bytes from 1 to UTF-16 code units from 1, as SARIF
  /// and editors count. Returns the column itself if there is no such line.
  unsigned utf16Column(const std::string &file, unsigned line, unsigned column);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> buffer; ///< null if it cannot be read
    std::vector<llvm::StringRef> lines;
  };
  const File &fileOf(const std::string &path);
  const Buffers buffers_;
  std::map<std::string, File> files_;
};

} // namespace warplint
