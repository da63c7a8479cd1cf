// A header that CMake generates has the values of variables: stdgpu's includes
// "stdgpu/@STDGPU_BACKEND_DIRECTORY@/platform.h".
#include "input/cmake_variables.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

/// The value of X; "?" if it is not settled.
std::string x(llvm::StringRef text) {
  CmakeVariables variables;
  for (const CmakeCommand &each : commandsInCmake(text))
    variables.follow(each);
  return variables.valueOf("X").value_or("?");
}

} // namespace

TEST(CmakeVariables, WhatIsSetIsKnown) {
  EXPECT_EQ(x("set(X 64)"), "64");
  EXPECT_EQ(x("set(A heat)\nset(X \"${A}::gpu\")"), "heat::gpu");
  EXPECT_EQ(x("set(X a b)"), "a;b");
  EXPECT_EQ(x("set(X 1)\nset(X 2)"), "2");
  EXPECT_EQ(x("set(X 1 CACHE STRING \"the number\")"), "1");
  EXPECT_EQ(x("set(X 2)\nset(X 1 CACHE STRING \"the number\")"), "2");
}

TEST(CmakeVariables, TextsAreChanged) {
  EXPECT_EQ(x("set(A GPU)\nstring(TOLOWER ${A} X)"), "gpu");
  EXPECT_EQ(x("set(X gpu)\nstring(TOUPPER \"${X}\" X)"), "GPU");
  EXPECT_EQ(x("string(REPLACE \"-\" \"_\" X \"a-b-c\")"), "a_b_c");
  EXPECT_EQ(x("string(REGEX REPLACE \"^HEAT_(.)\" \"\\\\1\" X HEAT_CUDA)"),
            "CUDA");
  EXPECT_EQ(x("set(X a)\nstring(REGEX REPLACE \"[ab]\" \"\" X aba)"), "?");
  EXPECT_EQ(x("set(X a)\nstring(LENGTH abc X)"), "?");
}

TEST(CmakeVariables, AProjectHasAVersion) {
  EXPECT_EQ(x("project(heat VERSION 1.20.3 LANGUAGES CUDA)\n"
              "set(X \"${PROJECT_NAME} ${heat_VERSION}: "
              "${PROJECT_VERSION_MAJOR} ${heat_VERSION_PATCH}\")"),
            "heat 1.20.3: 1 3");
  EXPECT_EQ(x("project(heat)\nset(X ${PROJECT_VERSION})"), "?");
}

TEST(CmakeVariables, WhatDependsOnTheBuildIsNot) {
  EXPECT_EQ(x("set(X 1)\nif(BIG)\n  set(X 2)\nendif()"), "?");
  EXPECT_EQ(x("if(BIG)\n  set(X 2)\nelse()\n  set(X 1)\nendif()"), "?");
  EXPECT_EQ(x("set(X ${BIG})"), "?");
  EXPECT_EQ(x("set(X $ENV{HOME})"), "?");
  EXPECT_EQ(x("set(X 1)\nlist(APPEND X 2)"), "?");
  EXPECT_EQ(x("set(X 1)\nexecute_process(COMMAND a OUTPUT_VARIABLE X)"), "?");
  EXPECT_EQ(x("option(X \"fast\" ON)"), "?");
  EXPECT_EQ(x("set(X ON CACHE BOOL \"with MPI\")"), "?");
  EXPECT_EQ(x("set(X 1)\nset(X 2 PARENT_SCOPE)"), "?");
  EXPECT_EQ(x("set(X 1)\nif(X)\nendif()\nmessage(STATUS X)"), "1");
}

TEST(CmakeVariables, ValuesDoNotGrowForever) {
  std::string text = "set(X ab)\n";
  for (int i = 0; i < 60; ++i)
    text += "set(X ${X}${X})\n";
  EXPECT_EQ(x(text), "?");
  text = "set(X ab)\n";
  for (int i = 0; i < 60; ++i)
    text += "string(REPLACE \"b\" \"${X}bb\" X \"${X}\")\n";
  EXPECT_EQ(x(text), "?");
  text = "set(A " + std::string(60'000, 'a') + ")\n";
  for (int i = 0; i < 300; ++i)
    text += "set(A" + std::to_string(i) + " ${A})\n";
  EXPECT_EQ(x("set(X 1)\n" + text), "1");
  EXPECT_EQ(x(text + "set(X 1)\n"), "?");
}

// CMake has neither, and what LLVM makes of them may take all memory.
TEST(CmakeVariables, PatternsWithCountsAreNotFollowed) {
  EXPECT_EQ(x("set(X a)\nstring(REGEX REPLACE "
              "\"^(((a{1,255}){1,255}){1,255}){1,255}b\" c X aaaa)"),
            "?");
  EXPECT_EQ(x("set(X a)\nstring(REGEX REPLACE \"^(a*)*\\\\1b\" c X aaaa)"),
            "?");
}

TEST(CmakeVariables, FoldersAboveAreRead) {
  InputFolder folder;
  folder.write("CMakeLists.txt", "set(A 1)\nset(B 2)\n");
  folder.write("src/CMakeLists.txt", "set(B 3)\nset(C ${A})\n");
  folder.write("other/CMakeLists.txt", "set(A 9)\n");
  folder.write("src/deep/a.h", "");
  const auto variables =
      CmakeVariables::of(cmakeFilesAbove(folder / "src/deep", folder.path));
  EXPECT_EQ(variables.valueOf("B"), "3");
  EXPECT_EQ(variables.valueOf("C"), "1");
  EXPECT_EQ(CmakeVariables::of(cmakeFilesAbove(folder / "src", folder / "src"))
                .valueOf("A"),
            std::nullopt);
}
