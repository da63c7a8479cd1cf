// Sources of C++20 are read as such where no build says so: those of Arbor were
// read with errors.
#include "input/cmake_standard.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

static unsigned standardIn(llvm::StringRef text) {
  return standardInCmake(commandsInCmake(text));
}

static WrittenFlags standardOf(const std::string &folder,
                               const std::string &top) {
  return standardOfCmake(cmakeFilesAbove(folder, top));
}

TEST(CmakeStandard, AStandardIsNamedInThreeWays) {
  EXPECT_EQ(standardIn("set(CMAKE_CUDA_STANDARD 20)\n"), 20u);
  EXPECT_EQ(standardIn("target_compile_features(t PUBLIC cuda_std_20)"),
            20u);
  EXPECT_EQ(standardIn("set_target_properties(t PROPERTIES\n"
                            "  CUDA_STANDARD\n  20)\n"),
            20u);
  EXPECT_EQ(standardIn("set(CMAKE_CXX_STANDARD 17)\n"), 17u);
}

TEST(CmakeStandard, ThatOfCudaCountsAndTheNewest) {
  EXPECT_EQ(standardIn("set(CMAKE_CXX_STANDARD 20)\n"
                            "set(CMAKE_CUDA_STANDARD 17)\n"),
            17u);
  EXPECT_EQ(standardIn("target_compile_features(t PUBLIC cxx_std_14 "
                       "cxx_std_20 $<BUILD_INTERFACE:cxx_std_98>)"), 20u);
  EXPECT_EQ(standardIn("# set(CMAKE_CXX_STANDARD 20)\n"), 0u);
  EXPECT_EQ(standardIn("set(CMAKE_CXX_STANDARD ${STANDARD})\n"
                            "set(CMAKE_CUDA_STANDARD_REQUIRED ON)\n"),
            0u);
}

TEST(CmakeStandard, TheNearestFileThatNamesOneCounts) {
  InputFolder folder;
  folder.write("CMakeLists.txt", "set(CMAKE_CUDA_STANDARD 20)\n");
  folder.write("old/CMakeLists.txt", "set(CMAKE_CUDA_STANDARD 14)\n");
  folder.write("src/CMakeLists.txt", "add_library(t a.cu)\n");
  const WrittenFlags found = standardOf(folder / "src", folder.path);
  EXPECT_THAT(found.words, ElementsAre("-std=c++20"));
  EXPECT_EQ(found.file, folder / "CMakeLists.txt");
  EXPECT_THAT(standardOf(folder / "old", folder.path).words, IsEmpty());
  EXPECT_THAT(standardOf(folder / "src", folder / "src").words, IsEmpty());
}
