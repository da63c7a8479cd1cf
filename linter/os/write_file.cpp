#include "os/write_file.h"
#include "base/failure.h"
#include "os/signals.h"
#include "llvm/Support/Errc.h"
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

static Error replace(const std::string &file,
                     function_ref<void(raw_ostream &)> printer) {
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

static Error named(const std::string &file, Error error) {
  if (!error)
    return error;
  return failure("'" + file +
                 "' cannot be written: " + toString(std::move(error)));
}

Error writeFile(const std::string &file,
                function_ref<void(raw_ostream &)> printer) {
  if (!sys::fs::exists(file) || sys::fs::is_regular_file(file))
    return replaceFile(file, printer);
  // A device or a pipe cannot be replaced by a file.
  std::error_code error;
  raw_fd_ostream out(file, error);
  return named(file, errorCodeToError(error ? error : print(out, printer)));
}

Error replaceFile(const std::string &file,
                  function_ref<void(raw_ostream &)> printer) {
  return named(file, replace(file, printer));
}

std::error_code makeFolder(StringRef folder) {
  if (std::error_code error = sys::fs::create_directories(folder))
    return error;
  return sys::fs::is_directory(folder) ? std::error_code()
                                       : make_error_code(errc::not_a_directory);
}

} // namespace warplint
