// The words of projects that say that CUDA is there: a project that compiles
// for a CPU as well hides its kernels behind one of them.
#include "input/cuda_switch.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(CudaSwitch, SaysThatCudaIsThere) {
  for (const char *macro :
       {"USE_CUDA", "HAVE_CUDA", "WITH_CUDA", "GPU", "CUDA", "CUDA_ENABLED",
        "USE_GPU", "HYPRE_USING_CUDA", "AMREX_USE_CUDA", "CT2_WITH_CUDA",
        "PETSC_HAVE_CUDA", "MFEM_USE_CUDA", "CUDA_FOUND", "ASTRA_BUILDING_CUDA",
        "GKO_COMPILING_CUDA", "CUDA_AVAILABLE", "_PORTABLE_USE_CUDA"})
    EXPECT_TRUE(isCudaSwitch(macro)) << macro;
}

// Defining one of these would read what nobody builds.
TEST(CudaSwitch, APartOfCudaIsNone) {
  for (const char *macro : {"",
                            "_",
                            "USE",
                            "__CUDACC__",
                            "__CUDA_ARCH__",
                            "USE_CUDA_GRAPHS",
                            "CUDA_VERSION",
                            "CUDA_DEBUG",
                            "DEBUG_CUDA",
                            "NO_CUDA",
                            "WITHOUT_GPU",
                            "DISABLE_CUDA",
                            "SKIP_CUDA",
                            "HAVE_NO_CUDA",
                            "USE_CUDA_UNIFIED_MEMORY",
                            "GPU_TIMING",
                            "USE_ROCM",
                            "USE_HIP",
                            "KOKKOS_ENABLE_CUDA",
                            "ENABLE_FP8",
                            "TEST_GPU",
                            "OPENCV_CUDA_DISABLER"})
    EXPECT_FALSE(isCudaSwitch(macro)) << macro;
}

TEST(CudaSwitch, TheOutermostConditionOfAllKernelsIsNamed) {
  EXPECT_EQ(conditionOfKernels("#ifdef USE_FP8 // only on Hopper\n"
                               "#if 1\n"
                               "__global__ void k() {}\n"
                               "#endif\n"
                               "#else\n"
                               "__global__ void k() {}\n"
                               "#endif\n"),
            "#ifdef USE_FP8 // only on Hopper");
  EXPECT_EQ(conditionOfKernels("#ifdef A\n__global__ void k() {}\n#endif\n"
                               "__global__ void f() {}\n"),
            "");
  EXPECT_EQ(conditionOfKernels("#ifdef A\n#endif\nint a;\n"), "");
  EXPECT_EQ(conditionOfKernels(""), "");
}

TEST(CudaSwitch, GuardsAndCommentsHideNothing) {
  EXPECT_EQ(conditionOfKernels("#ifndef A_CU\n#define A_CU\n"
                               "__global__ void k() {}\n#endif\n"),
            "");
  EXPECT_EQ(conditionOfKernels("#ifdef A\n// a __global__ function\n#endif\n"),
            "");
  EXPECT_EQ(conditionOfKernels("/* __global__ */\n#ifdef A\n"
                               "__global__ void k() {}\n#endif\n"),
            "#ifdef A");
}

TEST(CudaSwitch, AKernelOutsideOfConditionsIsCuda) {
  EXPECT_TRUE(hasKernels("#ifndef A\n__global__ void k() {}\n#endif\n"));
  EXPECT_FALSE(hasKernels("// __global__\n#define KERNEL __global__\n"));
  EXPECT_FALSE(hasKernels("#if A\n__global__ void k() {}\n#endif\n"));
  for (const char *asks : {"#ifdef USE_CUDA", "#  if defined(HEAT_ENABLE_CUDA)",
                           "#ifdef HEAT_CUDA"})
    EXPECT_TRUE(
        hasKernels(std::string(asks) + "\n__global__ void k() {}\n#endif\n"));
  for (const char *asks :
       {"#ifdef __CUDACC__", "#ifdef NO_CUDA", "#if USE_CUDA && A"})
    EXPECT_FALSE(
        hasKernels(std::string(asks) + "\n__global__ void k() {}\n#endif\n"));
  for (const char *hip :
       {"#include \"hip/hip_runtime.h\"\n",
        "#include \"gpu_utils/hip_utils.h\"\n", "void run(hipStream_t s);\n"})
    EXPECT_FALSE(hasKernels(hip + std::string("__global__ void k() {}\n")));
  EXPECT_TRUE(hasKernels("__global__ void ship_hippo() {}\n"));
  // MFEM's header of all its launches has both: no note told of its sources.
  EXPECT_TRUE(hasKernels("#if defined(HEAT_USE_CUDA) && defined(__CUDACC__)\n"
                         "__global__ void k() {}\n"
                         "#elif defined(HEAT_USE_HIP)\n"
                         "__global__ void l(hipStream_t s) {}\n#endif\n"));
  // 28 sources of Ginkgo, which CUDA and HIP share, were left out in silence.
  EXPECT_TRUE(hasKernels("#include \"common/cuda_hip/base/config.hpp\"\n"
                         "__global__ void k() {}\n"));
}

// matconvnet's headers stop where ENABLE_GPU is not defined: four of its
// sources were not read.
TEST(CudaSwitch, AnErrorAsksForItsMacro) {
  EXPECT_EQ(cudaSwitchesIn("#ifndef ENABLE_GPU\n#error \"no GPU\"\n#endif\n"),
            std::set<std::string>{"ENABLE_GPU"});
  EXPECT_EQ(cudaSwitchesIn("#ifndef ENABLE_GPU\nint a;\n#endif\n"),
            std::set<std::string>());
  EXPECT_EQ(cudaSwitchesIn("#ifdef ENABLE_CPU\n#error \"CUDA only\"\n#endif\n"),
            std::set<std::string>());
}

