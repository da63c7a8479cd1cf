#include "input/source_statements.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

/// Returns what the statement at the mark '|' assigns.
std::string assigned(StringRef marked) {
  const size_t at = marked.find('|');
  const std::string text =
      (marked.take_front(at) + marked.substr(at + 1)).str();
  const StringRef before = marked.take_front(at);
  const unsigned line = before.count('\n') + 1;
  const unsigned column = at - (before.rfind('\n') + 1) + 1;
  const SourceStatements statements(text);
  const SourceStatement *statement = statements.at(line, column);
  if (!statement)
    return "none";
  switch (statement->kind) {
  case SourceStatement::Loop:
    return "loop " + join(statement->names, ",");
  case SourceStatement::Return:
    return "return";
  default:
    return join(statement->names, ",");
  }
}

TEST(SourceStatements, NamesWhatAStatementAssigns) {
  EXPECT_EQ(assigned("void f() { |int i = 3; }"), "i");
  EXPECT_EQ(assigned("void f() { |sum[r][q] += x[r] * y[q]; }"), "sum");
  EXPECT_EQ(assigned("void f() { |p.pos.x = 2; }"), "p.pos.x");
  EXPECT_EQ(assigned("void f() { |p->v[i] -= 2; }"), "p->v");
  EXPECT_EQ(assigned("void f() { |*out = a; }"), "out");
  EXPECT_EQ(assigned("void f() { |(*out)[2] = a; }"), "out");
  EXPECT_EQ(assigned("void f() { |this->n = a; }"), "n");
  EXPECT_EQ(assigned("void f() { |const float4 v(1, 2, 3, 4); }"), "v");
  EXPECT_EQ(assigned("void f() { |Vec<float, 3> v{1, 2, 3}; }"), "v");
  EXPECT_EQ(assigned("void f() { |std::pair<int, int> v = g(); }"), "v");
  EXPECT_EQ(assigned("void f() { |auto &r = t[i]; }"), "r");
  EXPECT_EQ(assigned("void f() { |i++; }"), "i");
  EXPECT_EQ(assigned("void f() { |++p->count; }"), "p->count");
  EXPECT_EQ(assigned("void f() { |g(a, b); }"), "");
  EXPECT_EQ(assigned("void f() { a = 1;\n |return a; }"), "return");
  EXPECT_EQ(assigned("void f(int n) {\n a = 1;\n|}"), "none");
}

TEST(SourceStatements, SplitsDeclarationsOfSeveralVariables) {
  EXPECT_EQ(assigned("void f() { int |a = 1, b = g(1, 2); }"), "a");
  EXPECT_EQ(assigned("void f() { int a = 1, |b = g(1, 2); }"), "b");
  EXPECT_EQ(assigned("void f() { float a = x, *|p = q; }"), "p");
}

TEST(SourceStatements, KnowsTheCountersOfLoops) {
  EXPECT_EQ(assigned("void f() { |for (int i = 0; i < n; ++i) x = i; }"),
            "loop i");
  EXPECT_EQ(assigned("void f() { for (int i = 0, j = 9; i < j; |i++, --j) ; }"),
            "loop i,j");
  EXPECT_EQ(assigned("void f() { for (int i = 0; i < n; ++i) |x = i; }"), "x");
  EXPECT_EQ(assigned("void f() { for (auto v : list) { |y += v; } }"), "y");
  EXPECT_EQ(assigned("void f() { while (n) |n -= 2; }"), "n");
  EXPECT_EQ(assigned("void f() { if (a) x = 1; else |y = 2; }"), "y");
  EXPECT_EQ(assigned("void f() { switch (a) { case 1: |y = 2; } }"), "y");
}

