#include "nvcc.h"
#include "nvcc/shorten/shorten.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include <random>
#include <regex>

using namespace warplint;
using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string shortened(StringRef text) {
  return shorten(text,
                 [](StringRef file) { return file.starts_with("/toolkit/"); });
}

/// With `library` as a system header and `source` as the user's text.
std::string shortened(StringRef library, StringRef source) {
  return shortened(("# 1 \"k.cu\"\n# 1 \"/lib/header.h\" 1 3\n" + library +
                    "\n# 2 \"k.cu\" 2\n" + source + "\n")
                       .str());
}

/// A declaration for the device, which stays.
std::string ofDevice(StringRef declaration) {
  return ("__attribute__((device)) " + declaration).str();
}

// The source's own device code is never removed, used or not.
TEST(Shorten, TheSourcesDeviceCodeStays) {
  const std::string own =
      "static __attribute__((device)) int unused(int x) { return x; }\n"
      "struct Never { __attribute__((device)) int a(); };\n"
      "template <class T> __attribute__((device)) T twice(T x) { return x; }";
  EXPECT_THAT(shortened("int a();", own), HasSubstr(own));
  EXPECT_THAT(shortened("# 1 \"my.h\" 1\n" + own), HasSubstr(own));
}

TEST(Shorten, RemovesWhatNothingNames) {
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

// nvcc finds the toolkit's headers by -I, so they have no mark.
TEST(Shorten, TheCallerRecognisesTheToolkitsHeaders) {
  const std::string text = "# 1 \"/toolkit/x.h\" 1\nint toolkits;\n"
                           "# 1 \"/home/x.h\" 1\n" +
                           ofDevice("int mine;\n");
  EXPECT_THAT(shortened(text), Not(HasSubstr("toolkits")));
  EXPECT_THAT(shortened(text), HasSubstr("mine"));
}

TEST(Shorten, NeedsAreTransitive) {
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
TEST(Shorten, OverloadsAndSpecialisationsStayTogether) {
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
TEST(Shorten, ATemplateOverAClassNeedsTheClass) {
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

TEST(Shorten, OperatorsStayWithTheirOperands) {
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
TEST(Shorten, MembersDefinedOutsideStayWithTheirClass) {
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

TEST(Shorten, NamesThatSyntaxImpliesStay) {
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
TEST(Shorten, DeclarationsWithEffectsStay) {
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

// Findings and stack frames are reported by line.
TEST(Shorten, LinesAreKept) {
  const std::string text = shortened(
      "# 1 \"a.h\" 1 3\nint one;\nint two;\n\nint four(\n  int);\nint six;\n"
      "# 40 \"k.cu\" 2\n" +
      ofDevice("int k() { return six + four(0); }\n"));
  EXPECT_THAT(text,
              HasSubstr("# 4 \"a.h\" 3\nint four(\n  int);\nint six;\n"
                        "# 40 \"k.cu\"\n__attribute__((device)) int k()"));
}

// A member's name does not need its class: locale::id does not need streams.
TEST(Shorten, AMemberIsFoundByItsClass) {
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
TEST(Shorten, StreamsOperatorsForAllTypesNeedAStream) {
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

/// Kernels, some of which a launch instantiates, and then `host`.
std::string withKernels(StringRef host) {
  return shortened(
      "int printf(const char *, ...);\ntemplate <class F> void call(F f);\n",
      ("void first();\n"
       "__attribute__((global)) void plain(int *p) { *p = 1; }\n"
       "static __attribute__((global)) void hidden(int *p) { *p = 2; }\n"
       "template <class T> __attribute__((global)) void kernel(T *p) {}\n"
       "__attribute__((global)) void generic(auto p) {}\n"
       "template <class T> __attribute__((constant)) T table = 3;\n"
       "template <class T> __attribute__((host)) __attribute__((device)) T "
       "twice(T x) { return 2 * x; }\n"
       "__attribute__((device)) int usesHost() { return asked(); }\n"
       "template <class F> void withLambda(F f) {\n"
       "  each([=] __attribute__((device)) (int i) { f(i); });\n}\n"
       "template <class T> struct Launcher { void go() { kernel<T>(0); } };\n"
       "struct Deep { template <class T> void go(T x) { kernel<T>(0); } };\n"
       "struct Holder { Deep deep; };\nHolder &holder();\nextern Deep "
       "deepest;\n"
       "using Alias = Launcher<int>;\n"
       "template <class T> void forward(T x) { Launcher<T>().go(); }\n" +
       host + "\n")
          .str());
}

TEST(Shorten, RemovesHostCodeThatMakesNoDeviceCode) {
  for (StringRef host :
       {"static void run(int *p) { printf(\"x\"); }",
        "static void run(int *p) { plain<<<1, 1>>>(p); printf(\"x\"); }",
        "namespace { int run(int *p) { hidden<<<1, 1>>>(p); printf(\"x\"); } }",
        "inline void run() { cudaLaunchKernel((void *)plain); printf(\"x\"); }",
        "static int run() { return twice(1) + printf(\"x\"); }",
        "struct run { run() { printf(\"x\"); } int member; };",
        "template <class T> void run(T x) { printf(\"x\"); }",
        "static int run = printf(\"x\");",
        "template <class T> struct run { void g(); };\n"
        "template <class T> void run<T>::g() { printf(\"x\"); }"})
    EXPECT_THAT(withKernels(host), Not(HasSubstr("printf"))) << host.str();
}

// Launches instantiate templates.
TEST(Shorten, CodeThatMayLaunchATemplateStays) {
  for (StringRef host :
       {"void f(int *p) { kernel<int><<<1, 1>>>(p); /**/ printf(\"x\"); }",
        "void f(int *p) { kernel<<<1, 1>>>(p); printf(\"x\"); }",
        "void f() { cudaLaunchKernel((void *)kernel<int>); printf(\"x\"); }",
        "void f(int *p) { generic<<<1, 1>>>(p); printf(\"x\"); }",
        "void f(int *p) { copyTo(table<int>, p); printf(\"x\"); }",
        "void f() { withLambda([](int) {}); printf(\"x\"); }",
        "void f() { forward(3); printf(\"x\"); }",
        "void f() { Alias().go(); printf(\"x\"); }",
        "void f() { holder().deep.go(3); printf(\"x\"); }",
        "void f() { deepest.go(3); printf(\"x\"); }",
        "void f(Deep *deep) { deep->go(3); printf(\"x\"); }",
        "struct D : Deep { void f(); };\nvoid D::f() { go(3); printf(\"x\"); }",
        "struct F { void operator()(int *p) { kernel<<<1, 1>>>(p); } };\n"
        "void f() { call(F()); printf(\"x\"); }",
        "auto g = [](int *p) { kernel<<<1, 1>>>(p); };\n"
        "void f() { g(0); printf(\"x\"); }",
        "void (*g)(int *) = kernel<int>;\nvoid f() { g(0); printf(\"x\"); }",
        "void f() { [] __attribute__((device)) {}; printf(\"x\"); }",
        "Holder g();\nvoid f() { auto x = g(); x.deep.go(1); printf(\"x\"); }",
        "template <class E> int operator+(E, E) { kernel<int><<<1, 1>>>(0); }\n"
        "void f() { 1 + 2; printf(\"x\"); }",
        "template <class Op> void g(Op op) { op(1); printf(\"x\"); }\n"
        "struct O { template <class T> void operator()(T x) "
        "{ kernel<T><<<1, 1>>>(0); } };\nvoid f() { g(O()); }"})
    EXPECT_THAT(withKernels(host), HasSubstr("printf(\"x\")")) << host.str();
}

// They give a constant's value or a function's type, or device code names them.
TEST(Shorten, BodiesThatDetermineTypesOrConstantsStay) {
  for (StringRef host : {"constexpr int f() { return 3; }\n",
                         "auto f() { return 3; }", "int asked() { return 3; }",
                         "int f() try { return 3; } catch (...) { return 3; }",
                         "int f() {\n#pragma pack(push)\nreturn 3; }"})
    EXPECT_THAT(
        withKernels(host.str() + "\n" + ofDevice("int more() { return f(); }")),
        HasSubstr("return 3;"))
        << host.str();
  EXPECT_THAT(withKernels("template struct Launcher<float>;"),
              HasSubstr("Launcher<float>"));
}

// A library's functions launch its kernels: thrust::sort(...).
// This is known of some releases of nvcc only.
TEST(Shorten, HostCodeStaysIfAsked) {
  const std::string host = "int main() { return used(1); }";
  const std::string text = shorten(
      "# 1 \"k.cu\"\n# 1 \"/lib/header.h\" 1 3\nint used(int);\n"
      "int unused(int);\n# 2 \"k.cu\" 2\n" +
          host + "\n",
      [](StringRef) { return false; }, /*keepsHostCode=*/true);
  EXPECT_THAT(text, HasSubstr(host));
  EXPECT_THAT(text, HasSubstr("int used(int);"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
}

TEST(Shorten, HostCodeStaysForKernelsOfLibraries) {
  const std::string library =
      "template <class T> __attribute__((global)) void kernel(T x) {}\n"
      "template <class T> void sort(T x) { kernel<<<1, 1>>>(x); }\n";
  const std::string host = "int main() { sort(3); }";
  EXPECT_THAT(shortened(library, host), HasSubstr(host));
  EXPECT_THAT(shortened(library, "int main() { other(); }"),
              Not(HasSubstr("other")));
}

// nvcc derives names of static functions from the first external function.
TEST(Shorten, TheFirstFunctionOfAFileStays) {
  const std::string text = shortened(
      "", "namespace { void hidden() {} }\nstatic void own() { f(); }\n"
          "namespace m {\nint first(int a) : b{1}, c(2) {\n  f();\n}\n}\n"
          "int main() { f(); }\n");
  EXPECT_THAT(text, HasSubstr("namespace m {\nint first(int a) : b{1}, c(2) {\n"
                              "# 7 \"k.cu\"\n}"));
  for (const char *gone : {"hidden", "own", "main", "f()"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
}

TEST(Shorten, PlacesAreKeptBehindHostCode) {
  EXPECT_THAT(
      shortened("", "int main() {\n  f();\n}\n"
                    "int g() {\n} __attribute__((global)) void k() {}\n"
                    "void h() {}\n#pragma unroll\n"
                    "namespace n {\nint x;\n\t__attribute__((device)) int y;}"),
      testing::AllOf(
          HasSubstr("# 2 \"k.cu\"\nint main() {\n# 4 \"k.cu\"\n}"),
          HasSubstr("# 6 \"k.cu\"\n  __attribute__((global)) void k() {}"),
          HasSubstr("# 8 \"k.cu\"\n#pragma unroll\nnamespace n {"),
          HasSubstr("# 11 \"k.cu\"\n\t__attribute__((device)) int y;")));
}

// nvcc reports what is wrong with it.
TEST(Shorten, BrokenTextDoesNotCrash) {
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

/// The code of all functions, without names that depend on a file's hash and
/// without unused variables.
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

/// Host code that instantiates kernels in many ways, and some that does not.
constexpr char HostCode[] = R"(
#include <algorithm>
#include <iostream>
#include <vector>
__device__ int seen = 3;
static __constant__ float weights[4] = {1, 2, 3, 4};
namespace {
__global__ void hidden(float *p) { p[0] = weights[threadIdx.x & 3] + seen; }
}
static __global__ void unlaunched(float *p) { p[1] = 2; }
template <class T> __global__ void kernel(T *p, T by) { p[threadIdx.x] *= by; }
template <class F> __global__ void each(F f) { f(threadIdx.x); }
template <class T> __device__ T scale = 3;
template <class T> __global__ void scaled(T *p) { *p *= scale<T>; }
template <class T> __host__ __device__ __noinline__ T twice(T x) { return x * 2; }
__global__ void uses(float *p) { *p = twice(*p); }
typedef float (*Reader)(const float *, int);
__device__ float readTwo(const float *in, int i) { return in[2 * i]; }
__device__ Reader chosen = readTwo;
__global__ void called(float *p, Reader reader) { *p = reader(p, 1) + chosen(p, 2); }
struct Shape { __host__ __device__ virtual float area() const { return 1; } };
__global__ void areas(const Shape *s, float *p) { *p = s->area(); }
struct Deep {
  template <class T> void go(T x) { kernel<T><<<1, 32>>>(nullptr, x); }
};
Deep deepest;
Deep *findDeep() { return &deepest; }
void throughAPointer() { auto *deep = findDeep(); deep->go(3L); std::cout << 3; }
struct ForEach { void operator()(short x) const { kernel<<<1, 32>>>((short *)0, x); } };
void throughALibrary(std::vector<short> &all) { std::for_each(all.begin(), all.end(), ForEach()); }
template <class Op> void apply(Op op) { op(1.5); }
struct Anything { template <class T> void operator()(T x) { kernel<T><<<1, 32>>>(0, x); } };
void throughAnArgument() { apply(Anything()); }
void throughALambda(int *p) { each<<<1, 32>>>([=] __device__ (int i) { p[i] = i; }); }
struct Vector { float x, y; };
template <class E> Vector operator%(Vector a, E b) { return a; }
static std::vector<float> ofHost(int n) { return std::vector<float>(n, twice(3)); }
int main() {
  float *p = nullptr;
  hidden<<<1, 32>>>(p);
  cudaMemcpyToSymbol(seen, &p, 4);
  cudaMemcpyToSymbol(weights, &p, 4);
  std::cout << ofHost(3).size() << twice(3.0) << Shape().area() << std::endl;
  scaled<float><<<1, 1>>>(p);
}
)";

// All verdicts depend on this.
TEST(Shorten, NvccMakesTheSameCodeOfIt) {
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
        "kernels/truth/launches.cu", "kernels/register-spill.cu", ""}) {
    std::string source = std::string(WARPLINT_SOURCE_DIR "/") + name;
    if (StringRef(name).empty()) {
      source = scratch.path("host.cu");
      writeFile(source, HostCode);
    }
    const std::string file = scratch.path("k.cup");
    auto exit = cantFail(
        scratch.run({nvcc, "-arch=sm_90", "-std=c++17", "--extended-lambda",
                     "--expt-relaxed-constexpr", "-E", source, "-o", file},
                    scratch.folder().str(), "output", std::chrono::minutes(5)));
    ASSERT_EQ(exit.code, 0) << readFile(scratch.path("output"));
    const std::string text = readFile(file);
    const std::string whole = ptxOf(file);
    const std::string rest = shorten(
        text, [](StringRef path) { return path.contains("/include/"); });
    EXPECT_LT(rest.size(), text.size() * 3 / 4) << name;
    writeFile(file, rest);
    EXPECT_EQ(codeOf(ptxOf(file)), codeOf(whole)) << name;
  }
}

} // namespace
