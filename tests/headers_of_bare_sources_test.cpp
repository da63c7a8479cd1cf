// A tree without a compile_commands.json is what everyone tries first: its
// headers are found where only one can be meant.
#include "program_runs.h"
#include "resource_sources.h"
#include "run/headers_of_bare_sources.h"

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class HeadersOfBareSourcesIn : public testing::Test {
protected:
  /// The folders that are added to the command of a source.
  std::vector<std::string> added(llvm::StringRef source, bool isBare = true) {
    Command command{folder / source,
                    folder.path,
                    {"nvcc", "-Iown", folder / source},
                    isBare,
                    /*isTrusted=*/true};
    headers.addTo(command, std::nullopt);
    EXPECT_EQ(command.arguments.back(), command.source);
    std::vector<std::string> folders;
    for (llvm::StringRef word : llvm::drop_begin(command.arguments, 2))
      if (word.consume_front("-I" + folder.path + "/"))
        folders.push_back(word.str());
    return folders;
  }

  InputFolder folder;
  const Buffers none;
  GraphOfThread graphs{none, {}};
  FilesOfProjects files;
  HeadersOfBareSources headers{graphs, files};
  std::vector<std::string> notes;
};

/// The flags that a source of a project without a build gets, and the notes.
struct Added {
  std::vector<std::string> arguments, notes;
};

Added addedTo(InputFolder &folder, const std::string &source,
              const std::optional<Toolkit> &toolkit = std::nullopt) {
  const Buffers none;
  GraphOfThread graphs{none, {}};
  FilesOfProjects files;
  HeadersOfBareSources headers(graphs, files, folder / "kept");
  Command command{folder / source,
                  folder.path,
                  {"nvcc", folder / source},
                  /*isBare=*/true};
  headers.addTo(command, toolkit);
  Added added{command.arguments, {}};
  headers.addNote(added.notes);
  return added;
}

} // namespace

TEST_F(HeadersOfBareSourcesIn, TheNearestFolderIsAdded) {
  folder.write("app/src/a.cu", "#include <heat/step.h>\n");
  folder.write("app/include/heat/step.h", "#include \"common.h\"\n");
  folder.write("app/shared/common.h");
  folder.write("other/include/heat/step.h");
  folder.write("other/shared/common.h");
  EXPECT_THAT(added("app/src/a.cu"), ElementsAre("app/include", "app/shared"))
      << "what a header needs is searched for, too";
  headers.addNote(notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("'heat/step.h' was taken from '"));
  EXPECT_THAT(notes[0], HasSubstr("'common.h' was taken from '"));
}

TEST_F(HeadersOfBareSourcesIn, OfTwoThatAreAsNearNoneIs) {
  folder.write("app/src/a.cu", "#include <step.h>\n");
  folder.write("app/one/step.h");
  folder.write("a/step.h"); // further up, whatever the order of the files
  folder.write("z/step.h");
  EXPECT_THAT(added("app/src/a.cu"), ElementsAre("app/one"));
  folder.write("app/two/step.h");
  FilesOfProjects now;
  HeadersOfBareSources again(graphs, now);
  Command command{folder / "app/src/a.cu",
                  folder.path,
                  {"nvcc", folder / "app/src/a.cu"},
                  /*isBare=*/true};
  again.addTo(command, std::nullopt);
  EXPECT_THAT(command.arguments, testing::SizeIs(2));
  again.addNote(notes);
  EXPECT_THAT(notes, IsEmpty());
}

