// Values of the command line and of configurations, with what is wrong.
#include "base/validate.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

std::string blockError(llvm::StringRef block) {
  return llvm::toString(checkBlock("--block", block));
}

std::string architectureError(std::string name) {
  return llvm::toString(checkArchitectures("--arch", {name}));
}

} // namespace

TEST(Validate, ABlockHasTheSizesThatCudaAllows) {
  for (const char *block : {"", "1", "1024", "32x8", "16x8x8", "1x1x64"})
    EXPECT_EQ(blockError(block), "") << block;
  for (const char *block : {"0", "x", "32x", "32x8x", "1x1x1x1", "-1", "32*8"})
    EXPECT_THAT(blockError(block), HasSubstr("one to three sizes")) << block;
  EXPECT_THAT(blockError("1025"), HasSubstr("1024 threads"));
  EXPECT_THAT(blockError("65536x65536x65536"), HasSubstr("1024 threads"));
  EXPECT_THAT(blockError("1x1x65"), HasSubstr("64 threads"));
}

TEST(Validate, AnArchitectureIsSpeltAsNvccDoes) {
  for (const char *name : {"sm_70", "sm_90a", "sm_100", "sm_100f"})
    EXPECT_EQ(architectureError(name), "") << name;
  for (const char *name : {"", "sm_", "sm_9", "sm_90b", "sm_1000", "ampere"})
    EXPECT_THAT(architectureError(name), HasSubstr("such as sm_90")) << name;
  EXPECT_THAT(architectureError("compute_80"), HasSubstr("'sm_80'?"));
  EXPECT_THAT(architectureError("90a"), HasSubstr("'sm_90a'?"));
}
