// A constant that all callers pass is a fact of the project; one that is
// misread would hide a finding.
#include "input/written_calls.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::IsEmpty;

namespace {

/// "1 -;2 -" for two calls of a function of two parameters; "named" if it is
/// named in another way.
std::string calls(const std::string &text, unsigned parameters = 2,
                  const std::string &name = "f") {
  CallsByFunction found{{{name, parameters}, {}}};
  CallSearch(found).addCallsIn(text);
  const WrittenCalls &of = found.begin()->second;
  if (of.isNamed)
    return "named";
  std::string shown;
  for (const auto &passed : of.passed) {
    shown += shown.empty() ? "" : ";";
    for (size_t i = 0; i < passed.size(); ++i)
      shown += (i ? " " : "") +
               (passed[i] ? std::to_string(int64_t(*passed[i])) : "-");
  }
  return shown;
}

} // namespace

TEST(WrittenCalls, HaveTheWholeNumbersThatStandInThem) {
  EXPECT_EQ(calls("void g() { f(1, x); }"), "1 -");
  EXPECT_EQ(calls("int y = 2 * f(0x10u, -3);"), "16 -3");
  EXPECT_EQ(calls("void g() { return f((4), true); }"), "4 1");
  EXPECT_EQ(calls("void g() { if (a) ns::f<float>(1, h(2, 3)); }"), "1 -");
  EXPECT_EQ(calls("void g() { ::f<std::vector<int>>(7, a[2]); }"), "7 -");
  EXPECT_EQ(calls("void g() { f(1, 2.0f); f(1, 1'000); }"), "1 -");
  EXPECT_EQ(calls("void g() { else_ ? f(1, 2) : f(3, 4); }"), "1 2;3 4");
  EXPECT_EQ(calls("void g() { case 1: f(1, 2); }"), "1 2");
  EXPECT_EQ(calls("void g() { f(3, 1 + 1); f(3, SIZE); }"), "3 -");
}

TEST(WrittenCalls, InMacrosCountAsWell) {
  EXPECT_EQ(calls("#define F(x) f(x, 2)\n"), "- 2");
  EXPECT_EQ(calls("#define F f(1, 2)\nint f(int, int);\n"), "1 2");
  EXPECT_EQ(calls("#if defined(A)\nf\n#endif\n", 2), "named");
  EXPECT_EQ(calls("#define f(x, y) other(x, y)\n#undef f\n"), "");
  EXPECT_EQ(calls("#ifdef f\n#include \"f\"\n#endif\n// f\n/* f */"), "");
}

TEST(WrittenCalls, DeclarationsAreNone) {
  EXPECT_EQ(calls("int f(int, int);"), "");
  EXPECT_EQ(calls("#include <a>\nextern \"C\" void f(int n, int m) {}"), "");
  EXPECT_EQ(calls("template <class T> ns::A<T> *f(T n, int m);"), "");
  EXPECT_EQ(calls("static const int &f(int n, int m) { return n; }"), "");
  EXPECT_EQ(calls("using ns::f;"), "");
}

// What a call passes that is not followed, or that nobody sees, may be
// anything.
TEST(WrittenCalls, WhatIsNotFollowedIsOpen) {
  EXPECT_EQ(calls("void g() { f(1); }"), "1 -") << "the other by default";
  EXPECT_EQ(calls("void g() { f(1, P, 2); }", 4), "1 - - -") << "P may be two";
  EXPECT_EQ(calls("void g() { f(a<1, 2>(3), 4); }"), "- -");
  EXPECT_EQ(calls("void g() { f(1, 2"), "- -");
  EXPECT_EQ(calls("auto table = {f, h};"), "named");
  EXPECT_EQ(calls("m.def(\"f\", &f);"), "named");
  EXPECT_EQ(calls("void g() { f<<<1, 2>>>(3); }"), "named");
}

