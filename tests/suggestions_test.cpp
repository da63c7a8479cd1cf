// Edits as suggestions of a review, which replace whole lines.
#include "gather.h"
#include "input_folder.h"
#include "report/suggestions.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

struct Suggestions : testing::Test {
  InputFolder folder;
  std::string file = folder.write("a.cu", "int a;\n"
                                          "  float x = 1.0;\n"
                                          "  float y = 2.0;\n"
                                          "int b;\n");
  Finding finding = gather();

  void edit(Place begin, Place end, std::string text) {
    begin.file = end.file = file;
    if (!finding.edit)
      finding.edit.emplace();
    finding.edit->edits.push_back(
        {std::move(begin), std::move(end), 0, 0, std::move(text)});
  }
  std::string printed() const {
    std::string text;
    llvm::raw_string_ostream out(text);
    printSuggestions({&finding}, {}, folder.path, out);
    return text;
  }
};

} // namespace

TEST_F(Suggestions, ALineIsGivenWholeWithWhatStandsAroundTheEdit) {
  edit({"", 2, 13}, {"", 2, 16}, "1.0f");
  EXPECT_EQ(printed(), "\n`a.cu` line 2, dynamic-local-array (safe, "
                       "unproven):\n\n```suggestion\n"
                       "  float x = 1.0f;\n```\n");
}

// Two edits of one fix are one suggestion: a reviewer who takes one half would
// break the code.
TEST_F(Suggestions, SeveralEditsGiveTheLinesBetweenThemToo) {
  edit({"", 1, 5}, {"", 1, 6}, "A");
  edit({"", 3, 13}, {"", 3, 16}, "2.0f");
  EXPECT_THAT(printed(), HasSubstr("`a.cu` line 1 to 3, "));
  EXPECT_THAT(printed(), HasSubstr("```suggestion\nint A;\n  float x = 1.0;\n"
                                   "  float y = 2.0f;\n```\n"));
}

TEST_F(Suggestions, AnInsertionOnTheSameLineKeepsBothParts) {
  edit({"", 2, 3}, {"", 2, 3}, "const ");
  edit({"", 2, 13}, {"", 2, 16}, "1.0f");
  EXPECT_THAT(printed(), HasSubstr("\n  const float x = 1.0f;\n"));
}

TEST_F(Suggestions, LinesThatAnEditRemovesAreGone) {
  edit({"", 2, 3}, {"", 3, 17}, "float z;");
  EXPECT_THAT(printed(), HasSubstr("line 2 to 3"));
  EXPECT_THAT(printed(), HasSubstr("```suggestion\n  float z;\n```\n"));
}

// An edit that was tried and taken back must not be one click away.
TEST_F(Suggestions, WhatWasRolledBackOrCannotBeReadIsLeftOut) {
  edit({"", 2, 13}, {"", 2, 16}, "1.0f");
  finding.edit->proof = Proof::RolledBack;
  EXPECT_EQ(printed(), "");
  finding.edit->proof = Proof::Proven;
  EXPECT_THAT(printed(), HasSubstr("proven"));
  for (Edit &edit : finding.edit->edits)
    edit.begin.file = edit.end.file = folder / "gone.cu";
  EXPECT_EQ(printed(), "");
  finding.edit->edits.clear();
  EXPECT_EQ(printed(), "");
}

// Another text in its place would be applied to the source.
TEST_F(Suggestions, ALineThatIsAWorkflowCommandIsNotSuggested) {
  edit({"", 2, 3}, {"", 2, 17}, "::error::x();");
  EXPECT_EQ(printed(), "");
}

TEST_F(Suggestions, TabsStay) {
  edit({"", 2, 3}, {"", 2, 3}, "\t");
  EXPECT_THAT(printed(), HasSubstr("\n  \tfloat x = 1.0;\n"));
}
