// Where a statement ends, and what in it is evaluated in any case.
#include "fixes/statement_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The text of the statement that the source begins with.
std::string statement(const std::string &text) {
  const SourceTokens tokens("a.cu", text);
  return tokens.textOf(0, endOfStatement(tokens, 0)).str();
}

TEST(StatementText, AStatementEndsWhereCSaysSo) {
  EXPECT_EQ(statement("a = b[i]; c;"), "a = b[i];");
  EXPECT_EQ(statement("{ a; b; } c;"), "{ a; b; }");
  EXPECT_EQ(statement("if (a) { b; } c;"), "if (a) { b; }");
  EXPECT_EQ(statement("if (a) b; else if (c) d; else { e; } f;"),
            "if (a) b; else if (c) d; else { e; }");
  EXPECT_EQ(statement("if constexpr (a) b; c;"), "if constexpr (a) b;");
  EXPECT_EQ(statement("for (;;) while (a) b; c;"), "for (;;) while (a) b;");
  EXPECT_EQ(statement("do a; while (b); c;"), "do a; while (b);");
  EXPECT_EQ(statement("do { a; } while (b); c;"), "do { a; } while (b);");
  EXPECT_EQ(statement("f([&] { a; b; }); c;"), "f([&] { a; b; });");
  EXPECT_EQ(statement("#pragma unroll\nfor (;;) a; c;"),
            "#pragma unroll\nfor (;;) a;");
}

/// Returns true if the X of the statement is evaluated in any case.
bool always(const std::string &text) {
  const SourceTokens tokens("a.cu", text);
  unsigned use = 0;
  while (use < tokens.size() && !tokens.is(use, "X"))
    ++use;
  EXPECT_LT(use, tokens.size());
  return isAlwaysEvaluated(tokens, 0, use);
}

TEST(StatementText, WhatABranchOrALoopDecidesOnIsNotAlwaysEvaluated) {
  EXPECT_TRUE(always("a = f(b, X);"));
  EXPECT_TRUE(always("{ a; { b = X; } }"));
  EXPECT_TRUE(always("if (X) a;"));
  EXPECT_TRUE(always("for (i = X; i < n; ++i) a;"));
  EXPECT_TRUE(always("for (i = 0; i < X; ++i) a;"));
  EXPECT_TRUE(always("while (X) a;"));
  EXPECT_TRUE(always("do { a = X; } while (b);"));
  EXPECT_TRUE(always("{ for (;;) a; b = X; }"));
  EXPECT_FALSE(always("for (i = 0; i < n; i += X) a;"));
  EXPECT_FALSE(always("for (;;) a = X;"));
  EXPECT_FALSE(always("while (b) a = X;"));
  EXPECT_FALSE(always("if (b) a = X;"));
  EXPECT_FALSE(always("if (b) a; else a = X;"));
  EXPECT_FALSE(always("switch (b) { case 1: a = X; }"));
  EXPECT_FALSE(always("a = b ? X : 0;"));
  EXPECT_FALSE(always("a = b && X;"));
  EXPECT_FALSE(always("if (b || X) a;"));
  EXPECT_FALSE(always("f([&] { return X; });"));
  EXPECT_FALSE(always("{ if (b) return; a = X; }"));
  EXPECT_FALSE(always("{ while (b) break; a = X; }"));
}

/// Whether the X is the body of a head: "yes", "no", "open".
std::string bareBody(const std::string &text) {
  const SourceTokens tokens("a.cu", text);
  unsigned at = 0;
  while (at < tokens.size() && !tokens.is(at, "X"))
    ++at;
  EXPECT_LT(at, tokens.size());
  const std::optional<bool> is = isBareBody(tokens, at);
  return !is ? "open" : *is ? "yes" : "no";
}

TEST(StatementText, ABodyWithoutBracesFollowsItsHead) {
  EXPECT_EQ(bareBody("if (a) X;"), "yes");
  EXPECT_EQ(bareBody("if (a) b; else X;"), "yes");
  EXPECT_EQ(bareBody("do X; while (a);"), "yes");
  EXPECT_EQ(bareBody("if (a) b; X;"), "no");
  EXPECT_EQ(bareBody("{ X; }"), "no");
  EXPECT_EQ(bareBody("X;"), "no");
}

TEST(StatementText, DirectivesBehindAHeadLeaveItOpen) {
  EXPECT_EQ(bareBody("b;\n#pragma unroll\nX;"), "no");
  EXPECT_EQ(bareBody("if (a)\n#pragma unroll\nX;"), "open");
  EXPECT_EQ(bareBody("if (a)\n#if B\nb;\n#else\nX;\n#endif"), "open");
  EXPECT_EQ(bareBody("if (a)\n#if B\nb;\n#endif\nX;"), "open");
  EXPECT_EQ(bareBody("#if B\nif (a)\n#endif\nX;"), "open");
  EXPECT_EQ(bareBody("c;\n#if B\nif (a) b;\n#endif\nX;"), "no");
  EXPECT_EQ(bareBody("c;\n#if B\n#if A\na;\n#endif\nb;\n#endif\nX;"), "no");
}

} // namespace
