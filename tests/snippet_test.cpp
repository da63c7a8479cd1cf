// A line of source on a terminal, with a caret below a column.
#include "report/snippet.h"
#include <gtest/gtest.h>

using namespace warplint;

static std::string underlined(llvm::StringRef line, unsigned column,
                              unsigned width = 100) {
  Snippet shown = snippet(line, column, width);
  if (!shown.caret)
    return shown.text;
  return shown.text + "\n" + std::string(*shown.caret, ' ') + "^";
}

TEST(Snippet, TheCaretIsAlignedAfterTabs) {
  EXPECT_EQ(underlined("\tx[i];", 2), "        x[i];\n"
                                      "        ^");
  EXPECT_EQ(underlined("a\tb", 3), "a       b\n"
                                   "        ^");
}

TEST(Snippet, TheCaretIsAlignedAfterWideCharacters) {
  EXPECT_EQ(underlined("/*é*/ x", 8), "/*é*/ x\n"
                                      "      ^");
  EXPECT_EQ(underlined("/*漢字*/x", 11), "/*漢字*/x\n"
                                         "        ^");
  EXPECT_EQ(underlined("é", 2), "é\n^") << "in the middle of a character";
  EXPECT_EQ(underlined("\xEF\xBB\xBFx", 4), "x\n^") << "a byte order mark";
}

// A source in Latin-1, or a binary file with a .cu name: the terminal survives.
TEST(Snippet, InvalidBytesAreReplaced) {
  EXPECT_EQ(underlined("\xE9\x1B[31m x", 8), "��[31m x\n"
                                             "       ^");
  EXPECT_EQ(underlined("ab\xE6\xBC", 5), "ab��\n"
                                         "    ^");
}

TEST(Snippet, AColumnBeyondTheLineHasNoCaret) {
  EXPECT_EQ(underlined("ab", 3), "ab\n  ^");
  EXPECT_EQ(underlined("ab", 4), "ab");
  EXPECT_EQ(underlined("ab", 0), "ab");
  EXPECT_EQ(underlined("", 1), "\n^");
}

TEST(Snippet, AVeryLongLineIsCutAroundTheCaret) {
  std::string line = "begin " + std::string(40, 'x') + " here " +
                     std::string(40, 'y') + " end";
  EXPECT_EQ(underlined(line, 48, 30), "...xxxxxxxxxxxxxxxx here yy...\n"
                                      "                    ^");
  EXPECT_EQ(underlined(line, 1, 30), "begin xxxxxxxxxxxxxxxxxxxxx...\n"
                                     "^");
  EXPECT_EQ(underlined(line, 94, 30), "...yyyyyyyyyyyyyyyyyyyyyyy end\n"
                                      "                           ^");
  EXPECT_EQ(underlined(line, 0, 30), "begin xxxxxxxxxxxxxxxxxxxxx...");
}
