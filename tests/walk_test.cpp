// The sources below a folder: neither what CMake tried there nor what it
// fetched.
#include "input/walk.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Walk, FindsSourcesInTheOrderOfTheirNames) {
  InputFolder folder;
  const std::string b = folder.write("src/b.cu"),
                    a = folder.write("src/deep/a.cu"),
                    host = folder.write("src/host.cpp");
  const std::string header = folder.write("src/a.cuh");
  folder.write("src/plain.h");
  folder.write("src/notes.txt");
  const FolderContent found = walk(folder.path);
  EXPECT_THAT(found.sources, ElementsAre(b, a, host));
  EXPECT_THAT(found.headers, ElementsAre(header));
  EXPECT_THAT(found.unreadable, IsEmpty());
}

TEST(Walk, SkipsHiddenFoldersAndBuilds) {
  InputFolder folder;
  folder.write(".cache/x.cu");
  folder.write(".hidden.cu");
  folder.write("build/CMakeCache.txt");
  folder.write("build/_deps/x.cu");
  folder.write("CMakeFiles/CompilerIdCUDA/CMakeCUDACompilerId.cu");
  llvm::sys::fs::create_link(folder / "build", folder / "latest");
  EXPECT_THAT(walk(folder.path).sources, IsEmpty());
}

TEST(Walk, ABuildFolderIsReadIfItIsNamed) {
  InputFolder folder;
  folder.write("build/CMakeCache.txt");
  const std::string made = folder.write("build/made.cu");
  EXPECT_THAT(walk(folder / "build").sources, ElementsAre(made));
}

TEST(Walk, LinksNeitherLoopNorRenameFiles) {
  InputFolder folder;
  const std::string a = folder.write("z/a.cu");
  llvm::sys::fs::create_link(folder / "z", folder / "alias");
  llvm::sys::fs::create_link(folder.path, folder / "z/up");
  llvm::sys::fs::create_link(folder / "gone.cu", folder / "dangling.cu");
  EXPECT_THAT(walk(folder.path).sources, ElementsAre(a));
}

// A project with Kokkos saw the findings of its unit tests first. Its own tests
// are read, and those of other submodules, which may be its own as well.
TEST(Walk, TestsOfKokkosAreLeftOut) {
  InputFolder folder;
  folder.write("external/kokkos/core/src/Kokkos_Core.hpp");
  const std::string own = folder.write("tests/own.cu"),
                    library = folder.write("external/kokkos/core/src/a.cpp");
  folder.write("external/kokkos/core/unit_test/b.cpp");
  folder.write("external/kokkos/core/unit_test/deep/c.cpp");
  folder.write("external/kokkos/example/d.cpp");
  folder.write("external/solver/.git");
  const std::string contest = folder.write("external/kokkos/contest/e.cpp"),
                    solver = folder.write("external/solver/tests/f.cu");
  const std::string kokkos = folder / "external/kokkos";
  const FolderContent found = walk(folder.path);
  EXPECT_THAT(found.sources, ElementsAre(contest, library, solver, own));
  EXPECT_THAT(found.testsOf, ElementsAre(std::pair(kokkos, 3u)));
  // Users who name it ask for it.
  EXPECT_EQ(walk(kokkos).sources.size(), 5u);
  EXPECT_EQ(walk(kokkos + "/example").sources.size(), 1u);
}

// SPARTA keeps a copy of Kokkos in lib/kokkos.
TEST(Walk, TestsOfACopyOfKokkosAreLeftOut) {
  InputFolder folder;
  std::filesystem::remove(folder / ".git");
  folder.write("lib/kokkos/core/src/Kokkos_Core.hpp");
  const std::string library = folder.write("lib/kokkos/core/src/a.cpp"),
                    other = folder.write("lib/other/tests/b.cu");
  folder.write("lib/kokkos/core/perf_tests/c.cpp");
  const FolderContent found = walk(folder.path);
  EXPECT_THAT(found.sources, ElementsAre(library, other));
  EXPECT_THAT(found.testsOf, ElementsAre(std::pair(folder / "lib/kokkos", 1u)));
}

// A source that is not read is named: the run is not clean without it.
TEST(Walk, AFolderThatCannotBeReadIsNamed) {
  InputFolder folder;
  const std::string file = folder.write("a.cu");
  EXPECT_THAT(walk(file).unreadable,
              ElementsAre("'" + file + "': Not a directory"));
}

TEST(Walk, AFilesKindIsItsEnding) {
  EXPECT_TRUE(isCudaSource("a.cu"));
  EXPECT_FALSE(isCudaSource("a.cuh"));
  for (const char *source : {"a.cpp", "a.cc", "a.cxx", "a.c++", "a.C"})
    EXPECT_TRUE(isCxxSource(source)) << source;
  EXPECT_FALSE(isCxxSource("a.c"));
  for (const char *header : {"a.cuh", "a.h", "a.H", "a.hpp", "a.inl", "a.inc"})
    EXPECT_TRUE(isHeader(header)) << header;
  EXPECT_FALSE(isHeader("a.cu"));
  EXPECT_TRUE(isPtxText("a.ptx"));
}
