// `warplint diff`: two reports of resources from files.
#include "resource_sources.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;

namespace {

TEST(DiffCommand, ComparesTwoReportsOfSources) {
  NEEDS_NVCC("a comparison of two builds");
  InputFolder folder;
  std::string source = folder.write("a.cu", sums(64, ""));
  auto report = [&](std::vector<std::string> flags) {
    std::vector<std::string> arguments = {
        "resources", "--format", "json", source, "--arch", "sm_90", "--"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return runProgram(arguments).out;
  };
  std::string old = folder.write("old.json", report({}));
  std::string now = folder.write("new.json", report({"-maxrregcount=32"}));
  Outcome outcome = runProgram({"diff", old, now});
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_THAT(
      outcome.out,
      AllOf(HasSubstr("worse   sm_90   sums"),
            HasSubstr("note: 1 kernel compiled with "
                      "'-maxrregcount=32', before with no such flags")));
  EXPECT_EQ(runProgram({"diff", now, old}).code, 0);
  EXPECT_THAT(runProgram({"diff", old, now, "--format", "markdown"}).out,
              HasSubstr("| worse | sm_90 | sums"));
}

TEST(DiffCommand, AMissingReportIsAFailure) {
  EXPECT_EQ(runProgram({"diff", "one.json"}).code, 2);
  EXPECT_EQ(runProgram({"diff", "one.json", "two.json"}).code, 2);
}

// An endless file ended the program for lack of memory.
TEST(DiffCommand, ADeviceIsRefusedByEachCommandThatReadsReports) {
  InputFolder folder;
  const std::string endless = folder / "endless";
  llvm::sys::fs::create_link("/dev/zero", endless);
  const std::string source = folder.write("a.cu", "int a;\n");
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"diff", endless, endless},
        {"resources", endless},
        {"measured", endless, source}}) {
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("is no regular file"));
  }
}

} // namespace
