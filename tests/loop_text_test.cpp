// Tests what the edits of loops share.
#include "fixes/loop_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

std::string first(const std::string &header) {
  const std::string text = "for (" + header + ") {}";
  const SourceTokens tokens("a.cu", text);
  const std::optional<ForLoop> loop = forLoopOf(tokens, *tokens.closeOf(1));
  return loop ? firstIteration(tokens, *loop).value_or("none") : "no loop";
}

TEST(LoopText, TheConditionOfTheFirstIterationHasNoCounter) {
  EXPECT_EQ(first("int k = 0; k < n; ++k"), "0 < n");
  EXPECT_EQ(first("k = a + b; k < n; ++k"), "(a + b) < n");
  EXPECT_EQ(first("unsigned k = a; k < n; ++k"),
            "static_cast<unsigned>(a) < n");
  EXPECT_EQ(first("; k < n; ++k"), "k < n");
  EXPECT_EQ(first(";;"), "");
  EXPECT_EQ(first("int k = 0, j = 0; k < n; ++k"), "none");
  EXPECT_EQ(first("int k = 0; k++ < n;"), "none");
  EXPECT_EQ(first("float x : xs"), "no loop");
}

TEST(LoopText, AChangeIsAnAssignmentAStepOrADeclaration) {
  auto changed = [](const std::string &text) {
    const SourceTokens tokens("a.cu", text);
    return isChanged(tokens, 0, tokens.size(), "x");
  };
  for (const char *text :
       {"x = 1;", "x += 1;", "++x;", "x--;", "f(&x);", "int x;", "(x <<= 1);"})
    EXPECT_TRUE(changed(text)) << text;
  for (const char *text : {"y = x;", "f(x);", "a & x;", "x == 1;", "v[x]++;"})
    EXPECT_FALSE(changed(text)) << text;
}

TEST(LoopText, ANewVariableHasANameOfItsOwn) {
  const std::string text = "a_value = a_value3;";
  const SourceTokens tokens("a.cu", text);
  EXPECT_EQ(newVariable(tokens, "b"), "b_value");
  EXPECT_EQ(newVariable(tokens, "a"), "a_value2");
  EXPECT_EQ(newVariable(tokens, "a", {"a_value2"}), "a_value4");
}

} // namespace
