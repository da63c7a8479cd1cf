// `check --diff` with the real git: what a pull request and a commit hook rely
// on.
#include "repository.h"
#include "llvm/ADT/ScopeExit.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

class Changes : public Repository {};

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

} // namespace
