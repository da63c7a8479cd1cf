// `--baseline`: an old tree reports only new findings, although lines move.
#include "input_folder.h"
#include "program.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string sum = "__global__ void sum(float *x, const float *y) {\n"
                        "  x[threadIdx.x * 32] = y[threadIdx.x * 32 + 1] + "
                        "y[threadIdx.x * 32];\n"
                        "}\n";
const std::string scale = "__global__ void scale(float *x) {\n"
                          "  x[threadIdx.x * 16] *= 2;\n"
                          "}\n";

class BaselineTest : public testing::Test {
protected:
  Outcome checkWith(const char *flag) {
    return runProgram({"check", "--no-judge", flag, baseline, folder.path});
  }
  InputFolder folder;
  std::string baseline = folder / "base.json";
};

TEST_F(BaselineTest, KnownFindingsAreHiddenAndNewOnesReported) {
  folder.write("a.cu", sum + scale);
  Outcome outcome = checkWith("--write-baseline");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("base.json' records"));
  outcome = checkWith("--baseline");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("known from the baseline"));
  folder.write("a.cu", sum + scale +
                           "__global__ void fresh(float *x) {\n"
                           "  x[threadIdx.x * 8] = 1;\n}\n");
  outcome = checkWith("--baseline");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("a.cu:8:"), HasSubstr("1 warning"),
                                 Not(HasSubstr("a.cu:2:"))));
}

// A formatter breaks lines, a person moves functions, also to other files.
TEST_F(BaselineTest, MovedAndReformattedFindingsStayKnown) {
  folder.write("a.cu", sum + scale);
  checkWith("--write-baseline");
  folder.write("a.cu",
               "// moved\n\n" + scale +
                   "\n__global__ void\n"
                   "sum (float *x, const float *y)\n{\n"
                   "  x[threadIdx.x * 32]\n    = y[threadIdx.x * 32 + 1]\n"
                   "      + y[threadIdx.x * 32];\n}\n");
  Outcome outcome = checkWith("--baseline");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, Not(HasSubstr("gone")));
  folder.write("a.cu", sum);
  folder.write("b.cu", scale);
  outcome = checkWith("--baseline");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

// The same line twice is one known finding and one new one.
TEST_F(BaselineTest, ACopiedFindingIsNew) {
  folder.write("a.cu", scale);
  checkWith("--write-baseline");
  folder.write("b.cu", scale);
  EXPECT_EQ(checkWith("--baseline").code, 1);
}

TEST_F(BaselineTest, AGoneFindingIsReportedSoThatTheFileShrinks) {
  folder.write("a.cu", sum + scale);
  checkWith("--write-baseline");
  folder.write("a.cu", sum);
  Outcome outcome = checkWith("--baseline");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("gone from kernel 'scale'"),
                                 HasSubstr("--write-baseline removes them")));
  // A check that did not look cannot tell.
  outcome = runProgram({"check", "--no-judge", "--check=repeated-global-write",
                        "--baseline", baseline, folder.path});
  EXPECT_THAT(outcome.out, Not(HasSubstr("gone")));
}

TEST_F(BaselineTest, AnInvalidFileIsAnError) {
  folder.write("a.cu", sum);
  Outcome outcome = checkWith("--baseline");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--write-baseline' writes it"));
  for (auto [text, why] :
       {std::pair{"{", "is no baseline"},
        {"{\"findings\": []}", "it does not say so"},
        {"{\"baseline\": 7, \"sources\": [], \"findings\": []}", "schema 7"},
        {"{\"baseline\": 1}", "is missing"},
        {"{\"baseline\": 1, \"sources\": [], \"findings\": [{}]}",
         "has no 'fingerprint'"}}) {
    folder.write("base.json", text);
    outcome = checkWith("--baseline");
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_THAT(outcome.err, HasSubstr(why));
  }
  baseline = folder / "no/such/folder/base.json";
  outcome = checkWith("--write-baseline");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be written"));
}

} // namespace
