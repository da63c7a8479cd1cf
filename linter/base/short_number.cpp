#include "base/short_number.h"
#include "llvm/Support/FormatVariadic.h"

namespace warplint {

std::string shortNumber(double value) {
  if (value >= 1000)
    return llvm::formatv("{0:f0}", value).str();
  std::string text = llvm::formatv("{0:f2}", value).str();
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.')
    text.pop_back();
  return text;
}

} // namespace warplint
