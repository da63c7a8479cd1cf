// How one source is compiled, as its user's build says it.
#pragma once
#include <string>
#include <vector>

namespace warplint {

struct Command {
  std::string source;    ///< absolute path of the main source file
  std::string directory; ///< absolute folder the command runs in
  /// The compiler, its flags and the source, as the build has them, response
  /// files not yet spliced. A bare file has `nvcc <flags after --> <source>`.
  std::vector<std::string> arguments;
  bool isBare = false; ///< no build says how it is compiled
};

} // namespace warplint
