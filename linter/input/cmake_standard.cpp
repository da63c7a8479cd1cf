#include "input/cmake_standard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::ArrayRef;
using llvm::StringRef;

namespace warplint {

/// Returns the standard that begins a text; 0 for none. Those of the last
/// century are older than 2011.
static unsigned standardAtFrontOf(StringRef text) {
  unsigned number = 0;
  const bool isNone =
      text.take_while(llvm::isDigit).getAsInteger(10, number) || number >= 90;
  return isNone ? 0 : number;
}

/// Returns the newest standard that follows a property's name, or a feature's
/// prefix; 0 if there is none. Variables are named for properties, and
/// generator expressions have features in them.
static unsigned newest(ArrayRef<CmakeCommand> commands, StringRef property,
                       StringRef feature) {
  unsigned newest = 0;
  for (const CmakeCommand &command : commands)
    for (size_t i = 0; i < command.words.size(); ++i) {
      const StringRef word = command.words[i];
      if (word.ends_with(property) && i + 1 < command.words.size())
        newest = std::max(newest, standardAtFrontOf(command.words[i + 1]));
      else if (word.contains(feature))
        newest =
            std::max(newest, standardAtFrontOf(word.split(feature).second));
    }
  return newest;
}

unsigned standardInCmake(ArrayRef<CmakeCommand> commands) {
  const unsigned ofCuda = newest(commands, "CUDA_STANDARD", "cuda_std_");
  return ofCuda ? ofCuda : newest(commands, "CXX_STANDARD", "cxx_std_");
}

WrittenFlags standardOfCmake(ArrayRef<CmakeFile> files) {
  for (const CmakeFile &file : llvm::reverse(files))
    if (const unsigned number = standardInCmake(file.commands))
      return number == 20 ? WrittenFlags{file.path, {"-std=c++20"}}
                          : WrittenFlags();
  return {};
}

} // namespace warplint