TEST(SourceStatements, FindsTheLoopAroundAPlace) {
  const SourceStatements statements("void f() {\n"
                                    "  for (int i = 0; i < n; ++i)\n"
                                    "    for (int j = 0; j < n; ++j) {\n"
                                    "      x = j;\n"
                                    "    }\n"
                                    "  y = 1;\n"
                                    "}\n");
  ASSERT_TRUE(statements.loopAround(4, 7));
  EXPECT_EQ(statements.lineOf(*statements.loopAround(4, 7)), 3u);
  ASSERT_TRUE(statements.loopAround(3, 3));
  EXPECT_EQ(statements.lineOf(*statements.loopAround(3, 3)), 2u);
  EXPECT_FALSE(statements.loopAround(6, 3));
}

// The inner statement assigns, not the one that the lambda is a part of.
TEST(SourceStatements, LooksIntoLambdas) {
  EXPECT_EQ(assigned("void f() { run(n, [=] (int i) { |x = i; }); y = 2; }"),
            "x");
  EXPECT_EQ(assigned("void f() { run(n, [=] (int i) { x = i; }); |y = 2; }"),
            "y");
  EXPECT_EQ(assigned("void f() { auto g = [&] { |x = 1; }; }"), "x");
  EXPECT_EQ(assigned("void f() { auto g = [&](int i) -> float { |x = 1; }; }"),
            "x");
}

TEST(SourceStatements, KeepsInitialValuesInTheirStatement) {
  EXPECT_EQ(assigned("void f() { float |a[2] = {1, 2}; b = 1; }"), "a");
  EXPECT_EQ(assigned("void f() { float a[2] = {1, 2}; |b = 1; }"), "b");
  EXPECT_EQ(assigned("void f() { x =\n   |g({1, 2},\n  3); }"), "x");
}

// CUB and Thrust open their namespaces by a macro.
TEST(SourceStatements, LooksBehindAMacroOnALineOfItsOwn) {
  EXPECT_EQ(
      assigned("BEGIN_NAMESPACE\nnamespace detail {\n"
               "template <typename T> struct S { void f() { |sum = 1; } };"
               "\n}\nEND_NAMESPACE\n"),
      "sum");
}

// Caffe, PyTorch and others write their loops over the grid by a macro.
TEST(SourceStatements, TakesAMacroWithABodyForALoop) {
  EXPECT_EQ(assigned("__global__ void k(int n) { |LOOP(i, n * 2) { f(i); } }"),
            "loop i");
  EXPECT_EQ(assigned("extern \"C\" __global__ void k(int n) {\n"
                     "  |LOOP(i, n) { a[i] = 1; } }"),
            "loop i");
  EXPECT_EQ(assigned("void k(int n) { LOOP(i, n) { |a[i] = 1; } }"), "a");
  EXPECT_EQ(assigned("void k(int n) { |LOOP(int i : v) { f(i); } }"), "loop ");
}

// A constructor has the same form; its parameters are not counted.
TEST(SourceStatements, TakesNoConstructorForALoop) {
  EXPECT_NE(assigned("struct S { |S(n) { a = n; } };"), "loop n");
  EXPECT_NE(assigned("void k() { struct S { |S(n) { a = n; } }; b = 1; }"),
            "loop n");
  EXPECT_NE(assigned("namespace a { |MACRO(n) { b = n; } }"), "loop n");
}

// The compiler makes one instruction of `if (x > most) most = x;`, with the
// place of the `if`.
TEST(SourceStatements, KnowsWhatAnIfAssigns) {
  auto under = [](StringRef text) {
    const SourceStatements statements(text);
    const SourceStatement *head = statements.at(1, text.find("if") + 1);
    return head ? join(statements.assignedUnder(*head), ",") : "no if";
  };
  EXPECT_EQ(under("void f() { if (x > most) most = x; y = 1; }"), "most");
  EXPECT_EQ(under("void f() { if (x) { a = 1; a += 2; b[i] = 3; } c = 1; }"),
            "a,b");
  EXPECT_EQ(under("void f() { if (x) { for (;;) { a = 1; } } else b = 1; }"),
            "a");
  EXPECT_EQ(under("void f() { if (x) return; a = 1; }"), "");
}

