#include "commands/standard_input.h"
#include "base/failure.h"
#include "base/regular_file.h"
#include "input/search_flags.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

Error readStandardInput(Options &options) {
  const std::string &name = options.sources.stdinName;
  if (name.empty())
    return Error::success();
  if (sys::fs::is_directory(name))
    return failure("'--stdin-filename' names a source, and '" + name +
                   "' is a folder");
  auto typed = MemoryBuffer::getSTDIN();
  if (!typed)
    return failure("standard input cannot be read: " +
                   typed.getError().message());
  SmallString<256> folder;
  if (std::error_code error = sys::fs::current_path(folder))
    return failure("there is no current folder: " + error.message());
  auto saved = readRegularFile(name);
  if (saved && (*saved)->getBuffer() == (*typed)->getBuffer())
    return Error::success();
  options.sources.buffers[plainPathIn(folder, name)] =
      (*typed)->getBuffer().str();
  options.compiling.judge = false;
  options.compiling.whyNotJudged = "not compiled, since its text is not saved";
  return Error::success();
}

} // namespace warplint
