#include "findings/wording.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

// A kernel in a header and its launch elsewhere: a line alone would be looked
// for in the wrong file.
TEST(Wording, NamesTheFileOfALaunchInAnotherSource) {
  KernelShape shape{{16, 1, 1}, ShapeSource::Launch, {"/src/main.cu", 40, 3}};
  EXPECT_EQ(shapeNote(shape, {"/src/main.cu", 7, 1}),
            "for blocks of 16x1x1, launched at line 40");
  EXPECT_EQ(shapeNote(shape, {"/src/kernel.cuh", 7, 1}),
            "for blocks of 16x1x1, launched at main.cu:40");
}

TEST(Wording, NamesAreListedAsInASentence) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(quotedNames(llvm::ArrayRef(names).take_front(1)), "'a'");
  EXPECT_EQ(quotedNames(llvm::ArrayRef(names).take_front(2)), "'a' and 'b'");
  EXPECT_EQ(quotedNames(names), "'a', 'b' and 'c'");
}

} // namespace
