#include "os/write_file.h"
#include "base/failure.h"
#include "os/signals.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace warplint {

/// Clears the error, since a stream with an unread error ends the program.
static std::error_code print(raw_fd_ostream &out,
                             function_ref<void(raw_ostream &)> print) {
  print(out);
  out.flush();
  const std::error_code error = out.error();
  out.clear_error();
  return error;
}

static Error write(const std::string &file,
                   function_ref<void(raw_ostream &)> printer) {
  // A device or a pipe cannot be replaced by a file.
  if (sys::fs::exists(file) && !sys::fs::is_regular_file(file)) {
    std::error_code error;
    raw_fd_ostream out(file, error);
    return errorCodeToError(error ? error : print(out, printer));
  }
  DeferredSignals here; // LLVM registers its file shortly after creating it
  Expected<sys::fs::TempFile> beside =
      sys::fs::TempFile::create(file + "-%%%%%%%%");
  if (!beside)
    return beside.takeError();
  std::error_code error;
  {
    raw_fd_ostream out(beside->FD, /*shouldClose=*/false);
    error = print(out, printer);
  }
  if (!error)
    return beside->keep(file);
  return joinErrors(errorCodeToError(error), beside->discard());
}

Error writeFile(const std::string &file,
                function_ref<void(raw_ostream &)> print) {
  Error error = write(file, print);
  if (!error)
    return Error::success();
  return failure("'" + file +
                 "' cannot be written: " + toString(std::move(error)));
}

} // namespace warplint