// Of abacus 20 sources of 59 were not read, of deepmd-kit none: the condition
// takes either platform, and says by the other one what it asks for.
TEST(CudaSwitch, BesideRocmCudaIsTaken) {
  auto switchesIn = [](llvm::StringRef condition) {
    return llvm::join(cudaSwitchesIn(condition.str() + "\nint a;\n#endif\n"),
                      " ");
  };
  EXPECT_EQ(switchesIn("#if GOOGLE_CUDA || TENSORFLOW_USE_ROCM"),
            "GOOGLE_CUDA");
  EXPECT_EQ(switchesIn("#if __CUDA || __UT_USE_CUDA || __ROCM"), "__CUDA");
  EXPECT_EQ(switchesIn("#if defined(__CUDACC__) || defined(__HIPCC__)"), "");
  EXPECT_EQ(switchesIn("#if defined(__CUDA__) || defined(__HIP__)"), "");
  EXPECT_EQ(switchesIn("#if KOKKOS_ENABLE_CUDA || KOKKOS_ENABLE_HIP"), "");
  EXPECT_EQ(switchesIn("#if TEST_CUDA && USE_HIP"), "");
  EXPECT_EQ(switchesIn("#if TEST_CUDA"), "") << "nothing says what it is";
}

// 14 sources of one project were not read: its name for CUDA says nothing by
// itself, and an #error says that it is one of two back ends.
TEST(CudaSwitch, OfSeveralBackEndsCudaIsTaken) {
  auto switchesIn = [](llvm::StringRef text) {
    return llvm::join(cudaSwitchesIn(text), " ");
  };
  EXPECT_EQ(switchesIn("#if defined(HEAT_CUDA)\n#include <a.h>\n"
                       "#elif defined(HEAT_ROCM)\n#include <b.h>\n"
                       "#else\n#error either of them is needed\n#endif\n"),
            "HEAT_CUDA");
  EXPECT_EQ(switchesIn("#if !defined(HEAT_OMP) && !defined HEAT_CUDA\n"
                       "#error no back end\n#endif\n"),
            "HEAT_CUDA");
  EXPECT_EQ(switchesIn("#ifdef HEAT_CUDA\n#elif defined(HEAT_OMP)\n#endif\n"),
            "")
      << "nothing says that one is needed";
  EXPECT_EQ(switchesIn("#ifdef HEAT_CUDA\n#elif defined(HEAT_HIP)\n#endif\n"),
            "HEAT_CUDA")
      << "a GPU runs it either way";
  EXPECT_EQ(switchesIn("#ifdef HEAT_CUDA\n#elif defined(STORM_HIP)\n#endif\n"),
            "");
  EXPECT_EQ(switchesIn("#if !defined(NO_CUDA) && !defined(HEAT_OMP)\n"
                       "#error\n#endif\n"),
            "");
  EXPECT_EQ(switchesIn("#if !defined(KOKKOS_ENABLE_CUDA) && !defined(HEAT)\n"
                       "#error\n#endif\n"),
            "");
}

TEST(CudaSwitch, TheMacrosThatAnErrorAsksForAreKnown) {
  auto asked = [](llvm::StringRef text) {
    const size_t line = text.take_front(text.find("#error")).count('\n') + 1;
    const WantedMacros wanted = macrosOfError(text, line);
    std::string names;
    for (const std::string &name : wanted.names)
      names += (names.empty() ? "" : wanted.isAny ? "|" : "&") + name;
    return names;
  };
  EXPECT_EQ(asked("#ifndef A // why\n#error no A\n#endif\n"), "A");
  EXPECT_EQ(asked("#if !defined(A) || !defined B\n#error\n#endif\n"), "A&B");
  EXPECT_EQ(asked("#if !defined(A) && !defined(B)\n#error\n#endif\n"), "A|B");
  EXPECT_EQ(asked("#ifdef A\n#ifdef C\n#endif\n#elif defined(B)\n"
                  "#else\n#error which\n#endif\n"),
            "A|B");
  EXPECT_EQ(asked("#ifdef A\n#error not with A\n#endif\n"), "");
  EXPECT_EQ(asked("#ifdef A\n#else\n#ifdef B\n#error\n#endif\n#endif\n"), "");
  EXPECT_EQ(asked("#ifndef __CUDACC__\n#error\n#endif\n"), "");
  EXPECT_EQ(asked("#if VERSION < 3\n#error\n#endif\n"), "");
  // hypre's configuration sets both: the first was 'HYPRE_USING_HOST_MEMORY'.
  EXPECT_EQ(asked("#if (WARP == 32)\n#elif (WARP == 64)\n"
                  "#else\n#error\n#endif\n"),
            "WARP=32|WARP=64");
  EXPECT_EQ(asked("#if defined(HOST_MEMORY)\n#elif defined(DEVICE_MEMORY)\n"
                  "#else\n#error\n#endif\n"),
            "DEVICE_MEMORY|HOST_MEMORY");
  EXPECT_EQ(asked("#if sizeof(int) == 4\n#else\n#error\n#endif\n"), "");
  EXPECT_EQ(asked("int a;\n"), "");
}

// A source whose kernels stand behind '#ifndef DISABLE_KOKKOS' had none.
TEST(CudaSwitch, WhatTurnsKokkosOffIsNoSwitch) {
  EXPECT_TRUE(isKokkosSwitch("SPARTA_KOKKOS"));
  for (const char *macro :
       {"DISABLE_KOKKOS", "WITHOUT_KOKKOS", "LMP_NO_KOKKOS"})
    EXPECT_FALSE(isKokkosSwitch(macro)) << macro;
}
