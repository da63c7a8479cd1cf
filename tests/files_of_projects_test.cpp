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
  IncludeGraph graph;
  EXPECT_EQ(files.nearestWith("heat/step.h", command, graph), folder / "app/include");
  EXPECT_EQ(files.nearestWith("only.h", command, graph), folder / "z");
  EXPECT_EQ(files.nearestWith("none.h", command, graph), "");
  EXPECT_EQ(stepsTo(folder / "app/src", command), 0u);
  EXPECT_EQ(stepsTo(folder / "app/include/heat", command), 3u);
  folder.write("y/only.h");
  FilesOfProjects now;
  EXPECT_EQ(now.nearestWith("only.h", command, graph), "");
}

// A library keeps a header for users beside a folder of its headers, one of
// which has the same name: a source that finds neither means the former, which
// includes the latter.
TEST(FilesOfProjects, OfTwoThatAreAsNearTheOneThatIncludesTheOtherCounts) {
  InputFolder folder;
  const std::string source = folder.write("backends/cuda/a.cu");
  folder.write("include/heat.h", "#pragma once\n"
                                 "#ifdef HEAT_AT_RUN_TIME\n"
                                 "#include \"heat/types.h\"\n"
                                 "#else\n"
                                 "#include \"heat/all.h\"\n"
                                 "#endif\n");
  folder.write("include/heat/heat.h", "#pragma once\nvoid heat();\n");
  folder.write("include/heat/all.h", "#include \"heat.h\"\n");
  folder.write("p/round.h", "#include \"../q/round.h\"\n");
  folder.write("q/round.h", "#include \"../p/round.h\"\n");
  const Command command{source, folder.path, {"nvcc"}, /*isBare=*/true};
  FilesOfProjects files;
  IncludeGraph graph;
  EXPECT_EQ(files.nearestWith("heat.h", command, graph), folder / "include");
  EXPECT_EQ(files.nearestWith("round.h", command, graph), "");
}
