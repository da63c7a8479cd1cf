// Host code that nvcc need not see: without a launch, nvcc makes no code of a
// kernel's template, and its findings stay unjudged.
#include "shortened.h"
#include <gmock/gmock.h>

using namespace warplint;
using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace {

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

} // namespace

TEST(HostCode, GoesIfItMakesNoDeviceCode) {
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
TEST(HostCode, StaysIfItMayLaunchATemplate) {
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
TEST(HostCode, BodiesThatDetermineTypesOrConstantsStay) {
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
TEST(HostCode, StaysForKernelsOfLibraries) {
  const std::string library =
      "template <class T> __attribute__((global)) void kernel(T x) {}\n"
      "template <class T> void sort(T x) { kernel<<<1, 1>>>(x); }\n";
  const std::string host = "int main() { sort(3); }";
  EXPECT_THAT(shortened(library, host), HasSubstr(host));
  EXPECT_THAT(shortened(library, "int main() { other(); }"),
              Not(HasSubstr("other")));
}

// nvcc derives names of static functions from the first external function.
TEST(HostCode, TheFirstFunctionOfAFileStays) {
  const std::string text = shortened(
      "", "namespace { void hidden() {} }\nstatic void own() { f(); }\n"
          "namespace m {\nint first(int a) : b{1}, c(2) {\n  f();\n}\n}\n"
          "int main() { f(); }\n");
  EXPECT_THAT(text, HasSubstr("namespace m {\nint first(int a) : b{1}, c(2) {\n"
                              "# 7 \"k.cu\"\n}"));
  for (const char *gone : {"hidden", "own", "main", "f()"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
}
