// `check --fix` on whole sources: what is proven is written, nothing else.
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *transpose = R"(
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + y] = tile[threadIdx.x][threadIdx.y];
}
void run(const float *in, float *out, int n) {
  transpose<<<dim3(8, 8), dim3(32, 32)>>>(in, out, n);
}
)";

const char *sums = R"(
__global__ void sums(float *a, const float *b, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < turns; ++k)
    a[i] += b[k * n + i];
}
)";

struct FixRun : testing::Test {
  InputFolder folder;

  void SetUp() override {
    if (nvccForTests().empty())
      GTEST_SKIP() << "NO NVCC: no fix can be proven";
  }

  Outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--arch", "sm_90", "--no-cache"});
    return runProgram(words);
  }
};

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

TEST_F(FixRun, AFixThatDoesNotCompileIsRolledBack) {
  // A constant expression may name a const variable, and no other.
  const std::string file = folder.write("a.cu", R"(
__constant__ int table[256] = {1, 2, 3};
template <const int *P> struct Of {};
__global__ void k(const int *key, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[i & 255] + key[i];
}
#if defined(__CUDA_ARCH__)
__device__ int &writable() { return table[0]; }
#endif
)");
  const std::string before = readFile(file);
  Outcome outcome = run(
      {file, "--prove", "--all", "--minor", "--check", "divergent-constant"});
  EXPECT_THAT(outcome.out, HasSubstr("edit (safe, rolled back): line 2"));
  EXPECT_THAT(outcome.out, HasSubstr("does not compile"));
  run({file, "--fix", "--check", "divergent-constant"});
  EXPECT_EQ(readFile(file), before);
}

TEST_F(FixRun, AHeaderOfTwoSourcesIsEditedOnce) {
  const std::string header = folder.write("tile.cuh", transpose + 1);
  const std::string one = folder.write("one.cu", "#include \"tile.cuh\"\n"),
                    two = folder.write("two.cu", "#include \"tile.cuh\"\n");
  Outcome outcome = run({one, two, "--fix", "--check", "shared-bank-conflict"});
  EXPECT_THAT(outcome.err, HasSubstr("1 fix applied")) << outcome.out;
  const std::string text = readFile(header);
  EXPECT_THAT(text, HasSubstr("tile[32][32 + 1];"));
  EXPECT_EQ(text.find("+ 1"), text.rfind("+ 1"));
}

TEST_F(FixRun, NoFileOutsideOfTheProjectIsWritten) {
  InputFolder other;
  const std::string header = other.write("tile.cuh", transpose);
  const std::string file =
      folder.write("a.cu", "#include \"" + header + "\"\n");
  run({file, "--fix", "--unsafe", "--check", "shared-bank-conflict"});
  EXPECT_EQ(readFile(header), transpose);
}

TEST_F(FixRun, TheEditsAreInTheFormats) {
  const std::string file = folder.write("a.cu", transpose);
  const std::string check = "shared-bank-conflict",
                    yaml = folder / "fixes.yaml";
  Outcome sarif = run({file, "--format", "sarif", "--check", check});
  EXPECT_THAT(sarif.out, HasSubstr("\"insertedContent\""));
  Outcome markdown = run({file, "--format", "markdown", "--check", check});
  EXPECT_THAT(markdown.out,
              HasSubstr("```suggestion\n  __shared__ float tile[32][32 + "
                        "1];\n```"));
  Outcome text = run({file, "--export-fixes", yaml, "--check", check});
  EXPECT_THAT(text.out, HasSubstr("edit (safe, unproven): line 3"));
  EXPECT_THAT(readFile(yaml), HasSubstr("ReplacementText: \" + 1\""));
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
