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

// All kernels of a code base were lost for a type that its build selects.
TEST(UndefinedMacros, WhatADeclarationWaitsForIsNamed) {
  InputFolder folder;
  folder.write("a.cu", "#include \"real.h\"\n"
                       "__global__ void k(Real *p) { *p = 1; }\n");
  folder.write("real.h", "#ifndef REAL_H\n#define REAL_H\n"
                         "#if PRECISION == 2 // the usual one\n"
                         "#ifndef REAL\n"
                         "typedef double Real;\n"
                         "#endif\n#endif\n#endif\n");
  EXPECT_THAT(checkOnly(folder.path).out,
              HasSubstr("note: 'Real' is declared at real.h:5 behind '#if "
                        "PRECISION == 2', which no flag meets: '-- "
                        "-DPRECISION=2' meets it"));
  folder.write("real.h", "#ifdef WIDE\nusing Real = double;\n#endif\n");
  EXPECT_THAT(checkOnly(folder.path).out, HasSubstr("'-- -DWIDE' meets it"));
  folder.write("real.h", "#if A > 1 && B < 2\n#define Real double\n#endif\n");
  EXPECT_THAT(checkOnly(folder.path).out, HasSubstr("'-- -DNAME' meets it"));
  folder.write("real.h", "#if VERSION >= 108\n#define Real double\n#endif\n");
  EXPECT_THAT(checkOnly(folder.path).out,
              HasSubstr("'-- -DVERSION=108' meets it"));
  for (const char *other :
       {"namespace n {\n#ifdef WIDE\nusing Real = double;\n#endif\n}\n",
        "#if 0\nusing Real = double;\n#endif\n",
        "#ifdef WIDE\n#else\n#ifdef A\n#endif\n#endif\n"}) {
    folder.write("real.h", other);
    EXPECT_THAT(checkOnly(folder.path).out, Not(HasSubstr("meets it")));
  }
}

// A build that includes a header first, by '-include', left 58 kernels of 41
// sources unread, each with a line on a type that it does not know.
TEST(UndefinedMacros, TheHeaderThatABuildIncludesFirstIsNamed) {
  InputFolder folder;
  folder.write("kernels/a.cu", "__global__ void a(real *p) { *p = 1; }\n");
  folder.write("kernels/b.cu", "__global__ void b(real *p) { *p = 2; }\n");
  folder.write("stubs.c", "typedef float real;\n");
  const std::string header =
      folder.write("constants.h", "#ifdef DOUBLE\ntypedef double real;\n"
                                  "#else\ntypedef float real;\n#endif\n");
  EXPECT_THAT(checkOnly(folder.path).out,
              HasSubstr("note: 'real' is declared in '" + header +
                        "', which a.cu and 1 more source do not include: '-- "
                        "-include " +
                        header + "' does, as a build may"));
  EXPECT_THAT(
      runProgram({"check", "--no-judge", folder.path, "--", "-include", header})
          .out,
      HasSubstr("2 kernels of 2 sources"));
  folder.write("other.h", "using real = double;\n");
  EXPECT_THAT(checkOnly(folder.path).out, Not(HasSubstr("-include")))
      << "nobody knows which";
  std::filesystem::remove(folder / "other.h");
  folder.write("kernels/b.cu", "#include \"../constants.h\"\n"
                               "__global__ void b(Real *p) { *p = 2; }\n");
  EXPECT_THAT(checkOnly(folder.path).out, HasSubstr("a.cu does not include"));
}
