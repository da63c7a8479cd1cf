// Sources that nvcc accepts as they stand, each read without an error.
#pragma once
#include "nvcc.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

/// The names of the kernels that were read, with the accesses in each; each
/// error instead.
inline std::string kernelsIn(llvm::StringRef source, bool withToolkit,
                             std::vector<std::string> flags = {}) {
  const SourceModel model = readText(source, withToolkit, std::move(flags));
  std::string text;
  for (const ParseError &error : model.outline.errors)
    text += "line " + std::to_string(error.line) + ": " + error.text + "; ";
  for (const Kernel &kernel : model.kernels)
    text += kernel.name + " " + std::to_string(kernel.accesses.size()) + "; ";
  return text;
}

inline void expectKernels(llvm::StringRef source, llvm::StringRef kernels,
                          std::vector<std::string> flags = {}) {
  EXPECT_EQ(kernelsIn(source, false, flags), kernels) << "headers of our own";
  if (hasToolkit()) {
    EXPECT_EQ(kernelsIn(source, true, flags), kernels) << "toolkit's headers";
  }
}

} // namespace warplint
