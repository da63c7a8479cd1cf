// A command line as it is typed, and the options or the error that it gives.
#pragma once
#include "commands/parse_options.h"
#include <gtest/gtest.h>

namespace warplint {

inline llvm::Expected<Options>
parsed(std::initializer_list<const char *> arguments) {
  std::vector<const char *> all = {"warplint"};
  all.insert(all.end(), arguments);
  return parseOptions(all);
}

inline Options good(std::initializer_list<const char *> arguments) {
  llvm::Expected<Options> options = parsed(arguments);
  if (options)
    return *options;
  ADD_FAILURE() << llvm::toString(options.takeError());
  return {};
}

inline std::string bad(std::initializer_list<const char *> arguments) {
  llvm::Expected<Options> options = parsed(arguments);
  return options ? "no error" : llvm::toString(options.takeError());
}

} // namespace warplint
