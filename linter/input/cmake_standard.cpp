#include "input/cmake_standard.h"
#include "input/buffers.h"
#include "input/cmake_variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

namespace warplint {

/// Returns the newest standard that a pattern finds, whose last part is its
/// number; 0 if it finds none. Those of the last century are older than 2011.
static unsigned newest(llvm::StringRef text, const llvm::Regex &pattern) {
  unsigned newest = 0;
  llvm::SmallVector<llvm::StringRef> parts;
  while (pattern.match(text, &parts)) {
    unsigned number = 0;
    if (!parts.back().getAsInteger(10, number) && number < 90)
      newest = std::max(newest, number);
    text = text.drop_front(parts[0].end() - text.begin());
  }
  return newest;
}

unsigned standardInCmake(llvm::StringRef text) {
  static const llvm::Regex cuda("(CUDA_STANDARD[ \t\n]+|cuda_std_)([0-9]+)"),
      cxx("(CXX_STANDARD[ \t\n]+|cxx_std_)([0-9]+)");
  std::string code;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    code += (line.split('#').first + "\n").str();
  const unsigned ofCuda = newest(code, cuda);
  return ofCuda ? ofCuda : newest(code, cxx);
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