TEST(WrittenCalls, HaveTheConstantsOfTheirFile) {
  EXPECT_EQ(calls("#define N 4\nvoid g(int x) { f(N, x); }"), "4 -");
  EXPECT_EQ(calls("#define N (64) // lanes\nvoid g(int x) { f(x, N); }"), "- 64");
  EXPECT_EQ(calls("void g(int x) { const int n = 4; h(n); f(n, n); }"), "4 4");
  EXPECT_EQ(calls("namespace a { constexpr std::size_t n = 8;\n"
                  "void g(int x) { h(x * n); y = x * n; f(n, x); } }"),
            "8 -");
  EXPECT_EQ(calls("void h() { int n = 3; }\nint const n = 2;\n"
                  "void g() { for (int i = 0; i < n; ++i) f(n, i); }"),
            "2 -");
  EXPECT_EQ(calls("void g() { f(N, 1); }\n#define N -1\n"), "-1 1");
}

// A name that anything else may stand behind is no number.
TEST(WrittenCalls, ANameOfAnythingElseIsOpen) {
  EXPECT_EQ(calls("void g() { int n = 4; f(n, 1); }"), "- 1") << "may change";
  EXPECT_EQ(calls("const int n = 4;\nvoid g(int n) { f(n, 1); }"), "- 1");
  EXPECT_EQ(calls("const int n = 4;\nvoid g(int *n) { f(n, 1); }"), "- 1");
  EXPECT_EQ(calls("const int n = 4;\nvoid g() { int *n = h(); f(n, 1); }"),
            "- 1");
  EXPECT_EQ(calls("const int n = 4;\nvoid g() { int m, n; f(n, 1); }"), "- 1");
  EXPECT_EQ(calls("const int n = 4;\nvoid g() { auto [n, m] = h(); f(n, 1); }"),
            "- 1");
  EXPECT_EQ(calls("const int n = 4;\n"
                  "void g(const std::vector<int> &n) { f(n, 1); }"),
            "- 1");
  EXPECT_EQ(calls("const int n = 4;\n"
                  "void g() { std::vector<int> n; f(n, 1); }"),
            "- 1");
  EXPECT_EQ(calls("const int n = 4;\nvoid g() { x.n; f(x.n, 1); }"), "- 1");
  EXPECT_EQ(calls("const int n = size();\nvoid g() { f(n, 1); }"), "- 1");
  EXPECT_EQ(calls("const int *n = 0;\nvoid g() { f(n, 1); }"), "- 1");
  EXPECT_EQ(calls("void h() { const int n = 4; }\nvoid g() { f(n, 1); }"),
            "- 1");
  EXPECT_EQ(calls("template <int n> void g() { f(n, 1); }"), "- 1");
  EXPECT_EQ(calls("#ifndef N\n#define N 4\n#endif\nint x = f(N, 1);"), "- 1")
      << "a build may define it";
  EXPECT_EQ(calls("#define N 4\n#define M\n#undef N\n#define N 8\n"
                  "int x = f(N, 1);"),
            "- 1");
  EXPECT_EQ(calls("#define N 4, 5\nint x = f(N);"), "- -");
}

TEST(WrittenCalls, OfAFileThatIsReadAlreadyAreLeftOut) {
  CallsByFunction found{{{"f", 1, "/a.cu"}, {}}};
  CallSearch search(found);
  search.addCallsIn("void g() { f(1); }", "/a.cu");
  search.addCallsIn("void g() { f(2); }", "/b.cu");
  EXPECT_EQ(found.begin()->second.passed.size(), 1u);
}

TEST(WrittenCalls, OfAnotherFunctionAreNone) {
  EXPECT_EQ(calls("void g() { f(1, 2, 3); ff(1, 2); a.f(1, 2); b->f(1, 2); }"),
            "");
  CallsByFunction two{{{"f", 1}, {}}, {{"f", 2}, {}}, {{"g", 1}, {}}};
  CallSearch(two).addCallsIn("void h() { f(1); f(2, 3); }");
  EXPECT_THAT(two.rbegin()->second.passed, IsEmpty());
  EXPECT_EQ(two.begin()->second.passed.size(), 1u);
}
