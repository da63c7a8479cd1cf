// The nearest header of a name is the one that a source means; of two that are
// as near, nobody knows.
#include "input_folder.h"
#include "input/files_of_projects.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(FilesOfProjects, TheNearestFolderCounts) {
  InputFolder folder;
  folder.write("app/include/heat/step.h");
  folder.write("other/include/heat/step.h");
  folder.write("z/only.h");
  Command command{folder / "app/src/a.cu",
                  folder.path,
                  {"nvcc"},
                  /*isBare=*/true};
  folder.write("app/src/a.cu");
  FilesOfProjects files;
  EXPECT_EQ(files.nearestWith("heat/step.h", command), folder / "app/include");
  EXPECT_EQ(files.nearestWith("only.h", command), folder / "z");
  EXPECT_EQ(files.nearestWith("none.h", command), "");
  EXPECT_EQ(stepsTo(folder / "app/src", command), 0u);
  EXPECT_EQ(stepsTo(folder / "app/include/heat", command), 3u);
  folder.write("y/only.h");
  FilesOfProjects now;
  EXPECT_EQ(now.nearestWith("only.h", command), "");
}
