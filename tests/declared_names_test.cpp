// A name that is not found would let its declaration go though it is used.
#include "source/shorten/declared_names.h"
#include "llvm/ADT/ArrayRef.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct Found {
  std::vector<std::string> words, operands;
  DeclaredNames names;
};

/// The names of the one declaration in `text`.
Found namesIn(const std::string &text) {
  const TokenText tokens(text);
  Found found;
  for (const Piece &piece :
       divide(tokens, [](llvm::StringRef) { return false; }))
    if (piece.kind != Piece::Between)
      found.names = namesOf(tokens, piece);
  auto spellings = [&](llvm::ArrayRef<Word> words) {
    std::vector<std::string> result;
    for (Word word : words)
      for (const auto &[spelling, index] : tokens.words)
        if (index == word)
          result.push_back(spelling.str());
    return result;
  };
  found.words = spellings(found.names.words);
  found.operands = spellings(found.names.operands);
  return found;
}

} // namespace

TEST(DeclaredNames, AreThoseThatCodeRefersBy) {
  EXPECT_THAT(namesIn("int f(int x);\n").words, ElementsAre("f"));
  EXPECT_THAT(namesIn("static const int a = g(b), c[3];\n").words,
              ElementsAre("a", "c"));
  EXPECT_THAT(namesIn("struct S : Base { int x; };\n").words, ElementsAre("S"));
  EXPECT_THAT(namesIn("using Other = Some<int>;\n").words,
              ElementsAre("Other"));
  const Found colours = namesIn("enum Colour { red, green };\n");
  EXPECT_THAT(colours.words, Contains("Colour"));
  EXPECT_THAT(colours.words, Contains("green"));
}

TEST(DeclaredNames, MembersAndOperatorsNeedTheirClasses) {
  const Found member = namesIn("void ns::S::go() {}\n");
  EXPECT_THAT(member.words, ElementsAre("go"));
  EXPECT_THAT(member.operands, ElementsAre("S", "ns"));
  EXPECT_TRUE(member.names.isFoundByOperands);
  const Found plus = namesIn("Vector operator+(Vector a, Vector b);\n");
  EXPECT_THAT(plus.words, IsEmpty());
  EXPECT_THAT(plus.operands, Contains("Vector"));
  EXPECT_FALSE(plus.names.needsAllOperands);
}

// Thrust's calls of it were errors.
TEST(DeclaredNames, AnAttributeBehindAReturnTypeIsNoFunctions) {
  const Found found =
      namesIn("template <class T>\n"
              "typename Sequence<T>::type __attribute__((device)) get(T &t)\n"
              "{ return Sequence<T>::of(t); }\n");
  EXPECT_THAT(found.words, ElementsAre("get"));
  EXPECT_THAT(found.operands, IsEmpty());
  EXPECT_FALSE(found.names.isFoundByOperands);
}

TEST(DeclaredNames, ATemplateOverAClassNeedsTheClass) {
  const Found sum =
      namesIn("template <class T> T sum(const Matrix<T> &m, int n) {}\n");
  EXPECT_THAT(sum.words, ElementsAre("sum"));
  EXPECT_THAT(sum.operands, ElementsAre("Matrix"));
  EXPECT_TRUE(sum.names.needsAllOperands);
}

TEST(DeclaredNames, SomeDeclarationsActUnnamed) {
  EXPECT_TRUE(namesIn("using namespace std;\n").names.always);
  EXPECT_TRUE(namesIn("void *operator new(size_t);\n").names.always);
  EXPECT_TRUE(namesIn("__attribute__((global)) void k();\n").names.always);
  EXPECT_FALSE(namesIn("static_assert(sizeof(int) == 4);\n").names.always);
}
