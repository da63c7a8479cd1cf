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

TEST(GeneratedHeader, ATemplateSaysWhatItMakes) {
  for (const std::string &name : templateNames("heat.h"))
    EXPECT_EQ(headerOfTemplate(name), "heat.h") << name;
  for (const char *name : {"heat.h", "heat.pc.in", "heat.cmake", "heat.in", ""})
    EXPECT_EQ(headerOfTemplate(name), "") << name;
}

// The report says '-DNAME' where an #error asks for a macro; '#undef NAME' would
// undo it. SHOC's matrices are 'T *restrict', which no C++ compiler reads.
TEST(GeneratedHeader, WhatTheUserDefinesStays) {
  EXPECT_EQ(withConfigured("#undef HAVE_GETTIMEOFDAY\n"
                                  "# undef inline\n"
                                  "#undef restrict\n"
                                  "#undefined\n"),
            "\n\n#define restrict __restrict\n#undefined\n");
  EXPECT_EQ(withConfigured("#undef FC_FUNC_\n"),
            "#define FC_FUNC_(name, NAME) name##_\n");
}

TEST(GeneratedHeader, NothingIsSwitchedOn) {
  EXPECT_EQ(withConfigured("#pragma once\n"
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

// Parthenon's config.hpp has '#define @MPI_OPTION@', which became '#define 0':
// each of its sources was read in part.
TEST(GeneratedHeader, AnOpenValueThatIsANameIsNoNumber) {
  EXPECT_EQ(withConfigured("#ifndef @GUARD@\n"
                           "#  define @GUARD@\n"
                           "#define ${PREFIX}_MAJOR @MAJOR@\n"
                           "#define LOOP flow::@LOOP_TAG@\n"
                           "#endif\n"),
            "#ifndef GUARD\n"
            "#  define GUARD\n"
            "#define PREFIX_MAJOR 0\n"
            "#define LOOP flow::LOOP_TAG\n"
            "#endif\n");
}

// stdgpu's headers are included from a folder with the name of its back end.
TEST(GeneratedHeader, WhatCMakeSetsIsTaken) {
  EXPECT_EQ(withConfigured("#define BACKEND @BACKEND@ @OTHER@\n"
                           "#include <heat/@BACKEND@/memory.h>\n"
                           "#include <heat/@OTHER@/memory.h>\n"
                           "@BACKEND@\n"
                           "#  cmakedefine SIZE @SIZE@\n"
                           "#cmakedefine HAVE_SIZE\n"
                           "#cmakedefine BOTH @SIZE@ @OTHER@\n"
                           "#cmakedefine NONE @NONE@\n"
                           "#cmakedefine01 HAVE_SIZE\n"
                           "#cmakedefine01 NONE\n"
                           "const char *name = \"@BACKEND@@LINES@\";\n",
                           [](llvm::StringRef name)
                               -> std::optional<std::string> {
                             if (name == "BACKEND")
                               return "cuda";
                             if (name == "SIZE")
                               return "64";
                             if (name == "HAVE_SIZE" || name == "BOTH")
                               return "ON";
                             if (name == "NONE")
                               return "OFF";
                             if (name == "LINES")
                               return "a\nb";
                             return std::nullopt;
                           }),
            "#define BACKEND cuda 0\n"
            "#include <heat/cuda/memory.h>\n"
            "\n"
            "cuda\n"
            "#define SIZE 64\n"
            "#define HAVE_SIZE\n"
            "\n"
            "\n"
            "\n"
            "\n"
            "const char *name = \"cuda\";\n"
            "#ifndef HAVE_SIZE\n#define HAVE_SIZE 1\n#endif\n"
            "#ifndef NONE\n#define NONE 0\n#endif\n");
}
