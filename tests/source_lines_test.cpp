// Lines of sources, as snippets and suggestions show them.
#include "input_folder.h"
#include "report/source_lines.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct Lines : testing::Test {
  InputFolder folder;
};

} // namespace

TEST_F(Lines, LinesCountFromOneAndHaveNoEnds) {
  const std::string file = folder.write("a.cu", "one\r\n\nthree");
  SourceLines lines;
  EXPECT_EQ(lines.count(file), 3u);
  EXPECT_EQ(lines.line(file, 1), "one");
  EXPECT_EQ(lines.line(file, 2), "");
  EXPECT_EQ(lines.line(file, 3), "three");
  EXPECT_FALSE(lines.line(file, 0));
  EXPECT_FALSE(lines.line(file, 4));
}

TEST_F(Lines, AFileThatIsNotThereHasNone) {
  SourceLines lines;
  EXPECT_EQ(lines.count(folder / "gone.cu"), 0u);
  EXPECT_FALSE(lines.line(folder / "gone.cu", 1));
  EXPECT_EQ(lines.utf16Column(folder / "gone.cu", 1, 5), 5u);
  EXPECT_EQ(SourceLines().count(folder / "."), 0u) << "a folder";
}

// The editor's text is what the user sees, saved or not.
TEST_F(Lines, ABufferStandsForTheFile) {
  const std::string file = folder.write("a.cu", "saved\n");
  SourceLines lines(Buffers{{file, "typed\nmore\n"}});
  EXPECT_EQ(lines.line(file, 1), "typed");
  EXPECT_EQ(lines.count(file), 2u);
}

// All excerpts of a report show one state, though the user goes on editing.
TEST_F(Lines, AFileIsReadOnce) {
  const std::string file = folder.write("a.cu", "before\n");
  SourceLines lines;
  EXPECT_EQ(lines.line(file, 1), "before");
  folder.write("a.cu", "after\n");
  EXPECT_EQ(lines.line(file, 1), "before");
  EXPECT_EQ(SourceLines().line(file, 1), "after");
}

// An editor that counts otherwise would underline the wrong word.
TEST_F(Lines, AColumnAfterLongCharactersIsSmallerInUtf16) {
  // "ä" has two bytes and one unit, the smiling face four bytes and two.
  const std::string file =
      folder.write("a.cu", "\xC3\xA4 x\n\xF0\x9F\x98\x80 x\n");
  SourceLines lines;
  EXPECT_EQ(lines.utf16Column(file, 1, 4), 3u);
  EXPECT_EQ(lines.utf16Column(file, 2, 6), 4u);
  EXPECT_EQ(lines.utf16Column(file, 1, 1), 1u);
  EXPECT_EQ(lines.utf16Column(file, 1, 0), 0u) << "no column";
  EXPECT_EQ(lines.utf16Column(file, 1, 99), 4u) << "the end of the line";
}
