// A folder with a Makefile is what most CUDA programs are: its sizes were
// unknown, and its headers "not found".
#include "run/build_files_of_bare_sources.h"
#include "added_flags.h"
#include "program_runs.h"

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class BuildFilesOfBareSourcesIn : public testing::Test {
protected:
  /// What is added to the command of "a.cu", which has the further `flags`.
  std::vector<std::string> added(std::vector<std::string> flags = {},
                                 bool isBare = true,
                                 llvm::StringRef name = "a.cu",
                                 llvm::StringRef text = "") {
    BuildFilesOfBareSources buildFiles(graphs);
    const auto words =
        addedBy(buildFiles, folder, folder.write(name, text), flags, isBare);
    notes.clear();
    buildFiles.addNote(notes);
    return words;
  }

  InputFolder folder;
  const Buffers none;
  GraphOfThread graphs{none, {}};
  std::vector<std::string> notes;
};

} // namespace

TEST_F(BuildFilesOfBareSourcesIn, FlagsAreTakenAndSaid) {
  folder.write("Makefile", "CFLAGS = -DN=8 -DREAL=float -DA -DB -std=c++20\n"
                           "all: ; nvcc $(CFLAGS) a.cu\n");
  EXPECT_THAT(added(), ElementsAre("-std=c++20", "-DA", "-DB", "-DN=8",
                                   "-DREAL=float"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("no build gives the flags: '-DA', '-DB', "
                                  "'-DN=8' and 1 more were taken from '"));
  EXPECT_THAT(notes[0], HasSubstr("Makefile'; '-p BUILD' takes a build's"));
}

TEST_F(BuildFilesOfBareSourcesIn, WhatTheUserTypedStays) {
  folder.write("Makefile", "CFLAGS = -DN=8 -std=c++20\nall: ; nvcc a.cu\n");
  EXPECT_THAT(added({"-DN=16", "-std=c++17"}), IsEmpty());
  EXPECT_THAT(added({"-D", "N", "-std=c++20"}), IsEmpty());
  EXPECT_THAT(added({"-UN"}), ElementsAre("-std=c++20"));
}

TEST_F(BuildFilesOfBareSourcesIn, OtherCommandsStay) {
  folder.write("Makefile", "CFLAGS = -DN=8\nall: ; nvcc a.cu\n");
  EXPECT_THAT(added({}, /*isBare=*/false), IsEmpty());
  EXPECT_THAT(added({}, true, "a.ptx"), IsEmpty());
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(BuildFilesOfBareSourcesIn, CMakeSaysTheStandardWhereNoMakefileIs) {
  folder.write("CMakeLists.txt", "set(CMAKE_CUDA_STANDARD 20)\n");
  EXPECT_THAT(added(), ElementsAre("-std=c++20"));
  EXPECT_THAT(notes, IsEmpty()); // in each run of such a project
  EXPECT_THAT(added({"-std=c++17"}), IsEmpty());
}

TEST_F(BuildFilesOfBareSourcesIn, CMakeGivesFlagsWhereNoMakefileIs) {
  folder.write("shared/real.h", "");
  folder.write("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 20)\n"
                                 "add_library(t a.cu)\n"
                                 "target_include_directories(t PRIVATE shared)\n"
                                 "target_compile_definitions(t PUBLIC N=8)\n");
  const char *text = "#include <real.h>\n";
  EXPECT_THAT(
      added({}, true, "a.cu", text),
      ElementsAre("-std=c++20", "-DN=8", "-I" + folder / "shared"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("'-DN=8' and '-I"));
  EXPECT_THAT(notes[0], HasSubstr("CMakeLists.txt'; '-p BUILD'"));
  EXPECT_THAT(added({"-DN=16"}, true, "a.cu", text),
              ElementsAre("-std=c++20", "-I" + folder / "shared"));
  folder.write("Makefile", "CFLAGS = -DM=1\nall: ; nvcc a.cu\n");
  EXPECT_THAT(added(), ElementsAre("-DM=1"));
}

// Darknet has a "cuda.h": the toolkit's headers included it as theirs.
TEST_F(BuildFilesOfBareSourcesIn, AFolderThatHidesTheToolkitIsLeftOut) {
  folder.write("mine/cuda.h", "");
  folder.write("shared/real.h", "");
  folder.write("CMakeLists.txt", "include_directories(mine shared)\n");
  EXPECT_THAT(added({}, true, "a.cu",
                    "#include <real.h>\n#include \"cuda.h\"\n"),
              ElementsAre("-I" + folder / "shared"));
}

// A folder that no source needs is no line of each run.
TEST_F(BuildFilesOfBareSourcesIn, FoldersAreTakenForHeadersThatAreMissing) {
  folder.write("first/first.h", "#include \"second.h\"\n");
  folder.write("second/second.h", "");
  folder.write("Makefile", "CFLAGS = -Isecond -Ifirst -Ithird\n"
                           "all: ; nvcc $(CFLAGS) a.cu\n");
  EXPECT_THAT(added({}, true, "a.cu", "#include \"first.h\"\n"),
              ElementsAre("-I" + folder / "first", "-I" + folder / "second"));
  EXPECT_THAT(added({}, true, "b.cu", "#include <vector>\n"), IsEmpty());
  EXPECT_THAT(notes, IsEmpty());
}

// A kernel with a size of the command line was not read at all.
TEST_F(BuildFilesOfBareSourcesIn, AKernelWithASizeOfTheMakefileIsRead) {
  folder.write("Makefile", "NVCC_FLAGS = -DWIDTH=32 -Ishared\n"
                           "all: ; nvcc $(NVCC_FLAGS) b.cu\n");
  folder.write("shared/real.h", "using real = float;\n");
  folder.write("other/real.h", "using real = double;\n");
  folder.write("b.cu", "#include <real.h>\n"
                       "__global__ void k(real *p) {\n"
                       "  p[threadIdx.x * WIDTH] = 1;\n}\n");
  const Outcome run = runProgram({"check", "--no-judge", folder / "b.cu"});
  EXPECT_THAT(run.out, HasSubstr("touches 32 sectors"));
  EXPECT_THAT(run.out, HasSubstr("store of 'p[threadIdx.x * WIDTH]'"));
}
