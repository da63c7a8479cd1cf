// What is added to the commands of sources that no build compiles.
#pragma once
#include "input/command.h"
#include "input_folder.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

namespace warplint {

/// The words that `adder` adds to the command of a source with `flags`.
template <class Adder>
std::vector<std::string> addedBy(Adder &adder, const InputFolder &folder,
                                 const std::string &source,
                                 const std::vector<std::string> &flags,
                                 bool isBare) {
  Command command{source, folder.path, {"nvcc"}, isBare};
  llvm::append_range(command.arguments, flags);
  command.arguments.push_back(source);
  adder.addTo(command);
  EXPECT_EQ(command.arguments.back(), source);
  std::vector<std::string> words = command.arguments;
  words.pop_back();
  words.erase(words.begin(), words.begin() + 1 + flags.size());
  return words;
}

} // namespace warplint
