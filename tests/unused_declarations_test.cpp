// Declarations of headers that nvcc need not see: one too few, and nvcc refuses
// the text or silently chooses another overload.
#include "shortened.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace warplint;
using namespace llvm;
using testing::HasSubstr;
using testing::Not;

TEST(UnusedDeclarations, AreWhatNothingNames) {
  const std::string text = shortened(
      "int used(int);\nint unused(int);\nstruct Unused { int used; };\n"
      "typedef int (*callback)(int);\nextern int a, b[3];\nenum { A, B };\n"
      "namespace n { inline int far(int x) { return x; } int near; }\n",
      ofDevice("int k() { return used(a) + B + n::near; }"));
  EXPECT_THAT(text, HasSubstr("int used(int);"));
  EXPECT_THAT(text, HasSubstr("extern int a, b[3];"));
  EXPECT_THAT(text, HasSubstr("enum { A, B };"));
  EXPECT_THAT(text, HasSubstr("int near;"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
  EXPECT_THAT(text, Not(HasSubstr("Unused")));
  EXPECT_THAT(text, Not(HasSubstr("callback")));
  EXPECT_THAT(text, Not(HasSubstr("far")));
}

TEST(UnusedDeclarations, NeedsAreTransitive) {
  const std::string text =
      shortened("struct Deep {};\nstruct Other {};\n"
                "struct Base { Deep member; };\nstruct Derived : Base {};\n"
                "template <class T, class = Other> struct Unrelated {};\n"
                "using Alias = Derived;\n",
                ofDevice("Alias it;"));
  for (const char *kept : {"Deep {}", "Base {", "Derived :", "using Alias"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("Other")));
}

// Without one overload or specialisation, nvcc would silently choose another.
TEST(UnusedDeclarations, OverloadsAndSpecialisationsStayTogether) {
  const std::string library =
      "float f(float);\ndouble f(double);\n"
      "template <class T> struct trait { static const int v = 0; };\n"
      "template <> struct trait<int> { static const int v = 1; };\n"
      "template <class T> struct trait<T *> { static const int v = 2; };\n"
      "template <class T> inline constexpr bool is = false;\n"
      "template <> inline constexpr bool is<int> = true;\n";
  const std::string text = shortened(
      library, ofDevice("int k() { return f(1) + trait<int>::v + is<int>; }"));
  for (StringRef line : split(library, '\n'))
    EXPECT_THAT(text, HasSubstr(line.str()));
}

// Only an argument of that class can select these.
TEST(UnusedDeclarations, ATemplateOverAClassNeedsThatClass) {
  const std::string library =
      "template <class T> struct Map {};\ntemplate <class T> struct Set {};\n"
      "template <class T> void swap(T &a, T &b);\n"
      "template <class T> void swap(Map<T> &a, Map<T> &b);\n"
      "template <class T> bool operator==(const Map<T> &, const Map<T> &);\n"
      "template <class T> struct is_map { };\n"
      "template <class T> struct is_map<Map<T>> { };\n"
      "template <class T> void swap(Set<T> &a, Set<T> &b);\n";
  const std::string text =
      shortened(library, ofDevice("void k(Set<int> a) { swap(a, a); }"));
  EXPECT_THAT(text, HasSubstr("swap(T &a"));
  EXPECT_THAT(text, HasSubstr("swap(Set<T> &a"));
  EXPECT_THAT(text, Not(HasSubstr("Map<T>")));
  EXPECT_THAT(
      shortened(library, ofDevice("Map<int> a;") + ofDevice("is_map<int> b;")),
      testing::AllOf(HasSubstr("operator=="), HasSubstr("is_map<Map<T>>")));
  // A name that some kept text looks up has to be found there.
  EXPECT_THAT(shortened("template <class T> struct Map {};\n"
                        "template <class T> int size(Map<T> &);\n",
                        "template <class T> " +
                            ofDevice("int k(T x) { return size(x); }")),
              HasSubstr("int size(Map<T> &);"));
  // Nothing is deduced through an alias or a member type.
  EXPECT_THAT(
      shortened("template <class T> struct If { using type = int; };\n"
                "template <class T> using if_t = typename If<T>::type;\n"
                "template <class T> void f(T, if_t<T>);\n"
                "template <class T> void f(T, typename If<T>::type, int);\n"
                "template <class T> void f(T);\n",
                ofDevice("void k() { f(1, 2); }")),
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
  const std::string text = shortened(
      library, ofDevice("half k(half x) { int _mi; return 3.0_km; }"));
  for (const char *kept : {"operator+", "operator!=", "operator new", "_km"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("operator*")));
  EXPECT_THAT(text, Not(HasSubstr("operator\"\"_mi")));
}

// Code uses constructors, operators and virtual functions without naming them.
TEST(UnusedDeclarations, MembersDefinedOutsideStayWithTheirClass) {
  const std::string library =
      "template <class T> struct A { A(); ~A(); A &operator=(int); int f(); "
      "};\n"
      "template <class T> A<T>::A() : x{1}, y(2) { }\n"
      "template <class T> A<T>::~A() { }\n"
      "template <class T> A<T> &A<T>::operator=(int) { return *this; }\n"
      "template <class T> int A<T>::f() { return 1; }\n"
      "int after();\n";
  const std::string text = shortened(library, ofDevice("A<int> a;"));
  for (const char *kept :
       {"::A() : x{1}, y(2) { }", "::~A()", "::operator=", "A<T>::f()"})
    EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_THAT(text, Not(HasSubstr("after")));
  EXPECT_THAT(shortened(library, ofDevice("int k() { return after(); }")),
              Not(HasSubstr("A<T>")));
}

TEST(UnusedDeclarations, NamesThatSyntaxImpliesStay) {
  const std::string library =
      "struct tuple_size {};\nvoid begin();\nvoid end();\n"
      "void get();\n";
  EXPECT_THAT(
      shortened(library, ofDevice("void k(int *a) { for (int x : a) ; }")),
      testing::AllOf(HasSubstr("begin"), HasSubstr("end"),
                     Not(HasSubstr("tuple_size"))));
  EXPECT_THAT(shortened(library, ofDevice("void k(P p) { auto &[a, b] = p; }")),
              testing::AllOf(HasSubstr("tuple_size"), HasSubstr("get"),
                             Not(HasSubstr("begin"))));
}

// Declarations that run or occupy memory unnamed, or affect later text.
TEST(UnusedDeclarations, DeclarationsWithEffectsStay) {
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
                        ofDevice("int k() { return g(); }")),
              testing::AllOf(HasSubstr("g()"), Not(HasSubstr("exec_check"))));
}

// A member's name does not need its class: locale::id does not need streams.
TEST(UnusedDeclarations, AMemberIsFoundByItsClass) {
  const std::string library =
      "struct locale { struct id; static int none; };\n"
      "struct locale::id { int x; };\nint locale::none = 1;\n"
      "namespace n { struct Inner; int count(); }\n"
      "struct n::Inner { int y; };\nint n::count() { return 1; }\n";
  const std::string without =
      shortened(library, ofDevice("int k(int id, int none) { return id; }"));
  EXPECT_THAT(without, Not(HasSubstr("locale")));
  EXPECT_THAT(without, Not(HasSubstr("n::")));
  const std::string with = shortened(
      library, ofDevice("int k(locale *, n::Inner *p) { return n::count(); }"));
  for (const char *kept :
       {"locale::id {", "locale::none =", "n::Inner {", "n::count() {"})
    EXPECT_THAT(with, HasSubstr(kept));
}

// gcc's operator<< for moved streams is not needed by other shifts.
TEST(UnusedDeclarations, StreamsOperatorsForAllTypesNeedAStream) {
  const std::string library =
      "class ios_base {};\n"
      "template <class S, class T> __rvalue_stream_insertion_t<S, T> "
      "operator<<(S &&, const T &);\n"
      "template <> ios_base &operator>>(ios_base &, char *);\n";
  const std::string text =
      shortened(library, ofDevice("int k(int x) { return x << 1; }"));
  EXPECT_THAT(text, Not(HasSubstr("operator")));
  EXPECT_THAT(shortened(library, ofDevice("void k(ios_base &x) { x << 1; }")),
              testing::AllOf(HasSubstr("operator<<"), HasSubstr("operator>>")));
}
