// Clang's errors as they are listed and cured.
#include "read_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;

static std::vector<std::string> errorsOf(llvm::StringRef text) {
  std::vector<std::string> errors;
  for (const ParseError &error : readText(text).outline.errors)
    errors.push_back(std::to_string(error.line) + ": " + error.text);
  return errors;
}

// The message that is shown is the first: the others may follow from it.
TEST(ErrorCollector, WhatSaysWhatIsMissingComesFirst) {
  EXPECT_THAT(
      errorsOf("int a = b;\n#error needs the library\n"
               "#include \"absent.h\"\n"),
      ElementsAre(HasSubstr("2: "), HasSubstr("3: "), HasSubstr("1: ")));
}

// A source that nvcc compiles has no error.
TEST(ErrorCollector, WhatNvccAcceptsIsNoError) {
  EXPECT_THAT(errorsOf("struct alignas(16) Wide { int a; };\n"
                       "struct alignas(8) Less { Wide wide; };\n"),
              ElementsAre());
  // nvcc applies the first two to what is declared, and warns of the others.
  EXPECT_THAT(errorsOf("namespace room {\n"
                       "__device__ alignas(16) float table[64];\n"
                       "__device__ [[nodiscard]] inline int f() { return 1; }\n"
                       "int alignas(16) late;\n"
                       "int [[maybe_unused]] spare;\n"
                       "}\n"),
              ElementsAre());
  EXPECT_THAT(errorsOf("struct Vec { float x; __device__ Vec() : x(0) {} };\n"
                       "__global__ void k(float *p) {\n"
                       "  __shared__ Vec v;\n"
                       "  v.x = *p;\n"
                       "}\n"),
              ElementsAre());
}

// Clang reads host code with the device's side of '#if __CUDA_ARCH__', nvcc
// compiles it with the other one. 'read in part' was said of a whole source.
TEST(ErrorCollector, AHostsCallOfWhatOnlyTheDeviceHasIsNoError) {
  const std::string twoSides = "#if __CUDA_ARCH__\n"
                               "__device__ int twice(int x) { return 2 * x; }\n"
                               "#else\n"
                               "#define twice(x) (2 * (x))\n"
                               "#endif\n"
                               "int host(int x) { return twice(x); }\n";
  EXPECT_THAT(errorsOf(twoSides), ElementsAre());
  EXPECT_THAT(errorsOf(twoSides + "int b = unknown;\n"
                                  "int host2(int x) { return twice(x); }\n"),
              ElementsAre(HasSubstr("7: ")));
  EXPECT_THAT(errorsOf("int twice(int x) { return 2 * x; }\n"
                       "int host(int *x) { return twice(x); }\n"),
              ElementsAre(HasSubstr("2: ")));
}

// nvcc compiles it, and "read in part" was said of a whole source.
TEST(ErrorCollector, AClassTemplateMayConstructOnTheHostWhatTheDeviceHas) {
  EXPECT_THAT(
      errorsOf("template <class T> struct Ptr {\n"
               "  T *p;\n"
               "  __device__ Ptr(T *q) : p(q) {}\n"
               "};\n"
               "template <class T> struct Buffer {\n"
               "  T *p;\n"
               "  operator Ptr<T>() const { return Ptr<T>(p); }\n"
               "  Ptr<T> get() { Ptr<T> q(p); return q; }\n"
               "};\n"
               "__global__ void k(Ptr<float> p) { *p.p = 1; }\n"
               "void run(Buffer<float> b) { k<<<1, 32>>>(b); b.get(); }\n"),
      ElementsAre());
  EXPECT_THAT(errorsOf("struct Ptr { Ptr(int); };\n"
                       "Ptr get(int *p) { return Ptr(p); }\n"),
              ElementsAre(HasSubstr("2: ")))
      << "nothing is said of the device";
}

// "'/dev/zero' was not found" sent the reader to look for a folder of headers.
TEST(ErrorCollector, AnEmbeddedDeviceIsThereButNotOpened) {
  EXPECT_THAT(
      errorsOf("const unsigned char d[] = {\n#embed \"/dev/zero\"\n};\n"),
      ElementsAre("2: cannot open file '/dev/zero': is no regular file"));
  EXPECT_THAT(
      errorsOf("const unsigned char d[] = {\n#embed \"/dev/none\"\n};\n"),
      ElementsAre("2: '/dev/none' file not found"));
}
