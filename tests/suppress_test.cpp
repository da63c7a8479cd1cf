#include "findings/suppress.h"
#include "compiled/scratch.h"
#include "nvcc.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

const std::vector<std::string> known = {"repeated-global-write",
                                        "strided-global-access"};

class Suppress : public testing::Test {
protected:
  /// What is left of findings of strided-global-access at `lines` of `text`.
  Suppressed lint(llvm::StringRef text, std::vector<unsigned> lines) {
    auto scratch = llvm::cantFail(Scratch::create());
    std::string file = scratch.path("a.cu");
    writeFile(file, text);
    std::vector<Finding> findings;
    for (unsigned line : lines) {
      Finding finding;
      finding.check = "strided-global-access";
      finding.place = {file, line, 3};
      findings.push_back(finding);
    }
    return suppress(findings, {file}, known, known);
  }
};

} // namespace

TEST_F(Suppress, OnTheLineOrAbove) {
  Suppressed on = lint(
      "x; // warplint: allow(strided-global-access) read once\ny;\n", {1, 2});
  EXPECT_EQ(on.hidden, 1u);
  ASSERT_EQ(on.findings.size(), 1u);
  EXPECT_EQ(on.findings[0].place.line, 2u); // the next line has its own code

  Suppressed above = lint(
      "  // warplint: allow(strided-global-access) read once\n  y;\n", {2});
  EXPECT_EQ(above.hidden, 1u);
  EXPECT_THAT(above.notes, IsEmpty());
}

TEST_F(Suppress, NeedsAReason) {
  Suppressed result =
      lint("x; // warplint: allow(strided-global-access)\n", {1});
  EXPECT_EQ(result.hidden, 0u);
  EXPECT_THAT(result.notes,
              ElementsAre("a.cu:1: 'allow(strided-global-access)' has no "
                          "reason, so it hides nothing"));
}

// Else comments outlive what they were written for.
TEST_F(Suppress, SaysWhatHidesNothing) {
  Suppressed result =
      lint("x; // warplint: allow(strided-global-access) was slow\n", {});
  EXPECT_THAT(result.notes,
              ElementsAre("a.cu:1: 'allow(strided-global-access)' hides "
                          "nothing any more"));
}

TEST_F(Suppress, SaysWhichIdIsNone) {
  Suppressed result =
      lint("x; // warplint: allow(strided-global-acces) why\n", {1});
  EXPECT_EQ(result.hidden, 0u);
  EXPECT_THAT(result.notes,
              ElementsAre("a.cu:1: 'allow(strided-global-acces)' names no "
                          "check; did you mean 'strided-global-access'?"));
}

TEST_F(Suppress, SeveralChecksAtOnce) {
  std::vector<Allowance> found = readAllowances(
      "a.cu", "x; // warplint: allow(strided-global-access, "
              "repeated-global-write) both meant\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].check, "repeated-global-write");
  EXPECT_EQ(found[1].reason, "both meant");
}

TEST_F(Suppress, TextThatIsNoCommentIsNone) {
  EXPECT_THAT(readAllowances("a.cu", "f(\"warplint: allow(x) y\");\n"),
              IsEmpty());
}
