// From a source to who holds its registers, by the real nvcc and nvdisasm.
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

const char *const source = R"(
__global__ void product(const float *a, const float *b, float *c, int n,
                        int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8] = {};
  for (int k = 0; k < depth; ++k) {
    float x[8], y[8];
    for (int r = 0; r < 8; ++r) {
      x[r] = a[(k * 8 + r) * n + i];
      y[r] = b[(k * 8 + r) * n + i];
    }
    for (int r = 0; r < 8; ++r)
      for (int q = 0; q < 8; ++q)
        sum[r][q] += x[r] * y[q];
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; ++q)
      c[(r * 8 + q) * n + i] = sum[r][q];
}
__global__ void __launch_bounds__(256, 5)
tight(const float *a, const float *b, float *c, int n, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8] = {};
  for (int k = 0; k < depth; ++k) {
    float x[8], y[8];
    for (int r = 0; r < 8; ++r) {
      x[r] = a[(k * 8 + r) * n + i];
      y[r] = b[(k * 8 + r) * n + i];
    }
    for (int r = 0; r < 8; ++r)
      for (int q = 0; q < 8; ++q)
        sum[r][q] += x[r] * y[q];
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; ++q)
      c[(r * 8 + q) * n + i] = sum[r][q];
}
)";

bool hasNvdisasm() {
  const std::string nvcc = nvccForTests();
  return bool(llvm::sys::findProgramByName("nvdisasm")) ||
         (!nvcc.empty() &&
          llvm::sys::findProgramByName("nvdisasm",
                                       {llvm::sys::path::parent_path(nvcc)}));
}

#define NEEDS_NVDISASM                                                         \
  if (nvccForTests().empty() || !hasNvdisasm())                                \
  GTEST_SKIP() << "NO NVDISASM: who holds registers is not tested at all"

TEST(Registers, NamesWhoHoldsThem) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", source);
  const Outcome run =
      runProgram({"registers", file, "--kernel", "product", "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("variable 'sum[8][8]'"));
  EXPECT_THAT(run.out, HasSubstr("address into 'a'"));
  EXPECT_THAT(run.out, HasSubstr("elements of 'sum[8][8]' hold 6"));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("tight")));
}

// A sum that is not the peak's would be a claim about registers that nobody
// holds.
TEST(Registers, OwnersAddUpToThePeak) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", source);
  const Outcome run = runProgram(
      {"registers", file, "--arch", "sm_80,sm_90,sm_120", "--format", "json"});
  auto rows = llvm::json::parse(run.out);
  ASSERT_TRUE(bool(rows)) << llvm::toString(rows.takeError());
  EXPECT_EQ(rows->getAsArray()->size(), 6u);
  for (const llvm::json::Value &row : *rows->getAsArray()) {
    const llvm::json::Object &object = *row.getAsObject();
    int64_t sum = 0;
    for (const llvm::json::Value &owner : *object.getArray("owners"))
      sum += *owner.getAsObject()->getInteger("registers");
    EXPECT_EQ(sum, *object.getInteger("live"));
    EXPECT_LE(sum, *object.getInteger("registers"));
    EXPECT_GE(10 * *object.getInteger("named"), 9 * sum);
  }
}

TEST(Registers, NamesWhatIsSpilled) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", source);
  const Outcome run =
      runProgram({"registers", file, "--kernel", "tight", "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("is spilled: "));
  EXPECT_THAT(run.out, HasSubstr("in a loop"));
  EXPECT_THAT(run.out, HasSubstr("tried without its limits: "));
  const Outcome check = runProgram(
      {"check", file, "--check", "register-spill", "--arch", "sm_90"});
  EXPECT_THAT(check.out, HasSubstr("is spilled: "));
}

TEST(Registers, ExplainsAKernelInOneLine) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", source);
  const Outcome run =
      runProgram({"resources", file, "--explain", "--arch", "sm_90"});
  EXPECT_THAT(run.out, HasSubstr("tight (sm_90): "));
  EXPECT_THAT(run.out, HasSubstr("registers are live"));
}

// Each way has a result of its own.
TEST(Registers, TriesABranchBothWays) {
  NEEDS_NVDISASM;
  InputFolder folder;
  std::string text = source;
  text = text.substr(0, text.find("__global__ void __launch_bounds__"));
  text.replace(text.find("int depth)"), 10, "int depth, bool all)");
  text.replace(text.find("  float sum"), 0,
               "  if (!all) { c[i] = a[i]; return; }\n");
  const std::string file = folder.write("a.cu", text);
  const Outcome run = runProgram({"registers", file, "--arch", "sm_90"});
  EXPECT_THAT(run.out,
              testing::ContainsRegex("tried with the branch on 'all' at line "
                                     "5 fixed: [0-9]+ registers one way"));
  const size_t at = run.out.find("fixed: ");
  ASSERT_NE(at, std::string::npos) << run.out;
  unsigned one = 0, other = 0;
  llvm::StringRef rest = llvm::StringRef(run.out).substr(at + 7);
  rest.consumeInteger(10, one);
  rest.split("one way, ").second.consumeInteger(10, other);
  EXPECT_GT(std::max(one, other), 80u);
  EXPECT_LT(std::min(one, other), 40u);
}

TEST(Registers, SaysWhichKernelIsNotThere) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", source);
  const Outcome run = runProgram({"registers", file, "--kernel", "nothing"});
  EXPECT_THAT(run.err, HasSubstr("no kernel's name contains 'nothing'"));
}

} // namespace
