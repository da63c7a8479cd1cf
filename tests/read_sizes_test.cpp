// Estimates the cost of reading a source: the longest are started first.
#include "input/read_sizes.h"
#include "input_folder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class ReadSizesOf : public testing::Test {
protected:
  uint64_t of(llvm::StringRef text) {
    folder.write("a.cu", text);
    return ReadSizes({folder.path}, "cuda_runtime.h").of(folder.path + "/a.cu");
  }
  InputFolder folder;
};

} // namespace

// A small source of a large library takes longer than a large source.
TEST_F(ReadSizesOf, CountIncludedFiles) {
  const std::string text = "# include <library.h>\n#include <unknown>\n",
                    library =
                        "#include \"lib/detail.h\"\n" + std::string(1000, '/'),
                    detail = "#pragma once\n#include <library.h>\n";
  folder.write("library.h", library);
  folder.write("lib/detail.h", detail);
  EXPECT_EQ(of(text), text.size() + library.size() + detail.size());
  EXPECT_EQ(of("int x;"), 6u);
  EXPECT_EQ(ReadSizes({}, "").of(folder.path + "/missing.cu"), 0u);
}

TEST_F(ReadSizesOf, LeaveOutHeadersOfEverySource) {
  const std::string text = "#include <half.h>\n#include <cuda_runtime.h>\n",
                    half = "#include \"vectors.h\"\nstruct half;\n";
  folder.write("cuda_runtime.h", "#include \"vectors.h\"\n");
  folder.write("vectors.h", "struct float4;\n");
  folder.write("half.h", half);
  EXPECT_EQ(of(text), text.size() + half.size());
}
