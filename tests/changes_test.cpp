// `check --diff` with the real git: what a pull request and a commit hook rely
// on.
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

/// A repository that the test stands in.
class Changes : public testing::Test {
protected:
  void SetUp() override {
    if (!llvm::sys::findProgramByName("git"))
      GTEST_SKIP() << "NO GIT: --diff is not tested";
    llvm::sys::fs::current_path(before_);
    llvm::sys::fs::remove_directories(folder / ".git");
    ASSERT_FALSE(llvm::sys::fs::set_current_path(folder.path));
    git("init -q .");
  }
  void TearDown() override { llvm::sys::fs::set_current_path(before_); }

  void git(const std::string &words) {
    const std::string line =
        "git -c user.name=t -c user.email=t@t " + words + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
  }
  void commit() {
    git("add -A");
    git("commit -q -m all");
  }

  Outcome checkWith(std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    return runProgram(words);
  }

  InputFolder folder;

private:
  llvm::SmallString<128> before_;
};

std::string strided(const char *name) {
  return std::string("__global__ void ") + name +
         "(float *x) { x[threadIdx.x * 32] = 1; }\n";
}

TEST_F(Changes, FindingsOnUnchangedLinesAreHidden) {
  std::string file = folder.write("a.cu", strided("old"));
  commit();
  folder.write("a.cu", strided("old") + strided("fresh"));
  Outcome outcome = checkWith({"--diff", "HEAD", "--no-judge"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("a.cu:2:"), Not(HasSubstr("a.cu:1:"))));
  commit();
  outcome = checkWith({"--diff", "HEAD", "--no-judge"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  outcome = checkWith({"--diff", "HEAD~1", "--no-judge"});
  EXPECT_THAT(outcome.out, HasSubstr("a.cu:2:"));
}

TEST_F(Changes, ASourceIsReadIfItsHeaderChanged) {
  folder.write("inc/used.h", "#pragma once\ntemplate <class T> __device__ void "
                             "put(T *x) {}\n");
  folder.write("a.cu", "#include \"used.h\"\n"
                       "__global__ void k(float *x) { put(x); }\n");
  folder.write("b.cu", "__global__ void other(float *x) {}\n");
  commit();
  folder.write("inc/used.h", "#pragma once\ntemplate <class T> __device__ void "
                             "put(T *x) {\n  x[threadIdx.x * 32] = 1;\n}\n");
  Outcome outcome = checkWith({"--diff", "HEAD", "--no-judge", "--", "-Iinc"});
  EXPECT_THAT(outcome.out, HasSubstr("used.h:3:")) << outcome.err;
  EXPECT_EQ(outcome.code, 1);
  // Without the path to it nothing includes it, so nothing is read.
  outcome = checkWith({"--diff", "HEAD", "--no-judge"});
  EXPECT_EQ(outcome.out, "no findings\n");
  EXPECT_EQ(outcome.code, 0);
}

TEST_F(Changes, ChangesOfOthersSinceTheMergeBaseDoNotCount) {
  folder.write("a.cu", "\n");
  commit();
  git("branch main2");
  folder.write("b.cu", strided("mine"));
  commit();
  git("checkout -q main2");
  folder.write("a.cu", strided("theirs"));
  commit();
  git("checkout -q -");
  Outcome outcome = checkWith({"--diff", "main2", "--no-judge"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("b.cu:1:"), Not(HasSubstr("a.cu"))));
}

TEST_F(Changes, WithoutACommitEverythingIsNew) {
  folder.write("a.cu", strided("k"));
  git("add -A");
  EXPECT_EQ(checkWith({"--diff", "HEAD", "--no-judge"}).code, 1);
}

TEST_F(Changes, ARepositoryWithoutCudaIsClean) {
  folder.write("a.txt", "text\n");
  commit();
  folder.write("a.txt", "other text\n");
  Outcome outcome = checkWith({"--diff", "HEAD"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(Changes, AMissingRevisionOrRepositoryIsReported) {
  Outcome outcome = checkWith({"--diff", "nowhere"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'--diff nowhere': there is no such"));
  llvm::sys::fs::remove_directories(folder / ".git");
  outcome = checkWith({"--diff", "HEAD"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("needs a git repository"));
}

TEST_F(Changes, AKernelWithMoreResourcesFailsTheRun) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels that got worse are not tested";
  auto source = [](const char *bounds) {
    return std::string("__global__ void ") + bounds +
           " k(float *out, const float *in, int n) {\n"
           "  float v[96];\n"
           "#pragma unroll\n"
           "  for (int i = 0; i < 96; ++i)\n"
           "    v[i] = in[i * n + threadIdx.x];\n"
           "#pragma unroll\n"
           "  for (int i = 1; i < 96; ++i)\n"
           "    v[i] += v[i - 1] * v[(i * 7) % 96];\n"
           "#pragma unroll\n"
           "  for (int i = 0; i < 96; ++i)\n"
           "    out[i * n + threadIdx.x] = v[i];\n"
           "}\n";
  };
  folder.write("k.cu", source(""));
  commit();
  EXPECT_EQ(checkWith({"--diff", "HEAD"}).code, 0);
  folder.write("k.cu", source("__launch_bounds__(1024, 2)"));
  Outcome outcome = checkWith({"--diff", "HEAD", "--check", "worse-kernel"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("[worse-kernel]"), HasSubstr("k.cu:1:"),
                    HasSubstr("spill stores 0 -> "), HasSubstr("spills at")));
  EXPECT_EQ(
      checkWith({"--diff", "HEAD", "--check", "repeated-global-write"}).code,
      0);
  std::string allowed = source("__launch_bounds__(1024, 2)");
  folder.write("k.cu", "// warplint: allow(worse-kernel) measured: as fast\n" +
                           allowed);
  EXPECT_EQ(checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).code, 0);
}

// The reviewer sees what grew, and that a multiplication is no such thing.
TEST_F(Changes, AKernelThatIsPredictedToTakeLongerSaysWhatGrew) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "NO NVCC: kernels that got worse are not tested";
  auto source = [](const char *index, const char *value) {
    return std::string("__global__ void k(float *out, const float *in) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  out[i] = in[") +
           index + "] * " + value + ";\n}\n";
  };
  folder.write("k.cu", source("i", "2"));
  commit();
  folder.write("k.cu", source("i", "2 * out[i]"));
  EXPECT_THAT(checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).out,
              HasSubstr("load of 'out[i]': 0 -> 4 sectors per request"));
  folder.write("k.cu", "\n\n" + source("i", "2 * 3.5f * 1.5f"));
  EXPECT_EQ(checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).code, 0);
  folder.write("k.cu", source("i * 32", "2"));
  EXPECT_THAT(
      checkWith({"--diff", "HEAD", "--check", "worse-kernel"}).out,
      AllOf(HasSubstr("[worse-kernel]"),
            HasSubstr("takes more: predicted cycles"),
            HasSubstr("load of 'in[i * 32]': 0 -> 32 sectors per request")));
}

} // namespace
