// The real nvcc for tests of what it writes.
#pragma once
#include "os/scratch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace warplint {

/// Path of nvcc, empty if there is none.
inline std::string nvccForTests() {
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto root = llvm::sys::Process::GetEnv(variable))
      if (llvm::sys::fs::can_execute(*root + "/bin/nvcc"))
        return *root + "/bin/nvcc";
  if (auto found = llvm::sys::findProgramByName("nvcc"))
    return *found;
  if (llvm::sys::fs::can_execute("/usr/local/cuda/bin/nvcc"))
    return "/usr/local/cuda/bin/nvcc";
  return "";
}

inline void writeFile(const std::string &path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << text;
}

inline std::string readFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

/// nvcc's output for `source`, called source.cu; empty if it fails.
inline std::string compileForTests(const std::string &nvcc,
                                   llvm::StringRef source, std::string output,
                                   std::string architecture,
                                   bool lineinfo = true) {
  auto scratch = Scratch::create();
  if (!scratch) {
    llvm::consumeError(scratch.takeError());
    return "";
  }
  writeFile(scratch->path("source.cu"), source);
  std::vector<std::string> arguments = {
      nvcc, "source.cu", output, "-arch=" + architecture, "-o", "result", "-w"};
  if (lineinfo)
    arguments.push_back("-lineinfo");
  auto exit = scratch->run(arguments, scratch->folder().str(), "output",
                           std::chrono::seconds(1000));
  if (!exit) {
    llvm::consumeError(exit.takeError());
    return "";
  }
  return readFile(scratch->path("result"));
}

} // namespace warplint