// Some of these the project has as well, for another system: ccminer's
// stdbool.h makes an 'int' of each 'bool', and so another kernel of one with
// such an argument.
TEST_F(HeadersOfBareSourcesIn, WhatNeedsNoFlagIsNotSearchedFor) {
  folder.write("src/a.cu", "#include <string.h>\n#include <vector>\n"
                           "#include <stdbool.h>\n"
                           "#include \"beside.h\"\n#include <own.h>\n"
                           "#ifdef _WIN32\n#include <winsock.h>\n#endif\n");
  folder.write("src/beside.h");
  folder.write("own/own.h");
  for (const char *name :
       {"string.h", "vector", "beside.h", "winsock.h", "stdbool.h"})
    folder.write(std::string("compat/") + name);
  EXPECT_THAT(added("src/a.cu"), IsEmpty());
}

TEST_F(HeadersOfBareSourcesIn, ACommandOfABuildIsRight) {
  folder.write("src/a.cu", "#include <step.h>\n");
  folder.write("include/step.h");
  EXPECT_THAT(added("src/a.cu", /*isBare=*/false), IsEmpty());
}

TEST(HeadersOfBareSources, ATreeWithoutABuildIsReadWhole) {
  InputFolder folder;
  folder.write("src/a.cu", "#include <scale.h>\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[scale(threadIdx.x, n)] = 1;\n}\n");
  folder.write("include/scale.h",
               "__device__ inline int scale(int i, int n) { return i * n; }\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(outcome.out, HasSubstr("'scale.h' was taken from '"));
}

// The report of ESPResSo said that a build makes 'boost/version.hpp' of its own
// version.hpp.in.
TEST(HeadersOfBareSources, ATemplateMakesNoHeaderOfAnotherProject) {
  InputFolder folder;
  folder.write("src/a.cu", "#include <boost/version.hpp>\n"
                           "__global__ void k(float *p) { *p = 1; }\n");
  folder.write("config/version.hpp.in", "#define VERSION @VERSION@\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_THAT(outcome.out + outcome.err,
              testing::Not(HasSubstr("a build generates")));
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("boost/version.hpp"));
}

