// A report that takes the place of a source cannot be undone.
#include "commands/keep_inputs.h"
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

struct KeepInputs : testing::Test {
  InputFolder folder;
  const std::string text = "__global__ void k(float *a) { a[0] = 1; }\n";
  const std::string a = folder.write("a.cu", text);
  const std::string b = folder.write("b.cu", text);

  void expectRefused(std::vector<std::string> arguments,
                     const std::string &file, const std::string &what) {
    const std::string before = readFile(file);
    const Outcome outcome = runProgram(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err,
              "warplint: '" + file + "' is " + what + " would replace it\n");
    EXPECT_EQ(readFile(file), before);
  }
};

} // namespace

// The shell turns `-o *.cu` into `-o a.cu b.cu`.
TEST_F(KeepInputs, ASourceIsNotReplacedByAReport) {
  for (const std::string flag : {"-o", "--export-fixes"})
    expectRefused({"check", "--no-judge", flag, a, b}, a,
                  "a source; '" + flag + "'");
  expectRefused({"check", "--no-judge", "--write-baseline=" + a, b}, a,
                "a source; '--write-baseline'");
  const std::string header = folder.write("h.cuh", "");
  expectRefused({"check", "--no-judge", "-o", header, b}, header,
                "a source; '-o'");
}

TEST_F(KeepInputs, AnInputIsNotReplacedByAReport) {
  expectRefused({"check", "--no-judge", a, "-o", a}, a,
                "an input of this run; '-o'");
  const std::string commands = folder.write("compile_commands.json", "[]");
  expectRefused({"check", "--no-judge", "-p", folder.path, "-o", commands},
                commands, "an input of this run; '-o'");
  const std::string log = folder.write("log", "");
  expectRefused({"resources", log, "--update=" + log}, log,
                "an input of this run; '--update'");
}

TEST_F(KeepInputs, AFormerReportIsReplaced) {
  const std::string report = folder.write("report.json", "old");
  Options options;
  options.sources.paths = {a};
  options.output.file = options.check.writeBaseline = report;
  EXPECT_FALSE(bool(keepInputs(options)));
  options.output.file = "/dev/null";
  EXPECT_FALSE(bool(keepInputs(options)));
}
