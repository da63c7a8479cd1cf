// Comments that take findings out of a report, and those that only look so.
#include "findings/allowances.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

std::vector<Allowance> allowancesIn(llvm::StringRef text) {
  return readAllowances("/k.cu", SourceText(text));
}

/// The only allowance in a text.
Allowance only(llvm::StringRef text) {
  const std::vector<Allowance> found = allowancesIn(text);
  EXPECT_EQ(found.size(), 1u) << text.str();
  return found.empty() ? Allowance() : found[0];
}

bool isOfKernelAt(llvm::StringRef text, unsigned line, unsigned column) {
  const SourceText source(text);
  KernelOutline kernel;
  kernel.place = {"/k.cu", line, column};
  const std::vector<Allowance> found = readAllowances("/k.cu", source);
  EXPECT_EQ(found.size(), 1u);
  return !found.empty() && isOfKernel(found[0], source, kernel);
}

} // namespace

TEST(Allowances, ACommentBehindCodeIsOfItsLine) {
  const Allowance found =
      only("int i;\na[i * n] = 0; // warplint: allow(x) runs once\na[i] = 1;");
  EXPECT_EQ(found.check, "x");
  EXPECT_EQ(found.reason, "runs once");
  EXPECT_EQ(found.first, 2u);
  EXPECT_EQ(found.last, 2u);
  EXPECT_EQ(found.place.line, 2u);
}

// A statement of several lines has its finding on any of them.
TEST(Allowances, ACommentOfItsOwnIsOfTheWholeNextStatement) {
  const Allowance found = only("// warplint: allow(x) measured\n"
                               "\n"
                               "// why it is so\n"
                               "sum += a[i]\n"
                               "       + a[i * n];\n"
                               "b[i] = 0;");
  EXPECT_EQ(found.first, 4u);
  EXPECT_EQ(found.last, 5u);
}

TEST(Allowances, SeveralIdsShareOneReason) {
  const auto found =
      allowancesIn("a[i] = 0; /* warplint: allow(x, y) - both measured */");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].check, "x");
  EXPECT_EQ(found[1].check, "y");
  for (const Allowance &one : found)
    EXPECT_EQ(one.reason, "both measured");
}

TEST(Allowances, AWholeFileMayBeAllowed) {
  const Allowance found = only("// warplint: allow-file(x) generated\nint i;");
  EXPECT_TRUE(found.ofFile);
  EXPECT_EQ(found.wrong, "");
}

// A habit from another linter would otherwise do nothing, in silence.
TEST(Allowances, AWordOfAnotherLinterIsAnErrorThatNamesTheRightOne) {
  for (const char *word :
       {"ignore(x)", "disable-next-line(x)", "nolint", "alow(x)"}) {
    const std::string text =
        std::string("a[i] = 0; // warplint: ") + word + "\n";
    EXPECT_THAT(only(text).wrong, HasSubstr("did you mean")) << word;
  }
  EXPECT_THAT(only("a[i] = 0; // warplint: allow x\n").wrong,
              HasSubstr("in brackets"));
  EXPECT_THAT(only("a[i] = 0; // warplint: allow(x\n").wrong,
              HasSubstr("in brackets"));
}

// Prose about the program, and its name in a string, are no allowances.
TEST(Allowances, ASentenceIsNone) {
  EXPECT_TRUE(
      allowancesIn("// warplint: ignore what it says of loops\n").empty());
  EXPECT_TRUE(allowancesIn("// warplint: finds two here\n").empty());
  EXPECT_TRUE(
      allowancesIn("const char *s = \"// warplint: allow(x) no\";\n").empty());
}

TEST(Allowances, TheHeadOfAKernelAllowsForTheWholeKernel) {
  EXPECT_TRUE(isOfKernelAt("// warplint: allow(x) why\n"
                           "__global__ void k(int n) {\n  int i;\n}\n",
                           2, 17));
  EXPECT_TRUE(
      isOfKernelAt("__global__ void k(int n) { // warplint: allow(x) w\n"
                   "  int i;\n}\n",
                   1, 17));
  EXPECT_FALSE(isOfKernelAt("__global__ void k(int n) {\n"
                            "  int i; // warplint: allow(x) why\n}\n",
                            1, 17));
  EXPECT_FALSE(isOfKernelAt("// warplint: allow(x) why\n"
                            "struct S {};\n"
                            "__global__ void k(int n) {\n}\n",
                            3, 17));
}

// A file that was saved with the line ends of another system, and a comment at
// the very end.
TEST(Allowances, LineEndsDoNotReachTheReason) {
  EXPECT_EQ(only("a[i] = 0; // warplint: allow(x) why\r\nb = 1;\r\n").reason,
            "why");
  const Allowance last = only("// warplint: allow(x) nothing follows");
  EXPECT_EQ(last.first, 1u);
  EXPECT_EQ(last.last, 1u);
}
