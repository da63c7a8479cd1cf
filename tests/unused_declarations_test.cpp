#include "input/unused_declarations.h"
#include "nvcc.h"
#include "gmock/gmock.h"
#include "llvm/ADT/StringExtras.h"
#include <random>
#include <regex>

using namespace warplint;
using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string shortened(StringRef text) {
  return withoutUnusedDeclarations(
      text, [](StringRef file) { return file.starts_with("/toolkit/"); });
}

/// `library` as a system header's text, `source` as the user's.
std::string shortened(StringRef library, StringRef source) {
  return shortened(("# 1 \"k.cu\"\n# 1 \"/lib/header.h\" 1 3\n" + library +
                    "\n# 2 \"k.cu\" 2\n" + source + "\n")
                       .str());
}

// What stands in the user's own text is never touched, used or not.
TEST(UnusedDeclarations, TheSourcesOwnTextStays) {
  const std::string own = "static int unused(int x) { return x; }\n"
                          "struct Never { int a; };\n"
                          "template <class T> T twice(T x) { return 2 * x; }";
  EXPECT_THAT(shortened("int a();", own), HasSubstr(own));
  EXPECT_THAT(shortened("# 1 \"my.h\" 1\n" + own), HasSubstr(own));
}

TEST(UnusedDeclarations, WhatNothingNamesGoes) {
  const std::string text = shortened(
      "int used(int);\nint unused(int);\nstruct Unused { int used; };\n"
      "typedef int (*callback)(int);\nextern int a, b[3];\nenum { A, B };\n"
      "namespace n { inline int far(int x) { return x; } int near; }\n",
      "int k() { return used(a) + B + n::near; }");
  EXPECT_THAT(text, HasSubstr("int used(int);"));
  EXPECT_THAT(text, HasSubstr("extern int a, b[3];"));
  EXPECT_THAT(text, HasSubstr("enum { A, B };"));
  EXPECT_THAT(text, HasSubstr("int near;"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
  EXPECT_THAT(text, Not(HasSubstr("Unused")));
  EXPECT_THAT(text, Not(HasSubstr("callback")));
  EXPECT_THAT(text, Not(HasSubstr("far")));
}

// The toolkit's headers are found by -I and have no mark.
TEST(UnusedDeclarations, TheToolkitsHeadersAreTheCallersToName) {
  const std::string text = "# 1 \"/toolkit/x.h\" 1\nint toolkits;\n"
                           "# 1 \"/home/x.h\" 1\nint mine;\n";
  EXPECT_THAT(shortened(text), Not(HasSubstr("toolkits")));
  EXPECT_THAT(shortened(text), HasSubstr("mine"));
}

TEST(UnusedDeclarations, WhatIsNeededNeedsMore) {
  const std::string text =
      shortened("struct Deep {};\nstruct Other {};\n"
                "struct Base { Deep member; };\nstruct Derived : Base {};\n"
                "template <class T, class = Other> struct Unrelated {};\n"
                "using Alias = Derived;\n",
                "Alias it;");
  for (const char *kept : {"Deep {}", "Base {", "Derived :", "using Alias"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("Other")));
}

// To lose one overload or specialisation would choose another one silently.
TEST(UnusedDeclarations, OverloadsAndSpecialisationsStayTogether) {
  const std::string library =
      "float f(float);\ndouble f(double);\n"
      "template <class T> struct trait { static const int v = 0; };\n"
      "template <> struct trait<int> { static const int v = 1; };\n"
      "template <class T> struct trait<T *> { static const int v = 2; };\n"
      "template <class T> inline constexpr bool is = false;\n"
      "template <> inline constexpr bool is<int> = true;\n";
  const std::string text =
      shortened(library, "int k() { return f(1) + trait<int>::v + is<int>; }");
  for (StringRef line : split(library, '\n'))
    EXPECT_THAT(text, HasSubstr(line.str()));
}

// Only an argument of the class itself can choose these.
TEST(UnusedDeclarations, ATemplateOverAClassNeedsTheClass) {
  const std::string library =
      "template <class T> struct Map {};\ntemplate <class T> struct Set {};\n"
      "template <class T> void swap(T &a, T &b);\n"
      "template <class T> void swap(Map<T> &a, Map<T> &b);\n"
      "template <class T> bool operator==(const Map<T> &, const Map<T> &);\n"
      "template <class T> struct is_map { };\n"
      "template <class T> struct is_map<Map<T>> { };\n"
      "template <class T> void swap(Set<T> &a, Set<T> &b);\n";
  const std::string text =
      shortened(library, "void k(Set<int> a) { swap(a, a); }");
  EXPECT_THAT(text, HasSubstr("swap(T &a"));
  EXPECT_THAT(text, HasSubstr("swap(Set<T> &a"));
  EXPECT_THAT(text, Not(HasSubstr("Map<T>")));
  EXPECT_THAT(
      shortened(library, "Map<int> a; is_map<int> b;"),
      testing::AllOf(HasSubstr("operator=="), HasSubstr("is_map<Map<T>>")));
  // A name that some kept text looks up has to be found there.
  EXPECT_THAT(shortened("template <class T> struct Map {};\n"
                        "template <class T> int size(Map<T> &);\n",
                        "template <class T> int k(T x) { return size(x); }"),
              HasSubstr("int size(Map<T> &);"));
  // Nothing is deduced through an alias or a member type.
  EXPECT_THAT(
      shortened("template <class T> struct If { using type = int; };\n"
                "template <class T> using if_t = typename If<T>::type;\n"
                "template <class T> void f(T, if_t<T>);\n"
                "template <class T> void f(T, typename If<T>::type, int);\n"
                "template <class T> void f(T);\n",
                "void k() { f(1, 2); }"),
      testing::AllOf(HasSubstr("f(T, if_t<T>)"),
                     HasSubstr("f(T, typename If<T>::type, int)")));
}

TEST(UnusedDeclarations, OperatorsStayWithTheirOperands) {
  const std::string library =
      "struct half {};\nstruct complex {};\n"
      "inline half operator+(const half &a, const half &b) { return a; }\n"
      "complex operator*(complex, complex);\n"
      "template <class T> bool operator!=(const T &a, const T &b);\n"
      "void *operator new(unsigned long, void *);\n"
      "long double operator\"\"_km(long double);\n"
      "long double operator\"\"_mi(long double);\n";
  const std::string text =
      shortened(library, "half k(half x) { return 3.0_km; }");
  for (const char *kept : {"operator+", "operator!=", "operator new", "_km"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("operator*")));
  EXPECT_THAT(text, Not(HasSubstr("_mi")));
}

// A constructor, an operator, a virtual function: none of them is named.
TEST(UnusedDeclarations, MembersDefinedOutsideStayWithTheirClass) {
  const std::string library =
      "template <class T> struct A { A(); ~A(); A &operator=(int); int f(); "
      "};\n"
      "template <class T> A<T>::A() : x{1}, y(2) { }\n"
      "template <class T> A<T>::~A() { }\n"
      "template <class T> A<T> &A<T>::operator=(int) { return *this; }\n"
      "template <class T> int A<T>::f() { return 1; }\n"
      "int after();\n";
  const std::string text = shortened(library, "A<int> a;");
  for (const char *kept :
       {"::A() : x{1}, y(2) { }", "::~A()", "::operator=", "A<T>::f()"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("after")));
  EXPECT_THAT(shortened(library, "int k() { return after(); }"),
              Not(HasSubstr("A<T>")));
}

TEST(UnusedDeclarations, WhatSyntaxImpliesStays) {
  const std::string library =
      "struct tuple_size {};\nvoid begin();\nvoid end();\n"
      "void get();\n";
  EXPECT_THAT(shortened(library, "void k(int *a) { for (int x : a) ; }"),
              testing::AllOf(HasSubstr("begin"), HasSubstr("end"),
                             Not(HasSubstr("tuple_size"))));
  EXPECT_THAT(shortened(library, "void k(P p) { auto &[a, b] = p; }"),
              testing::AllOf(HasSubstr("tuple_size"), HasSubstr("get"),
                             Not(HasSubstr("begin"))));
}

// What is run or kept without being named, and what binds later text.
TEST(UnusedDeclarations, WhatActsByItselfStays) {
  const std::string library =
      "__attribute__((global)) void kernel(int *p) { *p = 1; }\n"
      "__attribute__((constant)) int table[4];\n"
      "using namespace n;\nnamespace m = n;\n"
      "#pragma GCC visibility push(default)\n";
  const std::string text = shortened(library, "");
  for (const char *kept : {"kernel(int *p)", "table[4]", "using namespace n;",
                           "namespace m = n;", "#pragma GCC visibility"})
    EXPECT_THAT(text, HasSubstr(kept));
  // nvcc would apply it to the next declaration.
  EXPECT_THAT(shortened("#pragma nv_exec_check_disable\nvoid f();\nint g();\n",
                        "int k() { return g(); }"),
              testing::AllOf(HasSubstr("g()"), Not(HasSubstr("exec_check"))));
}

// Findings and stack frames are told by line.
TEST(UnusedDeclarations, LinesStayRight) {
  const std::string text = shortened(
      "# 1 \"a.h\" 1 3\nint one;\nint two;\n\nint four(\n  int);\nint six;\n"
      "# 40 \"k.cu\" 2\nint k() { return six + four(0); }\n");
  EXPECT_THAT(text, HasSubstr("# 4 \"a.h\" 3\nint four(\n  int);\nint six;\n"
                              "# 40 \"k.cu\" 2\nint k()"));
}

// nvcc will say what is wrong with them.
TEST(UnusedDeclarations, BrokenTextsAreNoReasonToFail) {
  for (StringRef text : {"",
                         "\n",
                         "# 1",
                         "# 1 \"x\" 3",
                         "}",
                         "{",
                         "(",
                         "operator",
                         "operator\"\"",
                         "template",
                         "template <",
                         "template <class T",
                         "# 1 \"x\" 3\n>>::f(",
                         "# 1 \"x\" 3\nA>::f() {",
                         "# 1 \"x\" 3\n{ operator",
                         "extern \"C\"",
                         "namespace",
                         "# 1 \"x\" 3\nauto for (",
                         "R\"(",
                         "'",
                         "\"\\"})
    shortened(text);
  const std::string text =
      readFile(WARPLINT_SOURCE_DIR
               "/linter/source/shim/minimal/warplint_cuda_minimal.h");
  ASSERT_GT(text.size(), 1000u);
  std::minstd_rand random(1);
  for (int i = 0; i < 300; ++i) {
    const size_t from = random() % text.size();
    shortened("# 1 \"x\" 1 3\n" + text.substr(from, random() % 3000));
  }
}

/// The code of all functions, without names that nvcc makes of a file's hash
/// and without variables that nothing reads.
std::string codeOf(const std::string &ptx) {
  static const std::regex hash("_[0-9a-f]{8}(?=_|[0-9])"),
      variables("\n\\.global \\.align 1 \\.b8 _ZN[^\n]*_INTERNAL_[^\n]*"),
      files("\t\\.file[^\n]*"), places("\\.loc\t[0-9]+");
  std::string code = ptx.substr(0, ptx.find(".section"));
  code = std::regex_replace(code, hash, "_");
  code = std::regex_replace(code, variables, "");
  code = std::regex_replace(code, places, ".loc");
  return std::regex_replace(code, files, "");
}

// The promise that all else stands on.
TEST(UnusedDeclarations, NvccMakesTheSameCodeOfIt) {
  const std::string nvcc = nvccForTests();
  if (nvcc.empty())
    GTEST_SKIP() << "NO NVCC: whether its code stays the same is not tested";
  auto scratch = cantFail(Scratch::create());
  auto ptxOf = [&](const std::string &file) {
    const std::string ptx = scratch.path("out.ptx");
    sys::fs::remove(ptx);
    auto exit = cantFail(scratch.run(
        {nvcc, "-arch=sm_90", "-std=c++17", "-lineinfo", "--extended-lambda",
         "--expt-relaxed-constexpr", "-w", "-ptx", file, "-o", ptx},
        scratch.folder().str(), "output", std::chrono::minutes(5)));
    EXPECT_EQ(exit.code, 0) << readFile(scratch.path("output"));
    return readFile(ptx);
  };
  for (const char *name :
       {"kernels/truth/libraries.cu", "kernels/truth/forms.cu",
        "kernels/truth/launches.cu", "kernels/register-spill.cu"}) {
    const std::string source = std::string(WARPLINT_SOURCE_DIR "/") + name;
    const std::string file = scratch.path("k.cup");
    auto exit = cantFail(
        scratch.run({nvcc, "-arch=sm_90", "-std=c++17", "--extended-lambda",
                     "--expt-relaxed-constexpr", "-E", source, "-o", file},
                    scratch.folder().str(), "output", std::chrono::minutes(5)));
    ASSERT_EQ(exit.code, 0) << readFile(scratch.path("output"));
    const std::string text = readFile(file);
    const std::string whole = ptxOf(file);
    const std::string rest = withoutUnusedDeclarations(
        text, [](StringRef path) { return path.contains("/include/"); });
    EXPECT_LT(rest.size(), text.size() * 3 / 4) << name;
    writeFile(file, rest);
    EXPECT_EQ(codeOf(ptxOf(file)), codeOf(whole)) << name;
  }
}

} // namespace
