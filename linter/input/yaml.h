// YAML text to a tree in which each value has its place.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

struct YamlEntry;

struct YamlValue {
  enum Kind { Nothing, Text, List, Map } kind = Nothing;
  std::string text;               ///< of a text, unquoted
  std::vector<YamlValue> items;   ///< of a list
  std::vector<YamlEntry> entries; ///< of a map, in the order of the file
  unsigned line = 0, column = 0;
};

struct YamlEntry {
  std::string key;
  unsigned line, column; ///< of the key
  YamlValue value;
};

/// Fails with "file:line:column: what is wrong" for broken text, a duplicate
/// key, and features that no configuration needs (aliases, several documents).
llvm::Expected<YamlValue> readYaml(llvm::StringRef file, llvm::StringRef text);

} // namespace warplint
