// A declaration that is cut in two would change its meaning without an error.
#include "source/shorten/divide.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

namespace {

/// The declarations in `text`; those of a library begin with '-'.
std::vector<std::string> declarationsIn(const std::string &text) {
  const TokenText tokens(text);
  std::vector<std::string> result;
  unsigned next = 0;
  for (const Piece &piece : divide(tokens, [](llvm::StringRef file) {
         return file.starts_with("/toolkit/");
       })) {
    EXPECT_EQ(piece.first, next) << "a token is in no piece";
    next = piece.last;
    if (piece.kind == Piece::Between)
      continue;
    const size_t begin = tokens.beginOf(piece.first);
    result.push_back(
        (piece.kind == Piece::MayGo ? "-" : "") +
        text.substr(begin, tokens.endOf(piece.last - 1) - begin));
  }
  EXPECT_EQ(next, tokens.tokens.size());
  return result;
}

} // namespace

TEST(Divide, ADeclarationEndsWithItsSemicolonOrBody) {
  EXPECT_THAT(declarationsIn("int a = f(x), b{2}; void f() { ; } struct S {\n"
                             "int x; } s; template <class T> void g(T) {}\n"),
              ElementsAre("int a = f(x), b{2};", "void f() { ; }",
                          "struct S {\nint x; } s;",
                          "template <class T> void g(T) {}"));
}

TEST(Divide, NamespacesAreOpenedNotTakenWhole) {
  EXPECT_THAT(declarationsIn("namespace a::b { int x; } extern \"C\" { int y; "
                             "} inline namespace c { void f() {} }\n"),
              ElementsAre("int x;", "int y;", "void f() {}"));
}

TEST(Divide, AConstructorsInitialisersBelongToIt) {
  EXPECT_THAT(declarationsIn("A::A() : x{1}, y{2} { go(); } int z;\n"),
              ElementsAre("A::A() : x{1}, y{2} { go(); }", "int z;"));
}

TEST(Divide, LineMarkersSayWhatIsALibrarys) {
  EXPECT_THAT(declarationsIn("# 1 \"/lib/a.h\" 1 3\nint a;\n"
                             "# 1 \"/toolkit/b.h\" 1\nint b;\n"
                             "# 1 \"k.cu\" 2\nint c;\n"),
              ElementsAre("-int a;", "-int b;", "int c;"));
}
