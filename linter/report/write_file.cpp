#include "report/write_file.h"

using namespace llvm;

namespace warplint {

Error writeFile(const std::string &file,
                function_ref<void(raw_ostream &)> print) {
  // It writes beside the file, and moves the result there.
  Error error = writeToOutput(file, [&](raw_ostream &out) {
    print(out);
    return Error::success();
  });
  if (!error)
    return Error::success();
  return createStringError(
      inconvertibleErrorCode(),
      "'" + file + "' cannot be written: " + toString(std::move(error)));
}

} // namespace warplint
