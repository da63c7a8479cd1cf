#include "input/statement_reader.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

std::vector<std::string> textsOf(const std::string &text) {
  std::vector<std::string> texts;
  for (const SourceStatement &statement : readStatements(text).statements)
    texts.push_back(statement.text);
  return texts;
}

TEST(StatementReader, GivesAStatementInTheOrderOfItsPlace) {
  EXPECT_THAT(textsOf("void f() { int a = 1;\n if (a)\n  g( a,\n b ); }"),
              ElementsAre("int a = 1", "if (a)", "g( a, b )"));
}

TEST(StatementReader, SpansTheBodyOfALoop) {
  const std::string text = "void f() { for (;;) { a = 1; b = 2; } c = 3; }";
  const SourceStatement loop = readStatements(text).statements.front();
  EXPECT_EQ(loop.kind, SourceStatement::Loop);
  EXPECT_EQ(text.substr(loop.begin, loop.end - loop.begin), "for (;;) ");
  EXPECT_EQ(loop.bodyEnd, text.find("} c") + 1);
}

TEST(StatementReader, ShortensALongText) {
  const std::string name(80, 'x');
  const std::string text = textsOf("void f() { " + name + " = 1; }").front();
  EXPECT_EQ(text, name.substr(0, 57) + "...");
}

TEST(StatementReader, NotesArraysAndFunctions) {
  const std::string text =
      "void f(float *p, int) { __shared__ float a[8][9]; }";
  const StatementsOfText read = readStatements(text);
  ASSERT_EQ(read.functions.size(), 1u);
  EXPECT_EQ(read.functions[0].begin, text.find("f("));
  EXPECT_THAT(read.functions[0].parameters, ElementsAre("p", ""));
  const std::vector<ArrayDeclaration> &arrays = read.arrays.at("a");
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].extents, "[8][9]");
  EXPECT_EQ(arrays[0].elementType, "__shared__ float");
  EXPECT_EQ(arrays[0].begin, text.find("a[8]"));
}

// A generated source may nest deeper than the stack reaches.
TEST(StatementReader, EndsInDeepNesting) {
  EXPECT_TRUE(readStatements(std::string(100000, '{')).statements.empty());
}

} // namespace
