// An editor types a source into standard input.
#include "program_runs.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

// An editor's text is newer than the file, which it may not even have.
TEST(StandardInput, StandardInputIsASource) {
  InputFolder folder;
  folder.write("stride.h", "constexpr int stride = 32;\n");
  const std::string text = "#include \"stride.h\"\n"
                           "__global__ void k(float *a) {\n"
                           "  a[threadIdx.x * stride] = 0;\n}\n";
  const std::string name = folder / "a.cu";
  for (bool isThere : {false, true}) {
    if (isThere)
      folder.write("a.cu", clean);
    Outcome outcome =
        runWithInput({"check", "-", "--stdin-filename", name}, text);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(StartsWith(name + ":3:"),
                      HasSubstr("    3 |   a[threadIdx.x * stride] = 0;"),
                      HasSubstr("not compiled, since its text is not saved")));
  }
  // Text that is saved is judged, or unjudged for another reason.
  folder.write("a.cu", text);
  Outcome outcome = runWithInput({"check", "--stdin-filename", name}, text);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("not saved")));
}

} // namespace