TEST(SourceStatements, SkipsDirectivesAndComments) {
  EXPECT_EQ(assigned("#define A(x) y = x; \\\n  z = 1\n"
                     "void f() {\n#pragma unroll\n  /* q = 1 */ |a = 2; }"),
            "a");
}

TEST(SourceStatements, KnowsTheExtentsOfArrays) {
  const SourceStatements statements("void f() {\n"
                                    "  float acc[8][N + 1] = {}, b[4];\n"
                                    "  acc[1][2] = b[3];\n"
                                    "}\n"
                                    "void g() {\n  double acc[2];\n}\n");
  EXPECT_EQ(statements.extentsOf("acc", 3), "[8][N + 1]");
  EXPECT_EQ(statements.extentsOf("acc", 6), "[2]");
  EXPECT_EQ(statements.extentsOf("b", 3), "[4]");
  EXPECT_EQ(statements.extentsOf("x", 3), "");
}

// `>` may end the type of a declaration, or compare.
TEST(SourceStatements, AComparedElementIsNoDeclaration) {
  const SourceStatements statements("void f() {\n  float most[4];\n"
                                    "  array<int> x[2];\n"
                                    "  if (a[i]>most[i]) most[i] = a[i];\n}\n");
  EXPECT_EQ(statements.extentsOf("most", 4), "[4]");
  EXPECT_EQ(statements.extentsOf("x", 4), "[2]");
}

TEST(SourceStatements, KnowsTheTypesOfVariables) {
  const SourceStatements source("void f() {\n  float most[2], all[4];\n"
                                "  unsigned int index = 0;\n  auto x = g();\n"
                                "  double index = 1;\n}\n");
  EXPECT_EQ(source.typeOf("most", 3), "float");
  EXPECT_EQ(source.typeOf("index", 4), "unsigned int");
  EXPECT_EQ(source.typeOf("index", 5), "double");
  EXPECT_EQ(source.typeOf("index", 2), "");
  EXPECT_EQ(source.typeOf("y", 5), "");
}

TEST(SourceStatements, KnowsWhichArraysALoopCountsThrough) {
  const SourceStatements source(R"(void f() {
  for (int r = 0; r < 4; ++r) {
    sum[2 * r + 1][q] += x[q] * most[n[r]];
    y = sumr[0] + other[q](r) + far [ r ];
  }
  last[r] = 1;
})");
  const SourceStatement *loop = source.loopAround(3, 5);
  ASSERT_TRUE(loop);
  for (const char *array : {"sum", "most", "n", "far"})
    EXPECT_TRUE(source.countsElements(*loop, array)) << array;
  for (const char *array : {"x", "su", "sumr", "other", "last", "r"})
    EXPECT_FALSE(source.countsElements(*loop, array)) << array;
}

TEST(SourceStatements, NamesTheParametersOfAFunction) {
  using Names = std::vector<std::string>;
  const SourceStatements statements(
      "template <typename T>\n"
      "__global__ void __launch_bounds__(256, 2)\n"
      "k(const T *__restrict__ in, std::pair<int, int> p, float s = 1.f,\n"
      "  int, const float (&a)[4]) {\n  in[0];\n}\n"
      "__global__ void other(int n) { if (n) g(n); }\n");
  const Names names = {"in", "p", "s", "", ""};
  EXPECT_EQ(statements.parametersAt(3), names);
  EXPECT_EQ(statements.parametersAt(2), names) << "the line of an attribute";
  EXPECT_EQ(statements.parametersAt(7), Names{"n"});
  EXPECT_EQ(statements.parametersAt(20), Names());
}

// Text that is no program at all must end.
TEST(SourceStatements, EndsOnBrokenText) {
  for (StringRef text : {"", "{", "}", "(((", "for (", "a = {", "x[", "\"",
                         "void f() { if ( }", "= = =", "++", "} } x = 1;"}) {
    const SourceStatements statements(text);
    statements.at(1, 1);
    statements.parametersAt(1);
  }
  SourceStatements(std::string(100000, '{'));
  SourceStatements(std::string(5000, '('));
}

} // namespace
