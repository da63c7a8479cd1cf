// The compiler under the launcher: its output, its signals and its end.
#include "launcher.h"
#include "test_paths.h"
#include <gmock/gmock.h>

using namespace testing;

namespace warplint {
namespace {

using WrappedCompilerTest = LauncherTest;

TEST_F(WrappedCompilerTest, HidesTheReportUnlessTheUserRequestedIt) {
  stub(std::string("echo before >&2; touch a.o") + report +
       "echo 'ptxas info    : (C7510) Potential Performance Loss' >&2\n"
       "echo after >&2");
  writeFile(path("a.cu"), "__global__ void gather(float *, const float *) {}");
  EXPECT_EQ(shell("wrap -- nvcc -c a.cu -o a.o").err,
            "before\nptxas info    : (C7510) Potential Performance Loss\n"
            "after\n");
  EXPECT_THAT(shell("wrap -- nvcc -Xptxas -v -c a.cu -o a.o").err,
              HasSubstr("Used 10 registers, used 0 barriers\n"));
}

TEST_F(WrappedCompilerTest, KeepsTheOrderOfJoinedStreams) {
  stub("touch a.o; for i in 1 2 3 4 5 6 7 8; do echo err$i >&2; echo out$i; "
       "done; printf 'no end'");
  writeFile(path("a.cu"), "__global__ void k() {}");
  Outcome run = shell("wrap --compile=never -- nvcc -c a.cu -o a.o 2>&1");
  std::string expected;
  for (char i = '1'; i <= '8'; ++i)
    expected += std::string("err") + i + "\nout" + i + "\n";
  EXPECT_EQ(run.out, expected + "no end");
}

TEST_F(WrappedCompilerTest, EndsByTheCompilersSignal) {
  stub("kill -9 $$");
  Outcome run = shell("wrap -- nvcc -c a.cu -o a.o; echo $?");
  EXPECT_THAT(run.out, EndsWith("137\n"));
  EXPECT_FALSE(exists("a.o.warplint.json"));
}

TEST_F(WrappedCompilerTest, SignalsReachTheCompiler) {
  stub("trap 'echo ended >&2; exit 9' TERM; touch started\n"
       "for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done");
  writeFile(path("a.o.warplint.json"), "of the last build");
  Outcome run = shell(
      "'" WARPLINT_BINARY "' wrap -- nvcc -c a.cu -o a.o & p=$!\n"
      "while [ ! -e started ]; do sleep 0.1; done; kill -TERM $p; wait $p\n"
      "echo $?");
  EXPECT_EQ(run.out, "9\n");
  EXPECT_EQ(run.err, "ended\n");
  EXPECT_FALSE(exists("a.o.warplint.json"));
  EXPECT_TRUE(leavesNothing());
}

TEST_F(WrappedCompilerTest, AMissingProgramIsReported) {
  Outcome run = shell("wrap -- /no/nvcc -c a.cu -o a.o; echo $?");
  EXPECT_EQ(run.out, "127\n");
  EXPECT_EQ(run.err, "warplint: '/no/nvcc' cannot be run: No such file or "
                     "directory\n");
}

} // namespace
} // namespace warplint
