#include "input/cmake_standard.h"
#include "input/buffers.h"
#include "input/cmake_variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warplint {

/// Returns the newest standard that follows a property's name and blanks, or a
/// feature's prefix; 0 if there is none. Those of the last century are older
/// than 2011.
static unsigned newest(llvm::StringRef text, llvm::StringRef property,
                       llvm::StringRef feature) {
  unsigned newest = 0;
  for (llvm::StringRef word : {property, feature})
    for (size_t at = text.find(word); at != llvm::StringRef::npos;
         at = text.find(word, at + 1)) {
      const llvm::StringRef behind = text.drop_front(at + word.size());
      const llvm::StringRef value =
          word == property ? behind.ltrim(" \t\n") : behind;
      unsigned number = 0;
      if ((word == feature || value.size() < behind.size()) &&
          !value.take_while(llvm::isDigit).getAsInteger(10, number) &&
          number < 90)
        newest = std::max(newest, number);
    }
  return newest;
}

unsigned standardInCmake(llvm::StringRef text) {
  std::string code;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    code += (line.split('#').first + "\n").str();
  const unsigned ofCuda = newest(code, "CUDA_STANDARD", "cuda_std_");
  return ofCuda ? ofCuda : newest(code, "CXX_STANDARD", "cxx_std_");
}

WrittenFlags standardOfCmake(llvm::StringRef folder, llvm::StringRef top) {
  const std::vector<std::string> files = cmakeListsAbove(folder, top);
  for (const std::string &file : llvm::reverse(files)) {
    const auto text = readText(file, {});
    if (const unsigned number = text ? standardInCmake(text->getBuffer()) : 0)
      return number == 20 ? WrittenFlags{file, {"-std=c++20"}} : WrittenFlags();
  }
  return {};
}

} // namespace warplint
