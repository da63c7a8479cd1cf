// The kernel of a text that has one.
#pragma once
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

inline Kernel kernelOf(llvm::StringRef source) {
  SourceModel model = readText(source);
  EXPECT_EQ(model.kernels.size(), 1u);
  return model.kernels.empty() ? Kernel() : std::move(model.kernels[0]);
}

} // namespace warplint
