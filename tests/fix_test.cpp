// `check --fix` on whole sources: what is proven is written, nothing else.
#include "fix_runs.h"
#include "llvm/Support/JSON.h"

using namespace warplint;
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
