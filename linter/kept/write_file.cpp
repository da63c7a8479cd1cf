#include "kept/write_file.h"

using namespace llvm;

namespace warplint {

/// A stream ends the program if nobody has asked it for its error.
static Error errorOf(raw_ostream &out) {
  if (out.get_kind() != raw_ostream::OStreamKind::OK_FDStream)
    return Error::success();
  auto &file = static_cast<raw_fd_ostream &>(out);
  file.flush();
  const std::error_code error = file.error();
  file.clear_error();
  return errorCodeToError(error);
}

Error writeFile(const std::string &file,
                function_ref<void(raw_ostream &)> print) {
  // It writes beside the file, and moves the result there.
  Error error = writeToOutput(file, [&](raw_ostream &out) {
    print(out);
    return errorOf(out);
  });
  if (!error)
    return Error::success();
  return createStringError(
      inconvertibleErrorCode(),
      "'" + file + "' cannot be written: " + toString(std::move(error)));
}

} // namespace warplint
