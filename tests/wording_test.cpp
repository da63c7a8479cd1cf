#include "findings/wording.h"
#include "model_builder.h"
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

// "at lines 35 to 412" were lines of two files.
TEST(Wording, LinesOfOtherFilesAreNoLinesOfThisOne) {
  const Place seen{"/src/a.cu", 7, 1}, here{"/src/a.cu", 8, 0},
      later{"a.cu", 12, 0}, there{"/lib/b.cuh", 306, 0};
  EXPECT_EQ(atLines({here}, seen), "at line 8");
  EXPECT_EQ(atLines({here, later}, seen), "at lines 8 to 12");
  EXPECT_EQ(atLines({here, there}, seen), "at line 8, and in other files");
  EXPECT_EQ(atLines({there}, seen), "at b.cuh:306");
  EXPECT_EQ(
      atLines({there, {"/lib/b.cuh", 310, 0}, {"/lib/c.cuh", 2, 0}}, seen),
      "at b.cuh:306 and 2 other lines");
  EXPECT_EQ(atLines({}, seen), "");
}

TEST(Wording, NamesAreListedAsInASentence) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(quotedNames(llvm::ArrayRef(names).take_front(1)), "'a'");
  EXPECT_EQ(quotedNames(llvm::ArrayRef(names).take_front(2)), "'a' and 'b'");
  EXPECT_EQ(quotedNames(names), "'a', 'b' and 'c'");
}

// No template parameter is called `r + 1`, and none `blockDim.x`.
TEST(Wording, TheCureOfABoundNamesWhatHasToBeAConstant) {
  ModelBuilder b;
  auto cure = [&](ValueId bound, const char *text) {
    Loop loop;
    loop.bound = bound;
    loop.hasBound = true;
    loop.boundText = text;
    return boundCure(b.kernel, loop);
  };
  const ValueId r = b.argument("r"), one = b.number(1);
  EXPECT_EQ(cure(r, "r"), "make 'r' a template parameter of the kernel");
  EXPECT_EQ(cure(b.add(r, one), "r + 1"), cure(r, "r"));
  EXPECT_EQ(cure(b.add(r, one), "count"), cure(r, "r"));
  EXPECT_EQ(cure(b.add(r, b.argument("s")), "r + s"),
            "make 'r' and 's' template parameters of the kernel");
  EXPECT_EQ(cure(b.graph.special(Op::BlockSize, 0, 64), "blockDim.x"),
            "make the size of the block a template parameter of the kernel");
  const ValueId member =
      b.graph.loaded(b.object("p", Space::Parameter), "p.n", 64, false);
  EXPECT_EQ(cure(member, "p.n"), "make 'p.n' a template parameter of the kernel");
  Loop unknown;
  unknown.boundText = "columns";
  EXPECT_EQ(boundCure(b.kernel, unknown), "");
}

} // namespace
