// Commands of CMake to the values of variables that they settle, without CMake.
#pragma once
#include "input/cmake_files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace warplint {

class CmakeVariables {
public:
  /// What these files leave behind, read in this order.
  static CmakeVariables of(llvm::ArrayRef<CmakeFile> files);

  /// Follows a command. A variable is no longer settled behind a command that
  /// sets it under a condition, or that may set it in another way than `set`,
  /// `project` and a few forms of `string` do.
  void follow(const CmakeCommand &command);

  /// Returns a text with its "${NAME}" replaced; none where one is not settled.
  std::optional<std::string> expanded(llvm::StringRef text) const;

  std::optional<std::string> valueOf(llvm::StringRef name) const;

  void settle(llvm::StringRef name, std::optional<std::string> value);

private:
  void followSet(llvm::ArrayRef<std::string> words);
  void followProject(llvm::ArrayRef<std::string> words);
  bool followString(llvm::ArrayRef<std::string> words);

  /// None: set, but nobody knows to what.
  llvm::StringMap<std::optional<std::string>> values_;
  size_t bytes_ = 0; ///< of all values so far
};

/// Returns true for what `if` takes for true.
bool isTrueInCmake(llvm::StringRef value);

} // namespace warplint
