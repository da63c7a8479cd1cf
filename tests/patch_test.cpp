// Fixes as a patch and as YAML: other tools apply them without asking.
#include "report/patch.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string patch(const std::string &before, const std::string &after) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printPatch({{"/src/a.cu", before}}, {{"/src/a.cu", after}}, "/src", out);
  return text;
}

/// "1\n2\n3\n" up to `last`, with other text in some lines.
std::string lines(int last, const std::map<int, std::string> &other = {}) {
  std::string text;
  for (int line = 1; line <= last; ++line) {
    auto found = other.find(line);
    text += found == other.end() ? std::to_string(line) + "\n" : found->second;
  }
  return text;
}

TEST(Patch, AHunkHasThreeLinesOnEachSide) {
  EXPECT_EQ(patch(lines(9), lines(9, {{5, "five\nand more\n"}})),
            "--- a/a.cu\n+++ b/a.cu\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n"
            "-5\n+five\n+and more\n 6\n 7\n 8\n");
}

// Hunks that overlap are refused by `git apply`.
TEST(Patch, ChangesWhoseContextTouchesAreOneHunk) {
  const std::string near =
      patch(lines(20), lines(20, {{5, "five\n"}, {11, "eleven\n"}}));
  EXPECT_THAT(near, HasSubstr("@@ -2,13 +2,13 @@\n"));
  EXPECT_EQ(near.find("@@ -"), near.rfind("@@ -"));
  const std::string far =
      patch(lines(20), lines(20, {{5, ""}, {13, "thirteen\n"}}));
  EXPECT_THAT(far, HasSubstr("@@ -2,7 +2,6 @@\n"));
  EXPECT_THAT(far, HasSubstr("@@ -10,7 +9,7 @@\n"));
}

// The form that `patch` wants of the line before an insertion into nothing.
TEST(Patch, AnEmptyOrUnfinishedFileHasTheFormOfDiff) {
  EXPECT_EQ(patch("", "1\n"), "--- a/a.cu\n+++ b/a.cu\n@@ -0,0 +1 @@\n+1\n");
  EXPECT_EQ(patch("1\n2", "1\n2\n"),
            "--- a/a.cu\n+++ b/a.cu\n@@ -1,2 +1,2 @@\n 1\n-2\n"
            "\\ No newline at end of file\n+2\n");
  EXPECT_EQ(patch("1\n", "1\n"), "");
}

Finding withEdit(unsigned offset, unsigned length, const std::string &text,
                 Verdict verdict = Verdict::Confirmed) {
  Finding finding;
  finding.check = "some-check";
  finding.kernels.push_back({"k", "k", "sm_90", {verdict, ""}});
  Fix fix;
  fix.edits = {
      {{"/src/a.cu", 1, 1}, {"/src/a.cu", 1, 2}, offset, length, text}};
  finding.edit = fix;
  return finding;
}

std::string replacements(const std::vector<Finding> &findings) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printReplacements(findings, out);
  return text;
}

TEST(Patch, ReplacementsAreThoseThatHold) {
  Finding rolledBack = withEdit(50, 1, "rolled back");
  rolledBack.edit->proof = Proof::RolledBack;
  const std::string text =
      replacements({withEdit(10, 2, "a \"b\"\n"), rolledBack,
                    withEdit(70, 1, "refuted", Verdict::Refuted), Finding()});
  EXPECT_EQ(text, "---\nMainSourceFile: ''\nReplacements:\n"
                  "  - FilePath: \"/src/a.cu\"\n    Offset: 10\n"
                  "    Length: 2\n    ReplacementText: \"a \\\"b\\\"\\n\"\n"
                  "...\n");
}

// clang-apply-replacements drops all of a file if two of them overlap.
TEST(Patch, AnOverlappingReplacementIsLeftOut) {
  const std::string text =
      replacements({withEdit(10, 4, "first"), withEdit(12, 1, "second"),
                    withEdit(14, 2, "touching"), withEdit(15, 2, "third")});
  EXPECT_THAT(text, HasSubstr("\"first\""));
  EXPECT_THAT(text, Not(HasSubstr("\"second\"")));
  EXPECT_THAT(text, Not(HasSubstr("\"touching\"")));
  EXPECT_THAT(text, HasSubstr("\"third\""));
}

} // namespace
