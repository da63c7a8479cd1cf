// Where a compiler searches for includes: what is missing here is a header that
// the linter does not find.
#include "input/search_flags.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::FieldsAre;

TEST(SearchFlags, AreFoundInOrderJoinedOrSeparate) {
  EXPECT_THAT(
      searchFlags("/build",
                  {"-x", "cuda", "-Iinclude", "-I", "../src", "-isystem",
                   "/sys", "-iquote/q", "-idirafter", "d", "-DNAME=-Ino",
                   "-include", "pre.h", "-imacros", "m.h", "-std=c++17"}),
      ElementsAre(FieldsAre("-I", "/build/include"),
                  FieldsAre("-I", "/build/../src"),
                  FieldsAre("-isystem", "/sys"), FieldsAre("-iquote", "/q"),
                  FieldsAre("-idirafter", "/build/d"),
                  FieldsAre("-include", "/build/pre.h"),
                  FieldsAre("-imacros", "/build/m.h")));
}

TEST(SearchFlags, AFlagWithoutItsValueDoesNotCrash) {
  EXPECT_THAT(searchFlags("/build", {"-I"}), testing::SizeIs(1));
}

// "include/.." is not "." where `include` is a link.
TEST(SearchFlags, OnlyAPlainPathHasNoDots) {
  EXPECT_EQ(pathIn("/build", "../src/./a.h"), "/build/../src/./a.h");
  EXPECT_EQ(plainPathIn("/build", "../src/./a.h"), "/src/a.h");
  EXPECT_EQ(pathIn("/build", "/a.h"), "/a.h");
}
