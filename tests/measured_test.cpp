// `warplint measured`: findings beside a profile.
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "test_paths.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

struct MeasuredProgram : testing::Test {
  InputFolder folder;
  std::string profile = root + "/kernels/contended-atomic.profile.csv";
  std::string source = readFile(root + "/kernels/contended-atomic.cu");

  Outcome measured(const std::string &text,
                   std::vector<std::string> more = {}) {
    const std::string file = folder.write("kernels/contended-atomic.cu", text);
    std::vector<std::string> arguments = {"measured", profile, file,
                                          "--no-cache"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--", "-I" + root + "/kernels"});
    return runProgram(arguments);
  }
};

} // namespace

TEST_F(MeasuredProgram, AFindingIsHotWhereWarpsWait) {
  const Outcome run = measured(source);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("found and hot\n"));
  EXPECT_THAT(run.out, HasSubstr("contended-atomic.cu:29: "));
  EXPECT_THAT(run.out, HasSubstr("[contended-atomic]"));
}

TEST_F(MeasuredProgram, JsonHasTheSameFindings) {
  const Outcome run = measured(source, {"--format", "json"});
  auto report = llvm::json::parse(run.out);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  const llvm::json::Array &hot = *report->getAsObject()->getArray("hot");
  ASSERT_GE(hot.size(), 1u);
  EXPECT_EQ(hot[0].getAsObject()->getString("check"), "contended-atomic");
  EXPECT_GT(*hot[0].getAsObject()->getNumber("samples"), 0.4);
}

// Figures at lines that have moved would be said of other code.
TEST_F(MeasuredProgram, AProfileOfAnotherVersionIsRefused) {
  const Outcome moved = measured("\n" + source);
  EXPECT_EQ(moved.code, 2);
  EXPECT_THAT(moved.err, HasSubstr("another version"));
  std::string changed = source;
  changed.replace(changed.find("in[i]"), 5, "in[i + 1]");
  EXPECT_EQ(measured(changed).code, 2);
}

TEST_F(MeasuredProgram, AProfileOfOtherKernelsIsRefused) {
  const std::string file = folder.write(
      "other.cu", "__global__ void other(float *a) { a[threadIdx.x] = 1; }\n");
  const Outcome run = runProgram({"measured", profile, file, "--no-cache"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr("no kernel of the profile is in these"));
}

// The dearest line without a finding is the question that a profile asks.
TEST_F(MeasuredProgram, AHotLineWithoutAFindingSaysWhy) {
  const Outcome run = measured(source, {"--check", "strided-global-access"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("hot and not found\n"));
  EXPECT_THAT(run.out, HasSubstr("contended-atomic.cu:29: "));
  EXPECT_THAT(run.out, HasSubstr("long_sb"));
}

TEST_F(MeasuredProgram, InputsThatAreNoProfilesHaveASentence) {
  EXPECT_THAT(runProgram({"measured", profile}).err,
              HasSubstr("needs a profile and the sources"));
  EXPECT_EQ(runProgram({"measured", "/no/such.csv", "a.cu"}).code, 2);
  const std::string broken = folder.write("broken.ncu-rep", "no report");
  const Outcome run = runProgram({"measured", broken, "a.cu"});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, Not(HasSubstr("Traceback")));
}
