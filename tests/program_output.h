// The options of a command as help shows them, and what other programs print.
#pragma once
#include "commands/command_line.h"
#include "input_folder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <gtest/gtest.h>

namespace warplint {

inline std::vector<const CLI::Option *> shown(const CommandLine &line) {
  std::vector<const CLI::Option *> all;
  for (const CLI::Option *option : line.app.get_options())
    if (!option->get_group().empty())
      all.push_back(option);
  return all;
}

/// Returns what a program prints for `arguments`; fails the test if it fails.
inline std::string outputOf(llvm::StringRef program,
                            std::vector<llvm::StringRef> arguments) {
  InputFolder folder;
  const std::string out = folder.write("out"), err = folder.write("err");
  arguments.insert(arguments.begin(), program);
  std::optional<llvm::StringRef> redirects[] = {"", llvm::StringRef(out),
                                                llvm::StringRef(err)};
  EXPECT_EQ(llvm::sys::ExecuteAndWait(program, arguments, std::nullopt,
                                      redirects, /*SecondsToWait=*/60),
            0);
  auto said = llvm::MemoryBuffer::getFile(err);
  EXPECT_EQ((*said)->getBuffer(), "");
  auto text = llvm::MemoryBuffer::getFile(out);
  return (*text)->getBuffer().str();
}

} // namespace warplint
