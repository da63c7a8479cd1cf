#include "os/scratch.h"
#include "source/parse.h"
#include "tests/nvcc.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// Read by an attempt that says it is nvcc, and by no other.
constexpr const char *forNvcc = "#ifndef __NVCC__\n"
                                "#error this is for nvcc\n"
                                "#endif\n"
                                "__global__ void k(int *p) { *p = 1; }\n";

/// As it is typed: the attempt that is right for it finds the most errors.
constexpr const char *halfTyped = "#ifdef __NVCC__\n"
                                  "int a = ;\n"
                                  "int b = ;\n"
                                  "#else\n"
                                  "int c = ;\n"
                                  "#endif\n";

class Parse : public testing::Test {
protected:
  Scratch scratch = llvm::cantFail(Scratch::create());
  const std::string source = scratch.path("k.cu");

  size_t errors(const Store &kept, const Buffers &buffers = {}) {
    const Command command = {source, scratch.folder().str(), {"nvcc", source}};
    auto parsed = parse(command, translate(command.arguments, std::nullopt),
                        std::nullopt, WARPLINT_RESOURCE_DIR, kept, buffers);
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed ? (*parsed)->errors.size() : 0;
  }
};

} // namespace

// Else each character that one types in a source with large headers would have
// them read four times.
TEST_F(Parse, UnsavedTextIsParsedAsTheSavedOneWas) {
  const Store kept(scratch.path("kept"));
  EXPECT_EQ(errors(kept, {{source, halfTyped}}), 1u);
  writeFile(source, forNvcc);
  EXPECT_EQ(errors(kept), 0u);
  EXPECT_EQ(errors(kept, {{source, halfTyped}}), 2u);
  // Saved half typed, it is no better known than before.
  writeFile(source, halfTyped);
  EXPECT_EQ(errors(kept), 1u);
  EXPECT_EQ(errors(kept, {{source, forNvcc}}), 0u);
  EXPECT_EQ(errors(Store(), {{source, halfTyped}}), 1u);
}
