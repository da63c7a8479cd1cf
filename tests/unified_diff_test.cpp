// Diffs as git, diff -u and Mercurial write them: a line that is missed is a
// finding that nobody sees.
#include "input/unified_diff.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

ChangedLines read(llvm::StringRef text) {
  auto lines = readUnifiedDiff(text);
  if (lines)
    return *lines;
  ADD_FAILURE() << llvm::toString(lines.takeError());
  return {};
}

std::string complaint(llvm::StringRef text) {
  auto lines = readUnifiedDiff(text);
  return lines ? "" : llvm::toString(lines.takeError());
}

std::vector<LineRange> ranges(std::vector<LineRange> all) { return all; }

TEST(UnifiedDiff, AddedLinesAreToldFromContext) {
  EXPECT_THAT(read("diff --git a/k.cu b/k.cu\n"
                   "index 1..2 100644\n"
                   "--- a/k.cu\n"
                   "+++ b/k.cu\n"
                   "@@ -3,4 +3,6 @@ __global__ void k()\n"
                   " same\n"
                   "-old\n"
                   "+new\n"
                   "+and new\n"
                   " same\n"
                   "+one more\n"
                   " same\n"),
              ElementsAre(Pair("b/k.cu", ranges({{4, 5}, {7, 7}}))));
}

// A line of code that begins with "++ " is not the name of a file.
TEST(UnifiedDiff, CodeThatLooksLikeAHeaderIsCode) {
  EXPECT_THAT(read("--- a/k.cu\n+++ b/k.cu\n"
                   "@@ -1,2 +1,2 @@\n"
                   "--- old;\n"
                   "+++ new;\n"
                   " same\n"),
              ElementsAre(Pair("b/k.cu", ranges({{1, 1}}))));
}

TEST(UnifiedDiff, ReadsNewRemovedAndRenamedFiles) {
  EXPECT_THAT(
      read("--- /dev/null\n+++ b/new.cu\n@@ -0,0 +1,2 @@\n+a\n+b\n"
           "diff --git a/gone.cu b/gone.cu\n"
           "--- a/gone.cu\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
           "diff --git a/old.h b/moved.h\nsimilarity index 100%\n"
           "rename from old.h\nrename to moved.h\n"
           "--- x/y.cu\t2026-01-01 00:00:00\n+++ y.cu\t2026-01-02 00:00:00\n"
           "@@ -5 +5 @@\n-a\n+b\n"
           "\\ No newline at end of file\n"),
      ElementsAre(Pair("b/new.cu", ranges({{1, 2}})),
                  Pair("moved.h", ranges({})), Pair("y.cu", ranges({{5, 5}}))));
}

TEST(UnifiedDiff, ReadsQuotedNamesAndWindowsLines) {
  EXPECT_THAT(read("--- \"a/\\303\\244 b.cu\"\r\n+++ \"b/\\303\\244 b.cu\"\r\n"
                   "@@ -1 +1 @@\r\n-a\r\n+b\r\n"),
              ElementsAre(Pair("b/\xc3\xa4 b.cu", ranges({{1, 1}}))));
}

TEST(UnifiedDiff, AFileWithOnlyRemovalsHasNoLines) {
  EXPECT_THAT(read("--- a/k.cu\n+++ b/k.cu\n@@ -4,2 +3,0 @@\n-a\n-b\n"),
              ElementsAre(Pair("b/k.cu", ranges({}))));
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read("\n").empty());
}

TEST(UnifiedDiff, OtherAndTruncatedTextIsRejected) {
  EXPECT_THAT(complaint("hello\n"), HasSubstr("no unified diff"));
  EXPECT_THAT(complaint("--- a/k.cu\n+++ b/k.cu\n@@ -1,2 +1,9 @@\n+a\n"),
              HasSubstr("ends within its part on 'b/k.cu'"));
  EXPECT_THAT(complaint("--- a/k.cu\n+++ b/k.cu\n@@ -1,3 +1,3 @@\n a\nnone\n"),
              HasSubstr("none of a diff"));
}

} // namespace
