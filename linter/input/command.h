// The command that compiles one source.
#pragma once
#include <string>
#include <vector>

namespace warplint {

struct Command {
  std::string source;    ///< absolute path of the main source file
  std::string directory; ///< absolute folder the command runs in
  /// The compiler, its flags and the source, as the build has them, with
  /// unexpanded response files. A bare source has `nvcc <flags after -->
  /// <source>`.
  std::vector<std::string> arguments;
  bool isBare = false; ///< no build compiles it
  /// The user typed it, or their build runs it: it may name any program. A
  /// command of a compile database came with the sources.
  bool isTrusted = false;
  /// The words that the user typed after `--`, which is among the arguments.
  std::vector<std::string> typed = {};
  /// The folder by which the user named it; empty if they named the source.
  std::string folder = {};
  /// The project of the database that the command is from: options files of
  /// others are not opened.
  std::string project = {};
  /// The compile database that it is from; empty if it is from none.
  std::string database = {};
};

} // namespace warplint
