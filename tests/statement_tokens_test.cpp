#include "input/statement_tokens.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

TEST(StatementTokens, LeaveOutDirectivesAndComments) {
  const std::string text = "#define A (\n"
                           "a /* ) */ = // [\n"
                           "  b;\n";
  const StatementTokens tokens(text);
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens.spelling(0), "a");
  EXPECT_TRUE(tokens.isAssignment(1));
  EXPECT_EQ(tokens.spelling(2), "b");
  EXPECT_EQ(tokens[2].begin, text.find("b;"));
  EXPECT_EQ(tokens.spelling(4), "");
}

TEST(StatementTokens, MatchBrackets) {
  const std::string text = "f(a[i], {1}) )";
  const StatementTokens tokens(text);
  EXPECT_EQ(tokens.closeOf(1), 10u);
  EXPECT_EQ(tokens.openOf(10, 0), 1u);
  EXPECT_EQ(tokens.openOf(11, 0), 0u); // none opens it
  const std::string open = "f((a";
  EXPECT_EQ(StatementTokens(open).closeOf(1), 4u);
}

std::vector<std::string> assigned(const std::string &text) {
  const StatementTokens tokens(text);
  std::vector<std::string> names;
  tokens.addAssigned(0, tokens.size(), names);
  return names;
}

TEST(StatementTokens, NameWhatARunAssigns) {
  EXPECT_THAT(assigned("a = b = c"), ElementsAre("a", "b"));
  EXPECT_THAT(assigned("(*p.v)[i] += f(x = 1)"), ElementsAre("p.v"));
  EXPECT_THAT(assigned("++*q->n"), ElementsAre("q->n"));
  EXPECT_THAT(assigned("float4 v(1, 2)"), ElementsAre("v"));
  EXPECT_THAT(assigned("a == b"), IsEmpty());
}

TEST(StatementTokens, NameTheTypeOfADeclaration) {
  auto type = [](const std::string &text) {
    const StatementTokens tokens(text);
    return tokens.typeOf(0, tokens.size());
  };
  EXPECT_EQ(type("const float *p = q"), "const float *");
  EXPECT_EQ(type("a = 1"), "");
  EXPECT_EQ(type("f(a)"), "");
}

TEST(StatementTokens, NameAParameter) {
  auto parameter = [](const std::string &text) {
    const StatementTokens tokens(text);
    return tokens.parameterName(0, tokens.size());
  };
  EXPECT_EQ(parameter("const float *x"), "x");
  EXPECT_EQ(parameter("float x[4][8]"), "x");
  EXPECT_EQ(parameter("int n = 3"), "n");
  EXPECT_EQ(parameter("int"), "");
}

} // namespace
