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

// Compiling the first one took 5.9 GB and ended in a crash.
TEST(NamePattern, ARepetitionThatStandsForTooMuchIsRejected) {
  auto why = [](llvm::StringRef pattern) {
    return llvm::toString(checkNamePattern(pattern));
  };
  for (const char *bomb :
       {"/(((x{255}){255}){255}){255}/", "/((x{9,255}){255}){255}/",
        "/(((x{255,}){255,}){255,}){255,}/", "/(((ab|[c]){200}y)*z){200}/",
        "/[[:alpha:][]((x{255}){255}){255}/", "/[]]((x{255}){255}){255}/",
        "/\\[((x{255}){255}){255}]/"})
    EXPECT_THAT(why(bomb), HasSubstr("repetitions stand for more than 10000"))
        << bomb;
  EXPECT_THAT(why("/" + std::string(400, '(') + std::string(400, ')') + "/"),
              HasSubstr("nested more than 50"));
  EXPECT_THAT(why("/(a*)*\\1/"), HasSubstr("refers back"));
  EXPECT_THAT(why("/" + std::string(1000, 'x') + "/"),
              HasSubstr("longer than 1000 characters"));
  EXPECT_EQ(why("/^(ns::)?[a-z_({]{1,200}(<.*>)?$/"), "");
  EXPECT_EQ(why("/[[:alpha:]]{3}\\{9{1,}/"), "");
}

TEST(NamePattern, AGlobThatStandsForTooManyIsRejected) {
  std::string many, deep;
  for (int i = 0; i < 40; ++i) {
    many += "{a,b}";
    deep += "**/";
  }
  EXPECT_NE(llvm::toString(checkNamePattern(many)), "");
  EXPECT_NE(llvm::toString(checkPathPattern(many)), "");
  EXPECT_NE(llvm::toString(checkPathPattern(deep + "a")), "");
  EXPECT_THAT(llvm::toString(checkPathPattern(std::string(100'000, '*'))),
              HasSubstr("longer than 1000 characters"));
}
