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
  EXPECT_THAT(errorsOf("struct Vec { float x; __device__ Vec() : x(0) {} };\n"
                       "__global__ void k(float *p) {\n"
                       "  __shared__ Vec v;\n"
                       "  v.x = *p;\n"
                       "}\n"),
              ElementsAre());
}
