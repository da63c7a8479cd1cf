// PTX text as tokens. A wrong boundary gives another instruction.
#include "ptx/ptx_lexer.h"
#include <gmock/gmock.h>

using namespace warplint::ptx;
using testing::ElementsAre;
using testing::Pair;

static std::vector<std::pair<int, std::string>> tokens(llvm::StringRef text) {
  std::vector<std::pair<int, std::string>> found;
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != Token::End;
       token = lexer.next())
    found.emplace_back(token.kind, token.text.str());
  return found;
}

TEST(PtxLexer, OpcodesAndRegistersAreWords) {
  EXPECT_THAT(
      tokens("@%p1 ld.global.L2::128B.v4.f32 {%f1, $L}, [%rd2+-4];"),
      ElementsAre(Pair(Token::Punctuation, "@"), Pair(Token::Word, "%p1"),
                  Pair(Token::Word, "ld.global.L2::128B.v4.f32"),
                  Pair(Token::Punctuation, "{"), Pair(Token::Word, "%f1"),
                  Pair(Token::Punctuation, ","), Pair(Token::Word, "$L"),
                  Pair(Token::Punctuation, "}"), Pair(Token::Punctuation, ","),
                  Pair(Token::Punctuation, "["), Pair(Token::Word, "%rd2"),
                  Pair(Token::Punctuation, "+"), Pair(Token::Punctuation, "-"),
                  Pair(Token::Integer, "4"), Pair(Token::Punctuation, "]"),
                  Pair(Token::Punctuation, ";")));
  // The label's colon is none of the word's.
  EXPECT_THAT(tokens("$L__BB0_2: mov.u32 %r1, %tid.x;").size(), 7u);
}

TEST(PtxLexer, RealsAreToldFromIntegers) {
  EXPECT_THAT(
      tokens("0f3F800000 0d3FF0000000000000 1.5 2.5e-3 0x1F 17U 1 << 2"),
      ElementsAre(Pair(Token::Real, "0f3F800000"),
                  Pair(Token::Real, "0d3FF0000000000000"),
                  Pair(Token::Real, "1.5"), Pair(Token::Real, "2.5e-3"),
                  Pair(Token::Integer, "0x1F"), Pair(Token::Integer, "17U"),
                  Pair(Token::Integer, "1"), Pair(Token::Punctuation, "<<"),
                  Pair(Token::Integer, "2")));
}

TEST(PtxLexer, CommentsAndPragmasAreBlanks) {
  EXPECT_THAT(tokens("// a\n# 1 \"x\"\n@@DWARF .byte 1\n/* b\n */.reg"),
              ElementsAre(Pair(Token::Directive, ".reg")));
}

// Errors name lines; comments and strings may have several.
TEST(PtxLexer, LinesAreCounted) {
  Lexer lexer("a /* \n\n */ b \"c\nd\" e");
  EXPECT_EQ(lexer.next().line, 1u);
  EXPECT_EQ(lexer.next().line, 3u);
  EXPECT_EQ(lexer.next().text, "c\nd");
  EXPECT_EQ(lexer.next().line, 4u);
}

TEST(PtxLexer, TextThatIsCutOffEnds) {
  for (llvm::StringRef text :
       {"/* never closed", "\"never closed", "//", "#", "", "\n", "%"}) {
    Lexer lexer(text);
    for (int i = 0; i < 4; ++i)
      if (lexer.next().kind == Token::End)
        break;
    EXPECT_EQ(lexer.next().kind, Token::End) << text.str();
  }
}
