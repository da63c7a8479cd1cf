// How many findings a run prints, and its exit code.
#include "program_runs.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(Finish, MaxFindingsCountsTheOthers) {
  InputFolder folder;
  std::string text;
  for (int i = 0; i < 4; ++i)
    text += "__global__ void k" + std::to_string(i) +
            "(float *a, int n) { a[threadIdx.x * n] = 0; }\n";
  const std::string source = folder.write("a.cu", text);
  Outcome outcome =
      runProgram({"check", "--no-judge", "--max-findings", "1", source});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("1 warning (unjudged"));
  EXPECT_THAT(outcome.out, HasSubstr(", 3 beyond --max-findings"));
  // No finding is printed, and the run fails all the same.
  outcome = runProgram({"check", "--no-judge", "--max-findings=0", source});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("no findings in 4 kernels of 1 source, 4 "
                                     "beyond --max-findings"));
  outcome = runProgram({"check", "--no-judge", "--max-findings", "3",
                        "--format", "json", source});
  EXPECT_THAT(outcome.out, HasSubstr("\"beyond\": 1"));
}

// A suspicion that the compiler cured is no reason to fail a build.
TEST(Finish, RefutedFindingsAreCountedAndShownOnRequest) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: refuted findings are not tested";
  InputFolder folder;
  std::string source = folder.write(
      "a.cu", "__global__ void k(float *__restrict__ out,\n"
              "                  const float *__restrict__ in, int n) {\n"
              "  for (int j = 0; j < n; ++j)\n"
              "    out[threadIdx.x] += in[j * 256 + threadIdx.x];\n"
              "}\n");
  Outcome hidden = runProgram({"check", source});
  EXPECT_EQ(hidden.code, 0) << hidden.out;
  EXPECT_EQ(hidden.out, "no findings in 1 kernel of 1 source, 1 suspicion "
                        "refuted by the compiled code (--refuted shows it)\n");
  Outcome shown = runProgram({"check", "--refuted", source});
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("a.cu:4:22: remark: "),
                               HasSubstr("[repeated-global-write]"),
                               HasSubstr(": refuted\n")));
}

// A store that the compiler moved out of the loop that the source has it in
// stands in the loop around that one (a gain of 1.00x where 33x were
// predicted).
TEST(Finish, AStoreThatOnlyAnOuterLoopRepeatsIsNoRepeatedOne) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: a store in an outer loop is not tested";
  InputFolder folder;
  const std::string file = folder.write(
      "a.cu", "__global__ void k(float *out, const int *steps, int n) {\n"
              "  __shared__ float s[256];\n"
              "  for (int round = 0; round < n; ++round) {\n"
              "    s[threadIdx.x] = steps[round * 256 + threadIdx.x];\n"
              "    __syncthreads();\n"
              "    for (int at = threadIdx.x; at < 1000; at += 256)\n"
              "      for (int j = 0; j < 100; ++j)\n"
              "        out[at] += s[j] * s[threadIdx.x];\n"
              "    __syncthreads();\n"
              "  }\n"
              "}\n"
              "void run(float *o, int *s, int n) { k<<<64, 256>>>(o, s, n); "
              "}\n");
  const std::string out = runProgram({"check", "--all", "--minor", "--no-cache",
                                      file, "--", "-arch=sm_90"})
                              .out;
  EXPECT_THAT(out, Not(HasSubstr("[repeated-global-write]")));
}

} // namespace
