// A source's flags may stand in any folder above it, and no further than its
// project goes.
#include "input/cmake_files.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;

static std::vector<std::string> pathsAbove(const std::string &folder,
                                           const std::string &top) {
  std::vector<std::string> paths;
  for (const CmakeFile &file : cmakeFilesAbove(folder, top))
    paths.push_back(file.path);
  return paths;
}

TEST(CmakeFiles, OfTheProjectAloneTheHighestFirst) {
  InputFolder folder;
  folder.write("CMakeLists.txt", "project(all)\n");
  folder.write("one/CMakeLists.txt", "project(one)\n");
  folder.write("one/src/deep/CMakeLists.txt", "add_library(t a.cu)\n");
  EXPECT_THAT(pathsAbove(folder / "one/src/deep", folder / "one"),
              ElementsAre(folder / "one/CMakeLists.txt",
                          folder / "one/src/deep/CMakeLists.txt"));
  EXPECT_EQ(
      cmakeFilesAbove(folder / "one", folder / "one").at(0).commands.at(0).name,
      "project");
}

TEST(CmakeFiles, AFolderOfThatNameIsNoFile) {
  InputFolder folder;
  folder.write("CMakeLists.txt/a.txt", "");
  EXPECT_THAT(pathsAbove(folder.path, folder.path), ElementsAre());
}
