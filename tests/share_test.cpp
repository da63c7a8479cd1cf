// The share of its kernel's time that a finding names, and the launch it is of.
#include "input_folder.h"
#include "program.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::string scale =
    "__global__ void scale(float *y, int n, int stride) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    y[i * stride] *= 2.0f;\n"
    "}\n";

/// The first finding of strided-global-access in the program.
struct ShareOf : testing::Test {
  InputFolder folder;

  llvm::json::Object finding(const std::string &host,
                             llvm::StringRef check = "strided-global-access") {
    const std::string file = folder.write("a.cu", scale + host);
    const Outcome run = runProgram(
        {"check", "--no-judge", "--no-cache", "--format", "json", file});
    llvm::Expected<llvm::json::Value> report = llvm::json::parse(run.out);
    if (!report) {
      ADD_FAILURE() << llvm::toString(report.takeError()) << run.err;
      return {};
    }
    for (const llvm::json::Value &each :
         *report->getAsObject()->getArray("findings"))
      if (each.getAsObject()->getString("check") == check)
        return *each.getAsObject();
    ADD_FAILURE() << run.out;
    return {};
  }
};

} // namespace

// The launch with the small stride costs nothing; a reader has to know which
// one the figures are of.
TEST_F(ShareOf, TheCostliestOfSeveralLaunchesIsNamed) {
  const auto found = finding("void run(float *y) {\n"
                             "  scale<<<4096, 256>>>(y, 1 << 20, 1);\n"
                             "  scale<<<4096, 256>>>(y, 1 << 20, 64);\n"
                             "}\n");
  EXPECT_THAT(found.getString("cost")->str(), HasSubstr("launch at a.cu:8"));
  EXPECT_GT(*found.getNumber("share"), 0.5);
}

TEST_F(ShareOf, AnOnlyLaunchIsNotNamed) {
  const auto found = finding("void run(float *y) {\n"
                             "  scale<<<4096, 256>>>(y, 1 << 20, 64);\n"
                             "}\n");
  EXPECT_THAT(found.getString("cost")->str(), Not(HasSubstr("launch")));
}

TEST_F(ShareOf, SizesThatAreTakenToBeLargeAreNamed) {
  const std::string file = folder.write(
      "b.cu", "__global__ void sums(const float *a, float *s, int depth) {\n"
              "  float sum = 0;\n"
              "  for (int k = 0; k < depth; ++k)\n"
              "    sum += a[threadIdx.x * depth + k];\n"
              "  s[threadIdx.x] = sum;\n"
              "}\n");
  const Outcome run = runProgram({"check", "--no-judge", "--no-cache", file});
  EXPECT_THAT(run.out, HasSubstr("taken to be large: 'depth'"));
}

// 16 million blocks of one warp start for 10 ms, and copy for 60 microseconds.
TEST_F(ShareOf, TheStartOfManySmallBlocksCounts) {
  const auto many = finding("void run(float *y) {\n"
                            "  scale<<<1 << 24, 27>>>(y, 1 << 20, 1);\n"
                            "}\n",
                            "partial-warp-block");
  EXPECT_THAT(many.getString("cost")->str(), HasSubstr("start of its blocks"));
  EXPECT_GT(*many.getNumber("share"), 0.5);
}
