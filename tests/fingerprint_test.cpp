#include "findings/fingerprint.h"
#include "input_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;

static Finding at(const std::string &file, unsigned line, unsigned column,
                  std::string about = "a[i * n]") {
  Finding finding;
  finding.check = "strided-global-access";
  finding.place = {file, line, column};
  finding.message = "32 sectors";
  finding.about = about;
  finding.kernels = {{"k<4>", "_Zk", "sm_90", {Verdict::Confirmed, "e"}}};
  return finding;
}

static std::string printOf(const Finding &finding) {
  return fingerprints({finding}).front().text;
}

// Baselines depend on it: after a formatter and a new include the file has the
// same findings.
TEST(Fingerprint, MovingAndReformattingKeepTheFingerprint) {
  InputFolder folder;
  std::string file = folder.write("a.cu", "void f();\n"
                                          "void k() {\n"
                                          "  x = a[i * n] + b;\n"
                                          "}\n");
  const std::string before = printOf(at(file, 3, 7));
  folder.write("a.cu", "#include <x.h>\n"
                       "// it's new\n"
                       "void k()\n"
                       "{\n"
                       "  x =\n"
                       "      a[i*n] // why; not\n"
                       "      + b;\n"
                       "}\n");
  EXPECT_EQ(printOf(at(file, 6, 7, "a[i*n]")), before);
  EXPECT_EQ(before.size(), 16u);
}

TEST(Fingerprint, StatementCheckKernelAndSubjectChangeIt) {
  InputFolder folder;
  std::string file = folder.write("a.cu", "x = a[i * n];\ny = a[i * n];\n");
  Finding one = at(file, 1, 5);
  Finding statement = at(file, 2, 5), check = one, kernel = one,
          about = at(file, 1, 5, "b[i]"), call = one;
  check.check = "scattered-global-access";
  kernel.kernels[0].name = "m<4>";
  call.callSites = {{file, 2, 1}};
  for (const Finding &other : {statement, check, kernel, about, call})
    EXPECT_NE(printOf(other), printOf(one));
}

// A template gets a new instance, the compiler new figures: no new finding.
TEST(Fingerprint, InstancesAndFiguresDoNotChangeIt) {
  InputFolder folder;
  std::string file = folder.write("a.cu", "x = a[i * n];\n");
  Finding one = at(file, 1, 5, "");
  one.about = one.message = "needs 12 registers";
  Finding later = one;
  later.about = later.message = "needs 140 registers";
  later.kernels.insert(later.kernels.begin(), later.kernels[0]);
  later.kernels[0].name = "k<(lambda at a.cu:3:4), 2>";
  EXPECT_EQ(printOf(one), printOf(later));
}

TEST(Fingerprint, EqualFindingsOfAFileAreNumbered) {
  InputFolder folder;
  std::string a = folder.write("a.cu", "x = a[i];\nx = a[i];\n");
  std::string b = folder.write("b.cu", "x = a[i];\n");
  std::vector<Fingerprint> prints =
      fingerprints({at(a, 1, 5), at(a, 2, 5), at(b, 1, 5)});
  EXPECT_NE(prints[0].text, prints[1].text);
  EXPECT_NE(prints[0].text, prints[2].text);
  EXPECT_EQ(prints[0].moved, prints[2].moved);
  EXPECT_EQ(prints[2].text, printOf(at(b, 1, 5)));
}

TEST(Fingerprint, AMissingSourceStillGivesFingerprints) {
  EXPECT_EQ(printOf(at("/no/such.cu", 3, 1)).size(), 16u);
  EXPECT_NE(printOf(at("/no/such.cu", 3, 1)),
            printOf(at("/no/such.cu", 3, 1, "b[i]")));
}
