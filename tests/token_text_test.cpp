// A preprocessed text to its tokens: a bracket that is taken for another's
// partner would cut a declaration in two.
#include "source/shorten/token_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace tok = clang::tok;

namespace {

std::vector<std::string> spellings(const TokenText &text) {
  std::vector<std::string> all;
  for (unsigned i = 0; i < text.tokens.size(); ++i)
    all.push_back(text.spellingOf(i).str());
  return all;
}

/// Returns what stands from the first token up to the close of the angle there.
std::string angle(llvm::StringRef text) {
  const TokenText tokens(text);
  auto close = tokens.closeOfAngle(0, tokens.tokens.size());
  return close ? text.take_front(tokens.endOf(*close)).str() : "";
}

/// Returns what stands before the end of the initialiser at the '=' of `int a =
/// ...`.
std::string initialiser(llvm::StringRef text) {
  const TokenText tokens(text);
  const unsigned end = tokens.afterInitialiser(2, tokens.tokens.size());
  return text.take_front(tokens.beginOf(end)).str();
}

} // namespace

TEST(TokenText, ADirectiveIsOneToken) {
  const TokenText text("int a;\n# 3 \"b.h\" 2\n#pragma x ( y\nint b;\n");
  EXPECT_THAT(spellings(text), ElementsAre("int", "a", ";", "# 3 \"b.h\" 2\n",
                                           "#pragma x ( y\n", "int", "b", ";"));
  EXPECT_TRUE(text.is(3, tok::eod));
  EXPECT_EQ(text.afterDirectives(3), 5u);
}

TEST(TokenText, CommentsAndStringsHoldNoTokens) {
  EXPECT_THAT(spellings(TokenText("f(\"}\", '}', R\"x()}\")x\") /* } */;\n")),
              ElementsAre("f", "(", "\"}\"", ",", "'}'", ",", "R\"x()}\")x\"",
                          ")", ";"));
}

TEST(TokenText, KeywordsAreNoNames) {
  const TokenText text("static int twice __attribute__((device));\n");
  EXPECT_FALSE(text.isName(0));
  EXPECT_FALSE(text.isName(1));
  EXPECT_TRUE(text.isName(2));
  EXPECT_FALSE(text.isName(3));
  EXPECT_TRUE(text.isAttribute(3));
  EXPECT_FALSE(text.isAttribute(2));
  EXPECT_FALSE(text.isName(100));
}

// 3_km calls operator""_km, and names no variable _km.
TEST(TokenText, ALiteralsSuffixNamesItsOperatorAlone) {
  const TokenText text("operator\"\" _km 3.0_km \"a\"_km _km 0x1f\n");
  EXPECT_EQ(text.tokens[2].word, text.tokens[3].word);
  EXPECT_EQ(text.tokens[2].word, text.tokens[4].word);
  EXPECT_NE(text.tokens[2].word, text.tokens[5].word);
}

TEST(TokenText, BracketsOfAllKindsAreMatched) {
  const TokenText text("f(a[1], {b()}) c\n");
  EXPECT_EQ(text.closeOf(1), 13u - 1);
  EXPECT_EQ(text.closeOf(3), 5u);
  // A broken text gives its rest.
  EXPECT_EQ(TokenText("f(a\n").closeOf(1), 2u);
}

TEST(TokenText, ATemplateListEndsAtItsOwnAngle) {
  EXPECT_EQ(angle("<class T> int x;\n"), "<class T>");
  EXPECT_EQ(angle("<A<B>, C> x;\n"), "<A<B>, C>");
  EXPECT_EQ(angle("<A<B>> x;\n"), "<A<B>>");
  EXPECT_EQ(angle("<(a > b), C> x;\n"), "<(a > b), C>");
  EXPECT_EQ(angle("<a; b> c\n"), "") << "it is a comparison";
  EXPECT_EQ(angle("<a\n"), "");
}

TEST(TokenText, AnInitialiserEndsBeforeTheNextName) {
  EXPECT_EQ(initialiser("int a = 1, b;\n"), "int a = 1");
  EXPECT_EQ(initialiser("int a = f(1, 2), b;\n"), "int a = f(1, 2)");
  EXPECT_EQ(initialiser("int a = g<1, 2>(), b;\n"), "int a = g<1, 2>()");
  EXPECT_EQ(initialiser("int a = [] { x; y; }();\n"), "int a = [] { x; y; }()");
}

TEST(TokenText, TheParametersOfAnOperatorAreFound) {
  auto parameters = [](llvm::StringRef text) {
    const TokenText tokens(text);
    return text.drop_front(tokens.beginOf(tokens.afterOperatorSymbol(0)))
        .str();
  };
  EXPECT_EQ(parameters("operator()(int);\n"), "(int);\n");
  EXPECT_EQ(parameters("operator<<(int);\n"), "(int);\n");
  EXPECT_EQ(parameters("operator new[](int);\n"), "(int);\n");
  EXPECT_EQ(parameters("operator bool() const;\n"), "() const;\n");
}

// Findings of the machine code are reported by line and file.
TEST(TokenText, ALineMarkerHasItsLineFileAndMark) {
  auto marker = readLineMarker("# 12 \"/my code/a.h\" 1 3 4\n");
  ASSERT_TRUE(marker);
  EXPECT_EQ(marker->line, 12u);
  EXPECT_EQ(marker->file, "/my code/a.h");
  EXPECT_TRUE(marker->isSystem);
  EXPECT_FALSE(readLineMarker("# 3 \"a3.h\" 2\n")->isSystem);
  EXPECT_EQ(readLineMarker("#line 7 \"b.h\"\n")->line, 7u);
  for (const char *other : {"#pragma once\n", "# 3\n", "# 3 \"\n", "#\n"})
    EXPECT_FALSE(readLineMarker(other)) << other;
}
