// Sources and runs for tests of the program's commands.
#pragma once
#include "input/toolkit.h"
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "test_paths.h"
#include <gmock/gmock.h>

namespace warplint {

const char *const strided =
    "__global__ void rows(float *a, int n) { a[threadIdx.x * n] = 0; }\n";
const char *const clean =
    "__global__ void copy(float *a) { a[threadIdx.x] = 0; }\n";

inline Outcome checkOnly(const std::string &path) {
  return runProgram({"check", "--no-judge", path});
}

/// A toolkit root with this machine's headers and, unless it is empty, `nvcc`
/// as a script. Empty if there is no toolkit to take headers from.
inline std::string stubToolkit(const InputFolder &folder,
                               llvm::StringRef nvcc) {
  namespace path = llvm::sys::path;
  std::string real = nvccForTests();
  std::string include =
      includeFolder(path::parent_path(path::parent_path(real)));
  if (include.empty())
    return "";
  llvm::sys::fs::create_directory(folder / "toolkit");
  llvm::sys::fs::create_link(include, folder / "toolkit/include");
  if (!nvcc.empty())
    folder.writeProgram("toolkit/bin/nvcc", nvcc);
  return folder / "toolkit";
}

/// The program as a process, with `input` on standard input.
inline Outcome runWithInput(std::vector<std::string> words,
                            llvm::StringRef input, llvm::StringRef out = "") {
  InputFolder folder;
  const std::string in = folder.write("in", input);
  const std::string file = out.empty() ? folder.write("out") : out.str();
  const std::string err = folder.write("err");
  words.insert(words.begin(), WARPLINT_BINARY);
  std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(in), llvm::StringRef(file), llvm::StringRef(err)};
  Outcome outcome;
  outcome.code = llvm::sys::ExecuteAndWait(WARPLINT_BINARY, arguments,
                                           std::nullopt, redirects);
  if (out.empty())
    outcome.out = readFile(file);
  outcome.err = readFile(err);
  return outcome;
}

} // namespace warplint
