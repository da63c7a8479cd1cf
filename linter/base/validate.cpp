#include "base/validate.h"
#include "base/failure.h"
#include "base/suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

Expected<double> leastShareOf(StringRef key, StringRef text) {
  double percent = 0;
  if (text.getAsDouble(percent) || !(percent >= 0 && percent <= 100))
    return failure("'" + key + "' takes a percentage from 0 to 100, not '" +
                   text + "'");
  return percent / 100;
}

/// CUDA's limits: 1024 threads to a block, 64 of them along z.
Error checkBlock(StringRef key, StringRef block) {
  if (block.empty())
    return Error::success();
  SmallVector<StringRef> sizes;
  block.split(sizes, 'x');
  uint64_t threads = 1;
  for (StringRef size : sizes) {
    unsigned number = 0;
    if (size.getAsInteger(10, number) || number == 0 || sizes.size() > 3)
      return failure("'" + key + "' takes one to three sizes such as 32x8, " +
                     "not '" + block + "'");
    // Clamped, so that the next product does not overflow.
    threads = std::min<uint64_t>(threads * number, UINT32_MAX);
  }
  if (threads > 1024)
    return failure("'" + key + " " + block +
                   "' is more than the 1024 threads that a block can have");
  unsigned depth = 1;
  if (sizes.size() == 3 && !sizes[2].getAsInteger(10, depth) && depth > 64)
    return failure("'" + key + " " + block +
                   "' is deeper than the 64 threads that a block can be in z");
  return Error::success();
}

Error checkArchitectures(StringRef key, ArrayRef<std::string> names) {
  for (StringRef name : names) {
    StringRef rest = name;
    bool spelt = rest.consume_front("sm_");
    if (!spelt)
      rest.consume_front("compute_") || rest.consume_front("sm");
    StringRef digits = rest.take_while(isDigit);
    StringRef variant = rest.drop_front(digits.size());
    bool number = (digits.size() == 2 || digits.size() == 3) &&
                  (variant.empty() || variant == "a" || variant == "f");
    if (!number)
      return failure("'" + key + "' takes an architecture such as sm_90, " +
                     "not '" + name + "'");
    if (!spelt)
      return failure("'" + key + "' has no '" + name + "'" +
                     didYouMean(("sm_" + rest).str()));
  }
  return Error::success();
}

} // namespace warplint
