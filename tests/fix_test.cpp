// `check --fix` on whole sources: what is proven is written, nothing else.
#include "fix_runs.h"
#include "llvm/Support/JSON.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST_F(FixRun, AProvenFixIsWrittenAndTheSecondRunChangesNothing) {
  const std::string file = folder.write("a.cu", transpose);
  const std::string check = "shared-bank-conflict";
  Outcome first = run({file, "--fix", "--check", check});
  EXPECT_THAT(first.err, HasSubstr("1 fix applied"));
  EXPECT_THAT(first.out, Not(HasSubstr("[shared-bank-conflict]")));
  EXPECT_EQ(first.code, 0) << first.out;
  const std::string fixed = readFile(file);
  EXPECT_THAT(fixed, HasSubstr("float tile[32][32 + 1];"));
  Outcome second = run({file, "--fix", "--check", check});
  EXPECT_THAT(second.err, HasSubstr("0 fixes applied"));
  EXPECT_EQ(readFile(file), fixed);
}

TEST_F(FixRun, AFixThatAssumesSomethingNeedsTheWord) {
  const std::string file = folder.write("a.cu", sums);
  const std::string check = "repeated-global-write";
  Outcome safe = run({file, "--fix", "--check", check});
  EXPECT_THAT(safe.err, HasSubstr("0 fixes applied; 1 more with '--unsafe'"));
  EXPECT_EQ(readFile(file), sums);
  Outcome all = run({file, "--fix", "--unsafe", "--check", check});
  EXPECT_THAT(all.err, HasSubstr("1 fix applied"));
  EXPECT_THAT(readFile(file), HasSubstr("if (0 < turns) {"));
  EXPECT_EQ(all.code, 0) << all.out;
}

// What one launch passes twice, the edit may not assume to be two arrays.
TEST_F(FixRun, MemoryOfItsOwnInEachLaunchIsSafe) {
  const std::string check = "repeated-global-write";
  const std::string host = R"(
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 65536);
  sums<<<4, 256>>>(a, b, 1024, 16);
)";
  const std::string file = folder.write("a.cu", sums + host + "}\n");
  Outcome safe = run({file, "--fix", "--check", check});
  EXPECT_THAT(safe.err, HasSubstr("1 fix applied"));
  EXPECT_THAT(readFile(file), HasSubstr("if (0 < turns) {"));
  const std::string text = sums + host + "  sums<<<4, 256>>>(b, b, 4, 4);\n}\n";
  const std::string other = folder.write("b.cu", text);
  Outcome none = run({other, "--fix", "--check", check});
  EXPECT_THAT(none.err, HasSubstr("0 fixes applied; 1 more with '--unsafe'"));
  EXPECT_EQ(readFile(other), text);
}

TEST_F(FixRun, AnArrayIsKeptInRegistersByALoopThatChooses) {
  const std::string file = folder.write("a.cu", counts);
  const std::string check = "dynamic-local-array";
  Outcome safe = run({file, "--fix", "--check", check});
  EXPECT_THAT(safe.err, HasSubstr("1 fix applied"));
  EXPECT_THAT(readFile(file),
              HasSubstr("    const auto count_index = key[k * n + i] & 7;\n"
                        "#pragma unroll\n"
                        "    for (int element = 0; element < 8; ++element)\n"
                        "      if (element == count_index)\n"
                        "        ++count[element];\n"));
  EXPECT_EQ(safe.code, 0) << safe.out;
}

TEST_F(FixRun, PowersBecomeProductsEachByItself) {
  const std::string file = folder.write("a.cu", powers);
  const std::string check = "costly-power";
  Outcome all = run({file, "--fix", "--unsafe", "--check", check});
  EXPECT_THAT(all.err, HasSubstr("3 fixes applied"));
  EXPECT_THAT(readFile(file),
              HasSubstr("    const auto base_value = c[i] - x;\n"
                        "    out[k * 1024 + i] = c[i] * (x * x) + x * x / "
                        "(base_value * base_value * base_value);\n"));
  EXPECT_EQ(all.code, 0) << all.out;
}

TEST_F(FixRun, ADoubleThatChangesNoFloatIsSafeToLeaveOut) {
  const std::string file = folder.write("a.cu", std::string(clamp) + mix);
  const std::string check = "double-in-float";
  Outcome safe = run({file, "--fix", "--check", check});
  EXPECT_THAT(safe.err, HasSubstr("1 fix applied; 1 more with '--unsafe'"));
  EXPECT_THAT(readFile(file), AllOf(HasSubstr(" - 0.125f, 1e-3f);"),
                                    HasSubstr("x = 0.9 * x + 0.1 * y;")));
}

// What one edit leaves is another finding.
TEST_F(FixRun, AFixThatAnotherOneMakesPossibleIsMadeInTheSameRun) {
  const std::string file = folder.write("a.cu", mix);
  Outcome all = run({file, "--fix", "--unsafe", "--check", "double-in-float"});
  EXPECT_THAT(all.err, HasSubstr("2 fixes applied"));
  EXPECT_THAT(readFile(file), HasSubstr("x = 0.9f * x + 0.1f * y;"));
  EXPECT_EQ(all.code, 0) << all.out;
}

TEST_F(FixRun, TwoElementsThatOneLoopWritesAreBothStoredOnce) {
  const std::string file = folder.write("a.cu", R"(
__global__ void two(float *a, float *b, const float *c, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < turns; ++k) {
    a[i] += c[k * n + i];
    b[i] += c[k * n + i + 1];
  }
}
)");
  run({file, "--fix", "--unsafe", "--check", "repeated-global-write"});
  EXPECT_THAT(readFile(file), AllOf(HasSubstr("a_value += c[k * n + i];"),
                                    HasSubstr("b_value += c[k * n + i + 1];")));
}

TEST_F(FixRun, AnElementIsLoadedOnceAndStoresStayTheSame) {
  const std::string file = folder.write("a.cu", powers);
  const std::string check = "repeated-global-read";
  Outcome all = run({file, "--fix", "--unsafe", "--check", check});
  EXPECT_THAT(all.err, HasSubstr("1 fix applied"));
  EXPECT_THAT(readFile(file),
              HasSubstr("  if (0 < n) {\n    const auto c_value = c[i];\n"));
  const std::string fixed = readFile(file);
  run({file, "--fix", "--unsafe", "--check", check});
  EXPECT_EQ(readFile(file), fixed);
}

TEST_F(FixRun, APatchChangesNoFile) {
  const std::string file = folder.write("a.cu", transpose);
  Outcome outcome =
      run({file, "--fix-diff", "--check", "shared-bank-conflict"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("-  __shared__ float tile[32][32];\n"
                        "+  __shared__ float tile[32][32 + 1];\n"));
  EXPECT_EQ(readFile(file), transpose);
}

TEST(FixOptions, WordsThatContradictAreNamed) {
  EXPECT_THAT(runProgram({"check", "a.cu", "--unsafe"}).err,
              HasSubstr("'--unsafe' is for '--fix'"));
  EXPECT_THAT(runProgram({"check", "a.cu", "--fix", "--fix-diff"}).err,
              HasSubstr("exclude each other"));
  EXPECT_THAT(runProgram({"check", "a.cu", "--fix", "--no-judge"}).err,
              HasSubstr("with the compiler"));
}

} // namespace
