// A Makefile that passes -DMAX_LENGTH=300 left four kernels unread, and no line
// said what to do.
#include "program_runs.h"

using namespace warplint;
using testing::HasSubstr;
using testing::Not;

static const char *const usesLimit =
    "__global__ void k(float *p) {\n"
    "  float own[MAX_LENGTH];\n"
    "  for (int i = 0; i < MAX_LENGTH; ++i)\n"
    "    own[i] = p[i];\n"
    "  p[threadIdx.x] = own[threadIdx.x % MAX_LENGTH];\n"
    "}\n";

TEST(UndefinedMacros, WhatNoFileDeclaresIsNamed) {
  InputFolder folder;
  folder.write("a.cu", usesLimit);
  EXPECT_THAT(checkOnly(folder.path).out,
              HasSubstr("note: no file of the project defines 'MAX_LENGTH': "
                        "'-- -DMAX_LENGTH=...' defines it as a build may"));
  folder.write("a.cu", "__global__ void k(REAL *p) { *p = 1; }\n");
  EXPECT_THAT(checkOnly(folder.path).out,
              HasSubstr("'-- -DREAL=...' defines it"));
}

// A flag would be the wrong cure of what a header declares.
TEST(UndefinedMacros, WhatAFileDeclaresIsLeftOut) {
  for (const char *declaration :
       {"#define MAX_LENGTH 300\n", "const int MAX_LENGTH = 3;\n"}) {
    InputFolder folder;
    folder.write("a.cu", usesLimit);
    folder.write("limits/all.h", declaration);
    EXPECT_THAT(checkOnly(folder.path).out, Not(HasSubstr("-DMAX_LENGTH")))
        << declaration;
  }
  InputFolder folder;
  folder.write("a.cu", "#include \"absent.h\"\n" + std::string(usesLimit));
  EXPECT_THAT(checkOnly(folder.path).out, Not(HasSubstr("-DMAX_LENGTH")));
  folder.write("a.cu", "__global__ void k(float *p) { *p = maxLength; }\n");
  EXPECT_THAT(checkOnly(folder.path).out, Not(HasSubstr("-DmaxLength")));
}
