// How the commands that compare resources print and end.
#include "commands/resource_comparison.h"
#include "resource_rows.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

// A build that fails must not pass because something else is missing as well.
TEST(ResourceComparisons, AFindingDecidesTheExitCodeBeforeWhatIsMissing) {
  EXPECT_EQ(exitCodeOf(true, true), 1);
  EXPECT_EQ(exitCodeOf(true, false), 1);
  EXPECT_EQ(exitCodeOf(false, true), 3);
  EXPECT_EQ(exitCodeOf(false, false), 0);
}

TEST(ResourceComparisons, EachFormatIsItsOwn) {
  const ResourceComparison changed =
      compare({row("k()")}, {with(row("k()"), 72)});
  auto printed = [&](Format format) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printComparison(changed, format, out);
    return text;
  };
  EXPECT_TRUE(llvm::StringRef(printed(Format::Json)).starts_with("{"));
  EXPECT_TRUE(llvm::StringRef(printed(Format::Markdown)).contains("| worse |"));
  EXPECT_TRUE(llvm::StringRef(printed(Format::Text)).starts_with("worse   "));
}

} // namespace
