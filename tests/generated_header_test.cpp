// A header that a build generates lies in no source tree: nothing that includes
// it was compiled.
#include "input/generated_header.h"
#include <gmock/gmock.h>

using namespace warplint;

TEST(GeneratedHeader, TemplatesOfCMakeAndAutoconf) {
  EXPECT_THAT(templateNames("pcl/pcl_config.h"),
              testing::IsSupersetOf({"pcl_config.h.in", "pcl_config.h.cmake",
                                     "pcl_config.in.h"}));
}

// The report says '-DNAME' where an #error asks for a macro; '#undef NAME' would
// undo it. SHOC's matrices are 'T *restrict', which no C++ compiler reads.
TEST(GeneratedHeader, WhatTheUserDefinesStays) {
  EXPECT_EQ(withNothingConfigured("#undef HAVE_GETTIMEOFDAY\n"
                                  "# undef inline\n"
                                  "#undef restrict\n"
                                  "#undefined\n"),
            "\n\n#define restrict __restrict\n#undefined\n");
  EXPECT_EQ(withNothingConfigured("#undef FC_FUNC_\n"),
            "#define FC_FUNC_(name, NAME) name##_\n");
}

TEST(GeneratedHeader, NothingIsSwitchedOn) {
  EXPECT_EQ(withNothingConfigured("#pragma once\n"
                                  "#cmakedefine HAVE_MPI\n"
                                  "#  cmakedefine SIZE @SIZE@\n"
                                  "#cmakedefine01 USE_DOUBLE\n"
                                  "#undef HAVE_CUDA\n"
                                  "#define MAJOR @PROJECT_MAJOR@\n"
                                  "#define NEXT (${PROJECT_MAJOR} + 1)\n"
                                  "#define VERSION \"v@MAJOR@.${MINOR}\"\n"
                                  "#include \"@OTHER@\"\n"
                                  "@DECLARATIONS@\n"
                                  "/* for @PROJECT@\n"
                                  "*/ const int minor = @MINOR@;\n"
                                  "#if MAJOR >= @WANTED@\n"
                                  "const char *mail = \"me@home.org\";\n"
                                  "#endif"),
            "#pragma once\n"
            "\n"
            "\n"
            "\n"
            "\n"
            "#define MAJOR 0\n"
            "#define NEXT (0 + 1)\n"
            "#define VERSION \"v.\"\n"
            "\n"
            "\n"
            "/* for 0\n"
            "*/ const int minor = 0;\n"
            "#if MAJOR >= 0\n"
            "const char *mail = \"me@home.org\";\n"
            "#endif\n"
            "#ifndef USE_DOUBLE\n"
            "#define USE_DOUBLE 0\n"
            "#endif\n");
}
