// Which places nvcc's macros decide.
#include "source/nvcc_conditions.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

static NvccConditions read(llvm::StringRef text) {
  NvccConditions conditions;
  conditions.read(text);
  return conditions;
}

TEST(NvccConditions, AnOpenConditionalDecidesWhatFollows) {
  for (const char *text :
       {"#ifdef __NVCC__\n", "#if X\n#elif __CUDACC_VER_MAJOR__ > 11\n",
        "#if !defined(__NVCC__) // or not\n#else\n",
        "#ifndef __NVCC__\n#if X\n", "#  if X || \\\n  defined(__NVCC__)\n"})
    EXPECT_TRUE(read(text).decideWhatFollows()) << text;
  for (const char *text :
       {"", "#ifdef X\n", "#ifdef __NVCC__\n#endif\n", "// #ifdef __NVCC__\n",
        "/*\n#ifdef __NVCC__\n*/\n", "#if X\n#ifdef __NVCC__\n#endif\n"})
    EXPECT_FALSE(read(text).decideWhatFollows()) << text;
}

// Headers of FLAME GPU silence a warning of nvcc's in front of their includes.
TEST(NvccConditions, PragmasDecideNothing) {
  const NvccConditions conditions = read("#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__\n"
                                         "#pragma nv_diag_suppress 1675\n"
                                         "#else\n"
                                         "#pragma diag_suppress 1675\n"
                                         "#endif\n"
                                         "#if X\n");
  EXPECT_FALSE(conditions.decideAnything());
  EXPECT_TRUE(read("#ifdef __NVCC__\nint a;\n#endif\n").decideAnything());
  EXPECT_FALSE(read("#ifdef __NVCC__\nint a;\n#endif\n").decideWhatFollows());
}

// Without nvcc's macros it is no error.
TEST(NvccConditions, AnErrorOfTheUsersIsDecided) {
  EXPECT_TRUE(
      read("#ifdef __NVCC__\n#error not for nvcc\n#endif\n").decideAnything());
}

TEST(NvccConditions, MacrosThatTheyDecideDecideAsWell) {
  const std::string define = "#if __CUDACC_VER_MAJOR__ > 11\n"
                             "#define HAS_IT 1\n"
                             "#endif\n"
                             "#define USES_IT (HAS_IT && X)\n";
  EXPECT_THAT(read(define).names(), ElementsAre("HAS_IT", "USES_IT"));
  EXPECT_FALSE(read(define + "#if X\n").decideWhatFollows());
  EXPECT_TRUE(read(define + "#if USES_IT\n").decideWhatFollows());
  NvccConditions inner(read(define).names());
  inner.read("#ifdef HAS_IT\n");
  EXPECT_TRUE(inner.decideWhatFollows());
}

// It may define any macro.
TEST(NvccConditions, AFileThatTheyIncludeMayDecideOnAllBehindIt) {
  EXPECT_TRUE(read("#ifdef __NVCC__\n#include \"a.h\"\n#endif\n#if X\n")
                  .decideWhatFollows());
}

TEST(NvccConditions, AnOuterFilesConditionalIsOpenInTheNextText) {
  NvccConditions conditions = read("#ifdef __NVCC__\n");
  conditions.read("#ifndef GUARD\n#define GUARD\n");
  EXPECT_TRUE(conditions.decideWhatFollows());
}