// sundials makes 'sundials/sundials_config.h' of 'sundials_config.in': no
// kernel of it was read.
TEST(HeadersOfBareSources, ATemplateMayLackTheHeadersExtension) {
  InputFolder folder;
  folder.write("src/a.cu", "#include <heat/config.h>\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[threadIdx.x * n + HEAT_MAJOR] = 1;\n}\n");
  folder.write("include/heat/config.in", "#define HEAT_MAJOR @MAJOR@\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("a build generates 'heat/config.h' from"));
  // A file of that name may be the input of a program.
  folder.write("include/heat/config.in", "nx = 100\n");
  EXPECT_THAT(checkOnly(folder / "src").out,
              testing::Not(HasSubstr("a build generates")));
}

// SPECFEM3D's config.h is generated from setup/config.h.in; the file of that name
// further away is a part of another program's Makefile.
TEST(HeadersOfBareSources, ATemplateThatIsNearerThanAFileCounts) {
  InputFolder folder;
  folder.write("src/gpu/a.cu", "#include \"config.h\"\n"
                               "__global__ void k(float *p, int n) {\n"
                               "  p[threadIdx.x * n] = 1;\n}\n");
  folder.write("setup/config.h.in", "#undef HAVE_MPI\n");
  const std::string other =
      folder.write("external/coupled/tools/config.h", "CC=icc\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("a build generates 'config.h' from"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("read in part")));
  std::filesystem::remove(other);
  folder.write("setup/config.h", "const int built = 1;\n");
  EXPECT_THAT(checkOnly(folder / "src").out,
              HasSubstr("'config.h' was taken from"))
      << "a build has made it";
}

// ccminer's compat/ has a configuration for Windows, and with it a 'time.h' and
// a 'stdint.h' that are no use elsewhere: nothing that includes it was read.
TEST(HeadersOfBareSources, AFolderHidesNoHeaderOfTheCLibrary) {
  InputFolder folder;
  folder.write("src/a.cu", "#include \"app_config.h\"\n#include <stdint.h>\n"
                           "__global__ void k(float *p, int32_t n) {\n"
                           "  p[threadIdx.x * n + OFFSET] = 1;\n}\n");
  folder.write("compat/app_config.h", "#include \"more.h\"\n");
  folder.write("compat/more.h", "#define OFFSET 1\n");
  folder.write("compat/stdint.h", "typedef __int64 int32_t;\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(outcome.out, HasSubstr("'app_config.h' was taken from '"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("read in part")));
}

// NCCL's sources were read with an earlier nccl.h of the machine. The copy of a
// library that the system has as well is not built for these sources.
TEST(HeadersOfBareSources, AGeneratedHeaderIsNotThatOfTheSystem) {
  InputFolder folder;
  folder.write("src/gpu/a.cu", "#include <heat.h>\n#include <gas.h>\n"
                               "#include <ice.h>\n");
  InputFolder installed;
  for (const char *name : {"heat.h", "gas.h", "ice.h"})
    installed.write(name);
  folder.write("src/heat.h.in", "#define HEAT_MAJOR ${heat:Major}\n");
  folder.write("src/README");
  folder.write("external/gas/gas.h.in", "#define GAS_MAJOR @MAJOR@\n");
  folder.write("external/gas/LICENSE.txt");
  folder.write("external/ice/ice.h");
  folder.write("external/ice/COPYING");
  Toolkit toolkit;
  toolkit.include = installed.path;
  const Added added = addedTo(folder, "src/gpu/a.cu", toolkit);
  EXPECT_THAT(added.notes, ElementsAre(HasSubstr("'heat.h' from")));
  ASSERT_THAT(added.arguments, testing::SizeIs(3));
  auto text = readText(added.arguments[1].substr(2) + "/heat.h", {});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->getBuffer().str(), "#line 1 \"" + (folder / "src/heat.h.in") +
                                         "\"\n#define HEAT_MAJOR 0\n");
}

// nvcc's message named a file of warplint's cache.
TEST(HeadersOfBareSources, AnErrorInAGeneratedHeaderNamesItsTemplate) {
  NEEDS_NVCC("what it says of the header");
  InputFolder folder;
  folder.write("src/a.cu", "#include <heat/config.h>\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[threadIdx.x * n] = 1;\n}\n");
  folder.write("include/heat/step.h");
  folder.write("cmake/config.h.in", "#define HEAT_MAJOR @MAJOR@\n"
                                    "#ifndef __clang__\n"
                                    "#error no such compiler\n#endif\n");
  const Outcome outcome = runProgram({"check", folder / "src"});
  EXPECT_THAT(outcome.out,
              HasSubstr("nvcc stopped at " + (folder / "cmake/config.h.in") +
                        ":3: "));
}

// NCCL's build copies doca-gpunetio/include/ to doca_gpunetio/.
TEST(HeadersOfBareSources, AHeaderThatABuildCopiesIsFound) {
  InputFolder folder;
  folder.write("src/a.cu", "#include \"heat_lib/scale.h\"\n"
                           "#include \"app/heat.h\"\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[scale(threadIdx.x, n)] = 1;\n}\n");
  folder.write("external/Heat-lib/include/scale.h", "#include \"unit.h\"\n");
  folder.write("external/Heat-lib/include/unit.h",
               "__device__ inline int scale(int i, int n) { return i * n; }\n");
  folder.write("other/heat.h", "#error of another library\n");
  const Outcome outcome = checkOnly(folder.path);
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(outcome.out, HasSubstr("'heat_lib/scale.h' was taken from '"));
  EXPECT_THAT(outcome.out, HasSubstr("'app/heat.h' file not found"));
}

// What is installed beside the generated header is of that version as well.
TEST(HeadersOfBareSources, HeadersOfOneLibraryAreOfOneVersion) {
  for (bool isGenerated : {true, false}) {
    InputFolder folder;
    folder.write("examples/a.cu", "#include <heat_device.h>\n");
    InputFolder installed;
    installed.write("heat_device.h");
    installed.write("heat.h");
    folder.write("src/include/heat_device.h");
    if (isGenerated)
      folder.write("src/heat.h.in");
    Toolkit toolkit;
    toolkit.include = installed.path;
    const Added added = addedTo(folder, "examples/a.cu", toolkit);
    EXPECT_EQ(
        llvm::is_contained(added.arguments, "-I" + (folder / "src/include")),
        isGenerated);
  }
}

// PCL's pcl_config.h: nothing that includes it was compiled, nor judged.
TEST(HeadersOfBareSources, AHeaderOfTheBuildIsMadeOfItsTemplate) {
  InputFolder folder;
  folder.write("src/a.cu", "#include <heat/config.h>\n"
                           "#ifndef HAVE_MPI\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[threadIdx.x * n + MAJOR] = 1;\n}\n"
                           "#endif\n");
  folder.write("include/heat/step.h");
  folder.write("cmake/config.h.in",
               "#cmakedefine HAVE_MPI\n#define MAJOR @MAJOR@\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(outcome.out, HasSubstr("a build generates 'heat/config.h' from"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("read in part")));
}

// GROMACS' template switches CUDA on or off; what stands behind was not looked
// for, and 299 of its kernels were not read.
TEST(HeadersOfBareSources, CudaIsSwitchedOnInATemplate) {
  InputFolder folder;
  folder.write("src/a.cu", "#include <heat/config.h>\n"
                           "#if HEAT_CUDA\n#include <heat/step.h>\n"
                           "#elif HEAT_HIP\n#else\n#error no GPU\n#endif\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[threadIdx.x * n + first] = 1;\n}\n");
  folder.write("include/heat/step.h", "constexpr int first = 3;\n");
  folder.write("cmake/config.h.in",
               "#cmakedefine01 HEAT_CUDA\n#cmakedefine01 HEAT_HIP\n"
               "#define HEAT_MAJOR 2\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("'-DHEAT_CUDA' was added"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("read in part")));
}

// None of SpFFT's findings could be judged for want of "spfft_export.h".
TEST(HeadersOfBareSources, AHeaderOfALibrarysVisibilityIsMade) {
  InputFolder folder;
  folder.write("CMakeLists.txt", "project(heat)\nadd_subdirectory(lib)\n");
  folder.write("lib/CMakeLists.txt",
               "add_library(heat heat.cu)\ngenerate_export_header(heat)\n");
  folder.write("lib/config.h.in", "#include \"heat/heat_export.h\"\n");
  folder.write("src/a.cu", "#include \"config.h\"\n"
                           "HEAT_EXPORT void run();\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[threadIdx.x * n] = 1;\n}\n");
  const Outcome outcome = checkOnly(folder.path);
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("read in part")));
  EXPECT_THAT(outcome.out, HasSubstr("and 1 more header"));
}

// Ginkgo has three of that name: none was taken, and 16 sources were not read.
TEST(HeadersOfBareSources, OfSeveralTemplatesTheOneInTheHeadersFolderIsTaken) {
  InputFolder folder;
  folder.write("src/a.cu", "#include <heat/config.h>\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[threadIdx.x * n + MAJOR] = 1;\n}\n");
  folder.write("include/heat/config.h.in", "#define MAJOR @MAJOR@\n");
  folder.write("include/heat/mpi/config.h.in", "#define MPI @MPI@\n");
  folder.write("data/config.h.in", "#define DATA @DATA@\n");
  const Outcome outcome = checkOnly(folder.path);
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(outcome.out, HasSubstr("include/heat/config.h.in"));
}

// MFEM's _config.hpp, which each of its sources includes, is made of
// config.hpp.in: none of them was read.
TEST(HeadersOfBareSources, ATemplateHasAnotherNameWhereCMakeConfiguresIt) {
  InputFolder folder;
  folder.write("CMakeLists.txt",
               "project(heat)\n"
               "configure_file(${PROJECT_SOURCE_DIR}/cmake/config.hpp.in\n"
               "               ${PROJECT_BINARY_DIR}/config/_config.hpp)\n"
               "add_subdirectory(solver)\n");
  folder.write("cmake/config.hpp.in", "#define MAJOR @MAJOR@\n");
  folder.write("solver/CMakeLists.txt", "configure_file(own.in solver/own.h)\n"
                                        "configure_file(${GONE} gone.h)\n"
                                        "configure_file(none.in none.h)\n");
  folder.write("solver/own.in", "#define OWN @OWN@\n");
  auto isMade = [&](const std::string &header) {
    folder.write("src/a.cu", "#include \"" + header + "\"\n");
    return addedTo(folder, "src/a.cu").arguments.size() > 2;
  };
  EXPECT_TRUE(isMade("_config.hpp"));
  EXPECT_TRUE(isMade("config/_config.hpp"));
  EXPECT_TRUE(isMade("solver/own.h"));
  EXPECT_FALSE(isMade("other/_config.hpp"));
  EXPECT_FALSE(isMade("gone.h"));
  EXPECT_FALSE(isMade("none.h"));
}

// stdgpu's sources include "stdgpu/BACKEND/platform.h": none could be linted.
TEST(HeadersOfBareSources, ATemplateHasTheValuesThatCMakeSets) {
  InputFolder folder;
  folder.write("CMakeLists.txt", "set(BACKEND \"HEAT_CUDA\")\n"
                                 "string(REPLACE \"HEAT_\" \"\" X ${BACKEND})\n"
                                 "string(TOLOWER ${X} DIRECTORY)\n");
  folder.write("include/heat/config.h.in", "#define DIRECTORY @DIRECTORY@\n");
  folder.write("include/heat/cuda/real.h", "using real = float;\n");
  folder.write("include/heat/step.h");
  folder.write("src/a.cu", "#include <heat/step.h>\n"
                           "#include <heat/config.h>\n"
                           "#define TEXT(name) #name\n"
                           "#define HEADER(folder) TEXT(heat/folder/real.h)\n"
                           "#include HEADER(DIRECTORY)\n"
                           "__global__ void k(real *p, int n) {\n"
                           "  p[threadIdx.x * n] = 1;\n}\n");
  const Outcome outcome = checkOnly(folder.path);
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
}

// The project's own <time.h> would hide the one that all others include.
TEST(HeadersOfBareSources, AHeaderOfTheCLibraryIsTheSystems) {
  InputFolder folder, installed;
  installed.write("heat.h");
  folder.write("src/time.h");
  folder.write("conf/heat.h.in");
  folder.write("kern/a.cu", "#include <time.h>\n");
  Toolkit toolkit;
  toolkit.include = installed.path;
  const Added added = addedTo(folder, "kern/a.cu", toolkit);
  EXPECT_THAT(added.arguments, testing::SizeIs(2));
}

TEST(HeadersOfBareSources, ANameThatLeadsElsewhereIsNotWritten) {
  InputFolder folder;
  folder.write("src/a.cu", "#include <../../out/config.h>\n");
  folder.write("config.h.in", "#define MAJOR @MAJOR@\n");
  const Added added = addedTo(folder, "src/a.cu");
  EXPECT_THAT(added.arguments, testing::SizeIs(2));
}

// A template has code where it is instantiated, and Clang stops instantiating
// behind a fatal error.
TEST(HeadersOfBareSources, ATemplateBehindAMissingHeaderIsRead) {
  InputFolder folder;
  const Outcome outcome = checkOnly(folder.write(
      "a.cu", "#include <nobody/has/this.h>\n"
              "template <class T> __global__ void k(T *p, int n) {\n"
              "  p[threadIdx.x * n] = 1;\n}\n"
              "template __global__ void k(float *, int);\n"));
  EXPECT_THAT(outcome.out, HasSubstr("read in part"));
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
}
