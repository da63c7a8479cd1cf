// `warplint cost`: how long each kernel takes, in each of its formats.
#include "input_folder.h"
#include "program.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class CostCommand : public testing::Test {
protected:
  Outcome cost(std::vector<std::string> more) {
    more.insert(more.begin(), "cost");
    more.push_back(folder.write(
        "a.cu", "__global__ void copy(float *out, const float *in) {\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  out[i] = in[i];\n}\n" +
                    broken));
    return runProgram(more);
  }
  InputFolder folder;
  std::string broken;
};

TEST_F(CostCommand, EachFormatNamesTheKernel) {
  const Outcome text = cost({}), csv = cost({"--format", "csv"}),
                json = cost({"--format", "json"});
  for (const Outcome &outcome : {text, csv, json}) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("copy"));
  }
  EXPECT_THAT(csv.out, HasSubstr(","));
  EXPECT_TRUE(bool(llvm::json::parse(json.out))) << json.out;
  EXPECT_NE(text.out, csv.out);
}

// A list without the kernel must not look like all of them.
TEST_F(CostCommand, AKernelThatIsNotReadEndsWithThree) {
  broken = "__global__ void bad(float *a) { a[0] = undeclared; }\n";
  const Outcome outcome = cost({});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("copy"));
  EXPECT_THAT(outcome.err, StartsWith("warplint: "));
  EXPECT_THAT(outcome.err, HasSubstr("read in part"));
}

} // namespace
