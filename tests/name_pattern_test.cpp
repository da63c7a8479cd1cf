#include "input/name_pattern.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

TEST(NamePattern, MatchesKernelsWithAndWithoutTheirQualifiers) {
  EXPECT_TRUE(matchesName("gather", "gather"));
  EXPECT_TRUE(matchesName("gather", "ns::gather<float, 4>"));
  EXPECT_TRUE(matchesName("ns::gather", "ns::gather<float, 4>"));
  EXPECT_TRUE(matchesName("*<float, 4>", "ns::gather<float, 4>"));
  EXPECT_TRUE(matchesName("{gather,scatter}_*", "ns::gather_rows"));
  EXPECT_TRUE(matchesName("/^ns::(gather|scatter)/", "ns::scatter<int>"));
  EXPECT_FALSE(matchesName("gather", "gather_rows"));
  EXPECT_FALSE(matchesName("other::gather", "ns::gather"));
}

TEST(NamePattern, MatchesPathsAsAGitignoreDoes) {
  auto matches = [](llvm::StringRef pattern, llvm::StringRef below) {
    return matchesPath(pattern, "/p", ("/p/" + below).str());
  };
  EXPECT_TRUE(matches("third_party", "src/third_party/x/a.cu"));
  EXPECT_TRUE(matches("third_party/", "third_party/a.cu"));
  EXPECT_FALSE(matches("third_party/", "src/third_party")); // no folder
  EXPECT_FALSE(matches("third_party", "src/third_party_of_us/a.cu"));
  EXPECT_TRUE(matches("src/gen", "src/gen/x/a.cu"));
  EXPECT_FALSE(matches("src/gen", "lib/src/gen/a.cu"));
  EXPECT_TRUE(matches("./src/gen", "src/gen/a.cu"));
  EXPECT_TRUE(matches("**/gen/*.cu", "lib/src/gen/a.cu"));
  EXPECT_TRUE(matches("**/gen/*.cu", "gen/a.cu"));
  EXPECT_FALSE(matches("**/gen/*.cu", "src/degen/a.cu"));
  EXPECT_TRUE(matches("*.gen.cu", "src/a.gen.cu"));
  EXPECT_TRUE(matches("*_[0-9].cu", "src/a_1.cu"));
  EXPECT_FALSE(matches("a.cu", "src/ba.cu"));
  EXPECT_FALSE(matchesPath("a.cu", "/p", "/q/a.cu"));
  EXPECT_TRUE(matchesPath("/q/", "/p", "/q/a.cu"));
}

TEST(NamePattern, AnInvalidPatternIsRejectedWithTheReason) {
  auto why = [](llvm::StringRef pattern) {
    return llvm::toString(checkNamePattern(pattern));
  };
  EXPECT_EQ(why("gather*"), "");
  EXPECT_EQ(why("/^ns::(a|b)$/"), "");
  EXPECT_THAT(why("/(a/"), HasSubstr("parenthes"));
  EXPECT_NE(why("[a"), "");
  EXPECT_NE(llvm::toString(checkPathPattern("[a")), "");
}
