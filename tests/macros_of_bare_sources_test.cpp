// LightGBM keeps its kernels behind `#ifdef USE_CUDA`: "no kernels in 15
// sources" was all that was said of them.
#include "added_flags.h"
#include "program_runs.h"
#include "run/macros_of_bare_sources.h"

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

class MacrosOfBareSourcesIn : public testing::Test {
protected:
  /// What is added to the command of "a.cu", which has the further `flags`.
  std::vector<std::string> added(llvm::StringRef text,
                                 std::vector<std::string> flags = {},
                                 bool isBare = true,
                                 llvm::StringRef name = "a.cu") {
    const std::string source = folder.write(name, text);
    GraphOfThread graphs{none, {}};
    MacrosOfBareSources macros(graphs);
    const auto words = addedBy(macros, folder, source, flags, isBare);
    notes.clear();
    macros.addNote(notes);
    return words;
  }

  InputFolder folder;
  const Buffers none;
  std::vector<std::string> notes;
};

} // namespace

TEST_F(MacrosOfBareSourcesIn, WhatAsksForCudaIsDefined) {
  EXPECT_THAT(added("#ifdef USE_CUDA\n#endif\n"), ElementsAre("-DUSE_CUDA"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("'-DUSE_CUDA' was added for 1 source"));
  EXPECT_THAT(added("#if defined(HAVE_CUDA) && !defined(PLAIN)\n#endif\n"),
              ElementsAre("-DHAVE_CUDA"));
  EXPECT_THAT(added("#if USE_ROCM\n#elif USE_GPU\n#endif\n"),
              ElementsAre("-DUSE_GPU"));
  folder.write("tree.h", "#pragma once\n#ifdef GPU\nvoid push();\n#endif\n");
  EXPECT_THAT(added("#include \"tree.h\"\n"), ElementsAre("-DGPU"))
      << "darknet's headers ask";
  EXPECT_THAT(added("", {"-include", folder / "tree.h"}), ElementsAre("-DGPU"))
      << "SPECFEM3D's kernels include nothing, and its build does";
}

// SPARTA includes Kokkos behind '#ifdef SPARTA_KOKKOS' as well: none of its 67
// sources was read.
TEST_F(MacrosOfBareSourcesIn, ASourceOfKokkosIsBuiltWithIt) {
  const char *asks = "#include <Kokkos_Core.hpp>\n"
                     "#ifdef SPARTA_KOKKOS\n#endif\n"
                     "#ifdef KOKKOS_HAVE_KOKKOS\n#endif\n"
                     "#ifdef USE_CUDA\n#endif\n";
  EXPECT_THAT(added(asks, {"-x", "cu"}, true, "a.cpp"),
              UnorderedElementsAre("-DSPARTA_KOKKOS", "-DUSE_CUDA"));
  EXPECT_THAT(added(asks), ElementsAre("-DUSE_CUDA"))
      << "a CUDA source may do without";
  // RAJAPerf's CUDA variants share headers with those of Kokkos.
  EXPECT_THAT(added("#ifdef RUN_KOKKOS\n#include <Kokkos_Core.hpp>\n#endif\n",
                    {"-x", "cu"}, true, "a.cpp"),
              IsEmpty());
}

TEST_F(MacrosOfBareSourcesIn, WhatSomebodyDecidedStays) {
  const char *asks = "#ifdef USE_CUDA\n#endif\n";
  EXPECT_THAT(added(asks, {"-DUSE_CUDA=1"}), IsEmpty());
  EXPECT_THAT(added(asks, {"-UUSE_CUDA"}), IsEmpty());
  EXPECT_THAT(added(asks, {"-D", "USE_CUDA"}), IsEmpty());
  EXPECT_THAT(added(asks, {}, /*isBare=*/false), IsEmpty());
  folder.write("config.h", "#define USE_CUDA 0\n");
  EXPECT_THAT(added(("#include \"config.h\"\n" + std::string(asks)).c_str()),
              IsEmpty());
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(MacrosOfBareSourcesIn, WhatIsAskedOtherwiseIsNotDefined) {
  for (const char *text :
       {"#ifndef USE_CUDA\n#endif\n", "#if !defined(USE_CUDA)\n#endif\n",
        "#if USE_CUDA == 0\n#endif\n", "#ifdef USE_CUDA_GRAPHS\n#endif\n",
        "#ifdef __CUDACC__\n#endif\n", "// #ifdef USE_CUDA\n"})
    EXPECT_THAT(added(text), IsEmpty()) << text;
}

// USE_GPU is OpenCL there.
TEST_F(MacrosOfBareSourcesIn, ANameWithCudaIsMeantBeforeOneWithGpu) {
  EXPECT_THAT(added("#ifdef USE_GPU\n#endif\n#ifdef USE_CUDA\n#endif\n"),
              ElementsAre("-DUSE_CUDA"));
}

// A header made of a template with '#cmakedefine01 HEAT_GPU_CUDA' switched CUDA
// off for all sources of a project: 299 kernels were not read.
TEST_F(MacrosOfBareSourcesIn, ADefaultOfZeroIsLeftToTheFlags) {
  const std::string off = "#ifndef HEAT_GPU_CUDA\n#define HEAT_GPU_CUDA 0\n"
                          "#endif\n";
  folder.write("config.h", off + "#ifndef HEAT_GPU\n#define HEAT_GPU 0\n"
                                 "#endif\n");
  const char *asks = "#include \"config.h\"\n"
                     "#if HEAT_GPU_CUDA\n#elif HEAT_GPU_HIP\n#endif\n";
  EXPECT_THAT(added(asks), ElementsAre("-DHEAT_GPU", "-DHEAT_GPU_CUDA"));
  folder.write("config.h", off + "#define HEAT_GPU 0\n");
  EXPECT_THAT(added(asks), ElementsAre("-DHEAT_GPU_CUDA"));
  folder.write("config.h", "#define HEAT_MPI 0\n#ifndef HEAT_GPU_CUDA\n"
                           "#define HEAT_GPU_CUDA 1\n#endif\n");
  EXPECT_THAT(added(asks), IsEmpty());
}

TEST(MacrosOfBareSources, KernelsBehindASwitchAreRead) {
  InputFolder folder;
  folder.write("src/a.cu", "#ifdef USE_CUDA\n"
                           "#include <heat/step.h>\n"
                           "__global__ void k(float *p, int n) {\n"
                           "  p[threadIdx.x * n + first] = 1;\n}\n"
                           "#endif\n");
  folder.write("include/heat/step.h", "constexpr int first = 3;\n");
  const Outcome outcome = checkOnly(folder / "src");
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
  EXPECT_THAT(outcome.out, HasSubstr("'-DUSE_CUDA' was added"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("read in part")))
      << "a header behind the switch is searched for, too";
}

// cuCollections is not read otherwise.
TEST(MacrosOfBareSources, ASourceThatDemandsLambdasForTheDeviceIsRead) {
  InputFolder folder;
  folder.write("a.cu", "#ifndef __CUDACC_EXTENDED_LAMBDA__\n"
                       "#error \"--extended-lambda is required\"\n"
                       "#endif\n"
                       "__global__ void k(float *p, int n) {\n"
                       "  p[threadIdx.x * n] = 1;\n}\n");
  const Outcome outcome = checkOnly(folder / "a.cu");
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("strided-global-access"));
}

// Whether anybody wants them, nobody knows; that they are there is said.
TEST(MacrosOfBareSources, KernelsBehindAnotherConditionAreNoted) {
  InputFolder folder;
  folder.write("a.cu", "#ifdef USE_FP8\n__global__ void k() {}\n#endif\n");
  folder.write("b.cu", "#if 0\n__global__ void k() {}\n#endif\n");
  const Outcome outcome = checkOnly(folder.path);
  EXPECT_THAT(outcome.out, HasSubstr("no kernels in 2 sources"));
  EXPECT_THAT(outcome.out,
              HasSubstr("the kernels of a.cu lie behind '#ifdef USE_FP8', and "
                        "those of 1 more source behind conditions that no flag "
                        "meets"));
}

// "cannot be compiled without a back end" names no macro to define.
TEST(MacrosOfBareSources, WhatAnErrorAsksForIsNoted) {
  InputFolder folder;
  folder.write("a.cu", "#include \"backend.h\"\n__global__ void k() {}\n");
  folder.write("b.cu", "#include \"backend.h\"\n__global__ void k() {}\n");
  folder.write("backend.h", "#pragma once\n#ifndef BACKEND\n"
                            "#error \"no back end\"\n#endif\n");
  const Outcome outcome = checkOnly(folder.path);
  EXPECT_THAT(outcome.out,
              HasSubstr("note: the #error at backend.h:3 asks for 'BACKEND': "
                        "'-- -DBACKEND' defines it"));
  folder.write("backend.h", "#pragma once\n#ifdef FIELD_A\n"
                            "#elif defined(FIELD_B)\n#else\n"
                            "#error \"no field\"\n#endif\n");
  EXPECT_THAT(checkOnly(folder.path).out,
              HasSubstr("asks for 'FIELD_A' or 'FIELD_B': '-- -DFIELD_A' "
                        "defines the first"));
  // LULESH: '-DUSE_MPI' asks for MPI's headers, and each folder has a copy.
  const std::string both = "#ifndef USE_MPI\n"
                           "#error \"specify USE_MPI=0 or USE_MPI=1\"\n"
                           "#endif\n";
  folder.write("backend.h", both);
  folder.write("b.cu", both + "__global__ void k() {}\n");
  const std::string out = checkOnly(folder.path).out;
  EXPECT_THAT(out,
              HasSubstr("asks for 'USE_MPI': '-- -DUSE_MPI=0' defines it"));
  EXPECT_EQ(llvm::StringRef(out).count("asks for 'USE_MPI'"), 1u) << out;
  // Behind an error that comes before it.
  folder.write("b.cu", "#include \"none.h\"\n"
                       "__global__ void k() {\n#ifndef STEP\n"
                       "#error \"no step\"\n#endif\n}\n");
  EXPECT_THAT(checkOnly(folder.path).out,
              HasSubstr("the #error at b.cu:4 asks for 'STEP'"));
}
