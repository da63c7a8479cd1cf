// The check that compares a kernel with its earlier self.
#include "findings/worse_kernel.h"
#include "program.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

// A user may write 'allow(worse-kernel)' and set its level: both look for it by
// its id.
TEST(WorseKernel, IsFoundByItsId) {
  EXPECT_EQ(findCheck("worse-kernel"), &worseKernel());
}

// It compares two versions: among the others it would run on one and have
// nothing to call.
TEST(WorseKernel, IsNotRunOnASingleVersion) {
  EXPECT_TRUE(llvm::none_of(checks(), [](const Check &check) {
    return check.info.id == worseKernel().info.id;
  }));
  EXPECT_FALSE(worseKernel().inspect || worseKernel().inspectCompiled ||
               worseKernel().judge);
}

TEST(WorseKernel, HasAPageThatSaysHowToAskForIt) {
  const Outcome page = runProgram({"explain", "worse-kernel"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_THAT(page.out, HasSubstr("check --diff REV"));
  EXPECT_THAT(page.out, HasSubstr(std::string(worseKernel().info.summary)));
}

TEST(WorseKernel, IsSuggestedForAMisspeltName) {
  const Outcome page = runProgram({"explain", "worse-kernell"});
  EXPECT_EQ(page.code, 2);
  EXPECT_THAT(page.err, HasSubstr("worse-kernel"));
}
