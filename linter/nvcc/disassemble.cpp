#include "nvcc/disassemble.h"
#include "base/failure.h"
#include "input/trusted_programs.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

std::string findNvdisasm(const Toolkit &toolkit) {
  std::vector<std::string> folders;
  if (!toolkit.nvcc.empty())
    folders.push_back(sys::path::parent_path(toolkit.nvcc).str());
  if (!toolkit.root.empty())
    folders.push_back(toolkit.root + "/bin");
  return programNamed("nvdisasm", folders);
}

Expected<std::string> disassemble(const std::string &nvdisasm,
                                  const std::string &cubin,
                                  ArrayRef<std::string> options,
                                  Scratch &scratch,
                                  std::chrono::milliseconds limit) {
  std::vector<std::string> arguments = {nvdisasm, "-c"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(cubin);
  Expected<Exit> exit =
      scratch.run(arguments, scratch.folder().str(), "disassembly", limit);
  if (!exit)
    return exit.takeError();
  if (exit->timedOut)
    return failure("nvdisasm took longer than " + Twine(limit.count() / 1000) +
                   " seconds and was ended");
  if (exit->signal)
    return failure("nvdisasm was ended by signal " + Twine(exit->signal));
  // Its exit code says less than its text, which readDisassembly judges.
  auto text = MemoryBuffer::getFile(scratch.path("disassembly"));
  if (!text)
    return failure("the output of nvdisasm cannot be read: " +
                   text.getError().message());
  return (*text)->getBuffer().str();
}

} // namespace warplint
