#include "base/printable.h"
#include "gtest/gtest.h"

using namespace warplint;

TEST(Printable, ReplacesWhatMovesTheCursor) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("src/a b.cu"), "src/a b.cu");
  EXPECT_EQ(printable("größe-漢.cu"), "größe-漢.cu");
  EXPECT_EQ(printable("a\x1b[31m\r\n\tb\x7f"),
            "a\uFFFD[31m\uFFFD\uFFFD\uFFFDb\uFFFD");
  // CSI of Latin-1 as UTF-8, a mark that reverses text, and no UTF-8.
  EXPECT_EQ(printable("\u009b2J\u202ecu.a\xff"), "\uFFFD2J\uFFFDcu.a\uFFFD");
}

TEST(Printable, KeepsLinesWhereTheyAreMeant) {
  EXPECT_EQ(printableLines("a\nb\n"), "a\nb\n");
  EXPECT_EQ(printableLines("\na\x1b\n\nb"), "\na\uFFFD\n\nb");
  EXPECT_EQ(printableLines(""), "");
}
