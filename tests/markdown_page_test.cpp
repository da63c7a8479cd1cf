// The page of a check, as an editor shows it beside a finding.
#include "report/markdown_page.h"
#include <gtest/gtest.h>

using namespace warplint;

// An empty title, or code that is no code block, reads as broken.
TEST(MarkdownPage, HasTheSectionsThatTheCheckHas) {
  CheckInfo info{};
  info.id = "some-check";
  info.why = "\nIt waits.";
  info.slow = "\na[i * 32];\n";
  info.cures = "\n- Turn the loops.";
  EXPECT_EQ(markdownPage(info), "**Why it costs**\n\nIt waits.\n\n"
                                "**Slow**\n\n```cuda\na[i * 32];\n```\n\n"
                                "**What to do**\n\n- Turn the loops.");
}

TEST(MarkdownPage, OfACheckWithoutTextIsEmpty) {
  EXPECT_EQ(markdownPage(CheckInfo{}), "");
}
