// Where a report goes, and what of it is printed.
#include "os/signals.h"
#include "program_runs.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

TEST(PrintReport, OutputThatCannotBeWrittenIsAFailure) {
  if (!llvm::sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full here";
  InputFolder folder;
  const std::string source = folder.write("a.cu", strided);
  Outcome outcome =
      runWithInput({"check", "--no-judge", source}, "", "/dev/full");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: standard output cannot be written: No "
                         "space left on device\n");
  EXPECT_EQ(runWithInput({"help"}, "", "/dev/full").code, 2);
}

TEST(PrintReport, QuietLeavesWhatCouldNotBeRead) {
  InputFolder folder;
  const std::string source = folder.write(
      "a.cu", std::string(clean) +
                  "__global__ void bad(float *a) { a[0] = undeclared; }\n");
  Outcome outcome = runProgram({"check", "--no-judge", "--quiet", source});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, StartsWith(source + ": read in part: "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("no findings")));
  outcome =
      runProgram({"check", "--no-judge", "-q", folder.write("b.cu", clean)});
  EXPECT_EQ(outcome.out + outcome.err, "");
}

// `warplint check -o report.json` in a CI job that ended at its limit of time.
TEST(PrintReport, TheLineBesideAFileSaysThatTheRunWasInterrupted) {
  InputFolder folder;
  const std::string source = folder.write("a.cu", clean),
                    file = folder / "report.txt";
  const pid_t run = fork(); // what is interrupted stays so
  if (run == 0) {
    Interruptible here("");
    raise(SIGTERM);
    const Outcome outcome =
        runProgram({"check", "--no-judge", "-o", file, source});
    _exit(llvm::StringRef(outcome.err).contains("warplint: interrupted: ") ? 0
                                                                           : 1);
  }
  int status = 0;
  waitpid(run, &status, 0);
  EXPECT_EQ(status, 0);
}

} // namespace
