// The changes between two reports, for people, pull requests and programs.
#include "report/resources/resource_diff.h"
#include "resource_rows.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(ResourceDiff, MarkdownShowsWholeNames) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDiffMarkdown(
      compare({row("k<float*, a|b>")}, {with(row("k<float*, a|b>"), 40)}), out);
  EXPECT_THAT(text, HasSubstr("| worse | sm_90 | k\\<float\\*, a\\|b\\> (a.cu) "
                              "| registers 32 -\\> 40 |\n"));
}

TEST(ResourceDiff, JsonHasBothSides) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDiffJson(compare({row("k()")}, {with(row("k()"), 40)}), out);
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &change =
      *(*json->getAsObject()->getArray("changes"))[0].getAsObject();
  EXPECT_EQ(change.getString("change"), "worse");
  EXPECT_EQ(change.getObject("before")->getInteger("registers"), 32);
  EXPECT_EQ(change.getObject("after")->getInteger("registers"), 40);
  EXPECT_TRUE(change.getObject("after")->get("barriers")->getAsNull());
}

} // namespace
