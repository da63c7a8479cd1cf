// Where the project has the headers that were not found.
#include "input/find_headers.h"
#include "input_folder.h"
#include <filesystem>
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FindHeaders, TheNearestFolderCounts) {
  InputFolder folder;
  folder.write(".git/HEAD");
  const std::string source = folder.write("app/src/a.cu");
  folder.write("other/util.h");
  folder.write("app/common/util.h");
  folder.write("app/include/heat/step.h");
  folder.write("app/include/step.h.in");
  EXPECT_THAT(foldersOf({{source, "util.h"},
                         {source, "heat/step.h"},
                         {source, "util.h"},
                         {source, "missing.h"}}),
              ElementsAre(folder / "app/common", folder / "app/include"));
}

// A name with ".." or an absolute one is no name of a folder to add.
TEST(FindHeaders, NamesThatNoFolderCanGiveFindNothing) {
  InputFolder folder;
  folder.write(".git/HEAD");
  const std::string source = folder.write("src/a.cu");
  folder.write("up.h");
  folder.write(".hidden/in.h");
  EXPECT_THAT(foldersOf({{source, "../../up.h"}, {source, "in.h"}}), IsEmpty());
}

// A clone without --recursive lacks headers that no flag leads to.
TEST(FindHeaders, SubmodulesThatWereNotFetchedAreEmpty) {
  InputFolder folder;
  EXPECT_THAT(emptySubmodules(folder.path), IsEmpty());
  folder.write(".gitmodules", "[submodule \"fmt\"]\n"
                              "\tpath = external/fmt\n"
                              "\turl = ../fmt.git\n"
                              "[submodule \"cutlass\"]\n"
                              "\tpath=external/cutlass\n"
                              "[submodule \"gone\"]\n"
                              "\tpath = external/gone\n");
  folder.write("external/cutlass/README.md");
  std::filesystem::create_directories(folder / "external/fmt");
  EXPECT_THAT(emptySubmodules(folder.path),
              ElementsAre("external/fmt", "external/gone"));
}
