// Tests that a source cannot have the lines of its reader's files shown.
#include "program_runs.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A kernel that has a finding at line `line` of `file`, if it is believed.
std::string claims(const std::string &file, unsigned line) {
  return "__global__ void rows(float *a, int n) {\n"
         "#line " +
         std::to_string(line) + " \"" + file +
         "\"\n"
         "  a[threadIdx.x * n] = 0;\n"
         "}\n";
}

TEST(ForeignLines, ALineDirectiveShowsNoPrivateFile) {
  InputFolder home, folder;
  const std::string secret = home.write("key", "first\nsecret\nthird\n");
  const Outcome outcome = checkOnly(folder.write("a.cu", claims(secret, 2)));
  EXPECT_THAT(outcome.out, Not(HasSubstr("secret\n")));
  EXPECT_THAT(outcome.out, HasSubstr("a.cu:3:22: warning: "));
  EXPECT_THAT(outcome.out, HasSubstr("    3 |   a[threadIdx.x * n] = 0;\n"));
}

// In any spelling: by a preprocessor's marker, by a relative path, in a header.
TEST(ForeignLines, NoSpellingShowsIt) {
  InputFolder home, folder;
  home.write("key", "first\nsecret\n");
  for (const std::string &name :
       {home / "key", folder.path + "/.." +
                          home.path.substr(home.path.rfind('/')) + "/key"}) {
    folder.write("b.h", "# 2 \"" + name +
                            "\"\n"
                            "__global__ void rows(float *a, int n) {\n"
                            "  a[threadIdx.x * n] = 0;\n"
                            "}\n");
    const Outcome outcome =
        checkOnly(folder.write("a.cu", "#include \"b.h\"\n"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("secret\n")));
    EXPECT_THAT(outcome.out, HasSubstr("b.h:3:22: warning: "));
  }
}

// A generator names what its user wrote.
TEST(ForeignLines, FilesOfTheProjectAreShown) {
  InputFolder folder;
  folder.write("in/rows.y", "one\n  a[threadIdx.x * n] = 0;\n");
  const std::string source =
      folder.write("out/a.cu", claims(folder / "in/rows.y", 2));
  EXPECT_THAT(checkOnly(source).out, HasSubstr("in/rows.y:2:22: warning: "));
}

TEST(ForeignLines, FilesThatAreGoneKeepTheirNames) {
  InputFolder folder;
  const std::string source =
      folder.write("a.cu", claims("/none/such/rows.y", 7));
  EXPECT_THAT(checkOnly(source).out,
              HasSubstr("/none/such/rows.y:7:22: warning: "));
}

} // namespace
