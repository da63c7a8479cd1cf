// The statement around an expression, and what may be computed before it.
#include "fixes/before_statement.h"
#include "fixes/edits.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// The token that is spelled X.
unsigned tokenX(const SourceTokens &tokens) {
  unsigned at = 0;
  while (at < tokens.size() && !tokens.is(at, "X"))
    ++at;
  return at;
}

std::string around(const std::string &text) {
  const SourceTokens tokens("a.cu", text);
  const std::optional<Around> found = statementAround(tokens, tokenX(tokens));
  return found ? tokens.textOf(found->first, found->last).str() : "none";
}

TEST(BeforeStatement, TheStatementEndsBehindItsSemicolon) {
  EXPECT_EQ(around("{ a; b = X + c; d; }"), "b = X + c;");
  EXPECT_EQ(around("{ for (;;) { f(); } b[X] = c; }"), "b[X] = c;");
  EXPECT_EQ(around("{ if (a) b = X; else c; }"), "b = X;");
  EXPECT_EQ(around("{ if (X) b; else { c; } d; }"), "if (X) b; else { c; }");
  EXPECT_EQ(around("{ if (a) b; else if (X) { c; } d; }"), "if (X) { c; }");
  EXPECT_EQ(around("{ if constexpr (X) b; }"), "none");
  EXPECT_EQ(around("{ while (f([&] { if (X) b; })) c; }"), "none");
  EXPECT_EQ(around("{ for (; X;) b; }"), "none");
  EXPECT_EQ(around("{ int a[] = {X, 1}; }"), "none");
}

bool moves(const std::string &text) {
  const SourceTokens tokens("a.cu", text);
  const unsigned at = tokenX(tokens);
  const std::optional<Around> found = statementAround(tokens, at);
  return found && mayMove(tokens, at, at + 3, *found);
}

TEST(BeforeStatement, ArithmeticMayMoveUnlessTheStatementChangesIt) {
  EXPECT_TRUE(moves("void k() { a = f(X + b); }"));
  EXPECT_TRUE(moves("void k() { a = c[X & b]; }"));
  EXPECT_FALSE(moves("void k() { a = X + b, b = 2; }"));
  EXPECT_FALSE(moves("void k() { a = c ? X + b : 0; }"));
  EXPECT_FALSE(moves("void k() { a = X = b; }"));
}

TEST(BeforeStatement, LinesKeepTheIndentationOfTheStatement) {
  const std::string text = "{\n  a = X;\n  if (c)\n    b;\n}\n";
  const SourceTokens tokens("a.cu", text);
  EXPECT_EQ(
      applied(text, withLinesBefore(tokens, {1, 5, false},
                                    {"int i;", "#pragma once", "f();"}, {})),
      "{\n  int i;\n#pragma once\n  f();\n  a = X;\n  if (c)\n    b;\n"
      "}\n");
  EXPECT_EQ(applied(text, withLinesBefore(tokens, {9, 11, true}, {"int i;"}, {},
                                          "  ")),
            "{\n  a = X;\n  if (c) {\n    int i;\n      b;\n  }\n}\n");
}

} // namespace
