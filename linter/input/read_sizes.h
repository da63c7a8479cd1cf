// A source to the bytes that a compiler reads of it, its headers' among them,
// as far as their text tells: what is known of its cost before it is read.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// What many sources include is read once. Not for several threads.
class ReadSizes {
public:
  /// `folders` are searched for headers; what `always` and all below it hold
  /// counts for nothing, since it is read for every source.
  ReadSizes(std::vector<std::string> folders, llvm::StringRef always);

  /// Conditions are not looked at; what two of its headers include counts
  /// twice.
  uint64_t of(const std::string &source);

private:
  struct File {
    uint64_t bytes = 0;
    std::vector<std::string> includes; ///< found files
  };
  const File &fileAt(const std::string &path);
  uint64_t addTo(std::set<std::string> &seen, const std::string &path);

  const std::vector<std::string> folders_;
  std::map<std::string, File> files_;     ///< by path
  std::map<std::string, uint64_t> below_; ///< with all that they include
  std::set<std::string> always_;
};

} // namespace warplint
