#include "base/suggest.h"
#include <gtest/gtest.h>

using namespace warplint;

static const std::vector<std::string> ids = {
    "dynamic-local-array", "repeated-global-write", "strided-global-access"};
static const std::vector<std::string> formats = {"text", "json", "csv"};

TEST(Suggest, FindsTheWordForATypingError) {
  EXPECT_EQ(nearest("dynamic-loacl-array", ids), "dynamic-local-array");
  EXPECT_EQ(nearest("repeated_global_write", ids), "repeated-global-write");
  EXPECT_EQ(nearest("jsno", formats), "json");
  EXPECT_EQ(nearest("chekc", {"check", "checks"}), "check");
}

// The nearest is named, not the first that is near.
TEST(Suggest, NamesTheNearestOfSeveral) {
  EXPECT_EQ(nearest("chekcs", {"check", "checks"}), "checks");
  EXPECT_EQ(nearest("checkss", {"check", "checks"}), "checks");
}

TEST(Suggest, IgnoresCase) {
  EXPECT_EQ(nearest("JSON", formats), "json");
  EXPECT_EQ(nearest("GATHER.cu", {"Gather.cu"}), "Gather.cu");
}

TEST(Suggest, FindsAWordByAPartOfIt) {
  EXPECT_EQ(nearest("strided", ids), "strided-global-access");
  EXPECT_EQ(nearest("--data", {"--database", "--format"}), "--database");
}

// A wrong suggestion costs a user more than none.
TEST(Suggest, SuggestsNothingForADistantWord) {
  EXPECT_EQ(nearest("global", ids), "") << "two ids hold that word";
  EXPECT_EQ(nearest("bank-conflict", ids), "");
  EXPECT_EQ(nearest("-x", {"-p", "-j"}), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("", formats), "");
  EXPECT_EQ(nearest("json", {}), "");
}
