// The tokens of a text as its author wrote it.
#include "fixes/source_tokens.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

std::vector<std::string> words(const SourceTokens &tokens) {
  std::vector<std::string> all;
  for (unsigned i = 0; i < tokens.size(); ++i)
    all.push_back(tokens.textOf(i).str());
  return all;
}

/// The first token with this spelling.
unsigned find(const SourceTokens &tokens, llvm::StringRef spelling) {
  for (unsigned i = 0; i < tokens.size(); ++i)
    if (tokens.is(i, spelling))
      return i;
  ADD_FAILURE() << spelling.str();
  return 0;
}

} // namespace

// An edit inside of a macro's body would change all its uses.
TEST(TokensOf, ADirectiveIsOneTokenWithItsContinuedLines) {
  const SourceTokens tokens("a.cu", "#define SIZE \\\n  (8 + 1)\r\nint a;\n");
  EXPECT_THAT(words(tokens),
              ElementsAre("#define SIZE \\\n  (8 + 1)", "int", "a", ";"));
  EXPECT_TRUE(tokens.isDirective(0));
  EXPECT_FALSE(tokens.at({"a.cu", 2, 4})) << "the 8";
  EXPECT_EQ(tokens.at({"a.cu", 3, 5}), 2u);
}

TEST(TokensOf, CommentsAndStringsHoldNoTokens) {
  const SourceTokens tokens("a.cu",
                            "f(\"a } b\"); // { \n/* ) */ g(R\"(])\");\n");
  EXPECT_THAT(words(tokens), ElementsAre("f", "(", "\"a } b\"", ")", ";", "g",
                                         "(", "R\"(])\"", ")", ";"));
  EXPECT_EQ(tokens.closeOf(1), 3u);
}

TEST(TokensOf, BracketsFindTheirPartners) {
  const SourceTokens tokens("a.cu", "a[b(c)[0]] = {1, (2)};");
  const unsigned outer = find(tokens, "["), brace = find(tokens, "{");
  EXPECT_EQ(tokens.openOf(*tokens.closeOf(outer)), outer);
  EXPECT_TRUE(tokens.is(*tokens.closeOf(outer) + 1, "="));
  EXPECT_TRUE(tokens.is(*tokens.closeOf(brace) + 1, ";"));
  EXPECT_FALSE(tokens.closeOf(find(tokens, "c"))) << "no bracket";
  EXPECT_FALSE(tokens.openOf(outer)) << "it opens";
}

// Under '#if' both branches may open a brace: no partner is better than a wrong
// one.
TEST(TokensOf, ABracketWithoutAPartnerHasNone) {
  const SourceTokens tokens("a.cu", "f(a; }");
  EXPECT_FALSE(tokens.closeOf(1));
  EXPECT_FALSE(tokens.openOf(4));
}

TEST(TokensOf, TheFunctionIsTheOutermostBodyBehindItsHead) {
  const SourceTokens tokens(
      "a.cu", "namespace n { struct S { void f() const { if (x) { use; } } };"
              " int v[] = { other }; }");
  const auto body = tokens.functionAround(find(tokens, "use"));
  ASSERT_TRUE(body);
  EXPECT_TRUE(tokens.is(*body - 1, "const"));
  EXPECT_EQ(tokens.bracesAround(find(tokens, "use")).size(), 4u);
  EXPECT_FALSE(tokens.functionAround(find(tokens, "other")));
}

TEST(TokensOf, PlacesAndOffsetsAreTheSameBothWays) {
  const std::string text = "int a;\n\tint b;\n";
  const SourceTokens tokens("a.cu", text);
  for (unsigned byte = 0; byte < text.size(); ++byte)
    EXPECT_EQ(tokens.offset(tokens.place(byte)), byte);
  EXPECT_EQ(tokens.place(8), (Place{"a.cu", 2, 2}));
  EXPECT_EQ(tokens.indentation(8), "\t");
  EXPECT_EQ(tokens.indentation(2), "");
  EXPECT_FALSE(tokens.offset({"a.cu", 0, 1}));
  EXPECT_FALSE(tokens.offset({"a.cu", 2, 0}));
  EXPECT_FALSE(tokens.offset({"a.cu", 99, 1}));
}

TEST(TokensOf, WhatLiesBeyondTheEndIsNothing) {
  const SourceTokens tokens("a.cu", "");
  EXPECT_EQ(tokens.size(), 0u);
  EXPECT_FALSE(tokens.is(0, ""));
  EXPECT_FALSE(tokens.isIdentifier(0));
  EXPECT_FALSE(tokens.isDirective(0));
  EXPECT_FALSE(tokens.closeOf(0));
  EXPECT_EQ(tokens.textOf(0, 0), "");
}
