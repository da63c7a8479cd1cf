// A source's text to its statements, by which baselines know findings again.
#include "findings/statements.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

static std::vector<std::string> texts(llvm::StringRef source) {
  std::vector<std::string> result;
  for (const Statement &statement : statements(source))
    if (!statement.text.empty())
      result.push_back(statement.text);
  return result;
}

TEST(Statements, EndAtBracesSemicolonsAndDirectives) {
  EXPECT_THAT(
      texts("#define A(x) \\\n  x;\nint a = '\"'; /* ; */ s = \"a ;\";\n"
            "if (b) { c(); }"),
      ElementsAre("#defineA(x)\\x;", "inta='\"'", "s=\"a ;\"", "if(b)", "c()"));
}

TEST(Statements, HostileTextTerminates) {
  for (llvm::StringRef text : {"", "\"", "'", "/*", "#", "#\\\n", "//", "\\",
                               "\"\\", "1'000;", "}\0{"})
    for (unsigned column : {0u, 1u, 2u, 9u})
      StatementIndex(text).at(1, column);
  EXPECT_EQ(StatementIndex("a;").at(2, 1), "");
  EXPECT_EQ(StatementIndex("a;").at(0, 1), "");
}
