// Names as nvcc 13.0 and Clang 22 print them for the same source. If two of
// them did not meet, a finding would stay unjudged though nvcc had compiled its
// kernel.
#include "base/kernel_name.h"
#include "base/readable_name.h"
#include "gtest/gtest.h"

using namespace warplint;

static void expectSame(llvm::StringRef nvcc, llvm::StringRef clang) {
  EXPECT_EQ(normalisedKernelName(nvcc), normalisedKernelName(clang))
      << nvcc.str() << " and " << clang.str();
}

TEST(KernelName, StaticKernelsMatch) {
  expectSame("_Z4statPf", "_ZL4statPf");
  expectSame("_ZN1N4Impl2inEPf", "_ZN1N4ImplL2inEPf");
  expectSame("_ZN1N2stIZ4hostPfEUlS1_E1_EEvS1_T_",
             "_ZN1NL2stIZ4hostPfEUlS1_E1_EEvS1_T_");
}

TEST(KernelName, AnonymousNamespacesMatch) {
  expectSame("_ZN36_GLOBAL__N__324ca874_4_n_cu_18f5cf2a4anonEPf",
             "_ZN12_GLOBAL__N_14anonEPf");
  expectSame("_ZN1N36_GLOBAL__N__324ca874_4_n_cu_18f5cf2a2atIN36_GLOBAL__N__"
             "324ca874_4_n_cu_18f5cf2a1FEEEvPfT_",
             "_ZN1N12_GLOBAL__N_12atIN12_GLOBAL__N_11FEEEvPfT_");
  expectSame("_ZN36_GLOBAL__N__324ca874_4_n_cu_18f5cf2a1Q4deepENS_1FEPf",
             "_ZN12_GLOBAL__N_11Q4deepENS_1FEPf");
}

TEST(KernelName, LambdasInStaticFunctionsMatch) {
  expectSame("_ZN1N2ntIZN34_INTERNAL_324ca874_4_n_cu_18f5cf2a5host2EPfEUlS2_E_"
             "EEvS2_T_",
             "_ZN1N2ntIZL5host2PfEUlS1_E_EEvS1_T_");
  expectSame("_Z2fpIXadL_ZN34_INTERNAL_324ca874_4_n_cu_18f5cf2a2sfEiEEEvPi",
             "_Z2fpIXadL_ZL2sfiEEEvPi");
}

// nvcc's "int..." stands for the pack: 70 kernels of moderngpu.
TEST(KernelName, ParameterPacksBesideALambdaMatch) {
  expectSame("_Z5applyIfZ5twiceIffiEvPT_T0_T1_EUliPfE_JS5_EEvS3_iDpS4_",
             "_Z5applyIfZ5twiceIffiEvPT_T0_T1_EUliPfE_JS5_EEvS3_iDpT1_");
  EXPECT_NE(normalisedKernelName(
                "_Z5applyIiZ5twiceIffiEvPT_T0_T1_EUliE_JEEvS3_iDpS4_"),
            normalisedKernelName(
                "_Z5applyIfZ5twiceIffiEvPT_T0_T1_EUliPfE_JS5_EEvS3_iDpT1_"));
}

TEST(KernelName, ParametersAroundALambdaMayDiffer) {
  expectSame("_Z5applyIiZN4WorkIifE2upIZ4hostIfEvPT_EUliE_PfEEiT_T0_EUliE_"
             "JEEvT0_iDpT1_",
             "_Z5applyIiZN4WorkIifE2upIZ4hostIfEvPT_EUliE_PfEEiS4_T0_EUliE_"
             "JEEvS8_iDpT1_");
}

TEST(KernelName, RelocatableBuildsMatchByTheWholeName) {
  expectSame("__nv_static_25__324ca874_4_n_cu_18f5cf2a__Z4statPf",
             "_ZL4statPf__intern__2aec12c8c621bf12");
  expectSame("__nv_static_25__324ca874_4_n_cu_18f5cf2a__ZN36_GLOBAL__N__"
             "324ca874_4_n_cu_18f5cf2a4anonEPf",
             "_ZN12_GLOBAL__N_14anonEPf__intern__2aec12c8c621bf12");
}

// Kokkos 3.4, for `__NVCC__` alone.
TEST(KernelName, KokkosReductionsMatch) {
  const char *nvcc =
      "_ZN6Kokkos4Impl33cuda_parallel_launch_local_memoryINS0_"
      "14ParallelReduceINS0_18CudaFunctorAdapterIZ3runNS_4ViewIPfJEEEiRfEUliS7_"
      "E_NS_11RangePolicyIJNS_4CudaEEEEfvEESB_NS_11InvalidTypeESA_EEEEvT_";
  expectSame(
      nvcc,
      "_ZN6Kokkos4ImplL33cuda_parallel_launch_local_memoryINS0_"
      "14ParallelReduceIZ3runNS_4ViewIPfJEEEiRfEUliS6_E_NS_11RangePolicyIJNS_"
      "4CudaEEEENS_11InvalidTypeES9_EEEEvT_");
  EXPECT_EQ(readableKernelName(nvcc),
            "parallel_reduce(run(Kokkos::View<float*>, int, "
            "float&)::lambda#1)");
}

TEST(KernelName, ClonesMatchTheirFunction) {
  expectSame("_Z6helperPfi$3", "_Z6helperPfi");
}

// Each architecture is compiled by itself, the source is read for one.
TEST(KernelName, ArchitectureNamespacesOfCubAndThrustMatch) {
  expectSame("_ZN3cub17CUB_300001_SM_8006detail11EmptyKernelIvEEvv",
             "_ZN3cub17CUB_300001_SM_9006detail11EmptyKernelIvEEvv");
  expectSame("_ZN3cub21CUB_300001_SM_800_9006detail11EmptyKernelIvEEvv",
             "_ZN3cub17CUB_300001_SM_9006detail11EmptyKernelIvEEvv");
  expectSame("_Z1kIN6thrust23THRUST_300001_SM_800_NS4lessEEvT_",
             "_Z1kIN6thrust23THRUST_300001_SM_900_NS4lessEEvT_");
  EXPECT_NE(normalisedKernelName("_ZN8A_SM_8001kEv"),
            normalisedKernelName("_ZN8A_SM_9001kEv"));
}

// nvcc's name is mangled, Clang's is not.
TEST(KernelName, StaticKernelsWithCLinkageMatch) {
  EXPECT_EQ(functionOfKey(normalisedKernelName("_Z7staticCPf")), "staticC");
  EXPECT_EQ(functionOfKey(normalisedKernelName(
                "__nv_static_25__324ca874_4_n_cu_18f5cf2a__Z7staticCPf")),
            "staticC");
  EXPECT_EQ(functionOfKey("plainC"), "plainC");
}

// std::conditional_t<D, std::conditional_t<std::is_same_v<T, float>, ..>, ..> *
TEST(KernelName, ParametersThatATemplateChoosesMatch) {
  expectSame("_Z1kILb1EfEvPNSt11conditionalIXT_ENS0_IL_ZSt9is_same_vEmjE4typeEf"
             "E4typeEPT0_",
             "_Z1kILb1EfEvPNSt11conditionalIXT_ENS0_IXsr3stdE9is_same_vIT0_fEE"
             "mjE4typeEfE4typeEPS1_");
  EXPECT_NE(normalisedKernelName("_Z2k2ILb1EfEvPNSt9enable_ifIL_ZSt9is_same_v"
                                 "ET0_E4typeEPS1_"),
            normalisedKernelName("_Z2k2ILb0EfEvPNSt9enable_ifIL_ZSt9is_same_v"
                                 "ET0_E4typeEPS1_"));
}

TEST(KernelName, DifferentKernelsDoNotMatch) {
  EXPECT_NE(normalisedKernelName("_Z4statPf"),
            normalisedKernelName("_Z4statPd"));
  EXPECT_NE(normalisedKernelName("_ZN1N2ntIZ4hostPfEUlS1_E_EEvS1_T_"),
            normalisedKernelName("_ZN1N2ntIZ4hostPfEUlS1_E0_EEvS1_T_"));
  EXPECT_NE(normalisedKernelName("_Z2tkILi64EEvPfPKii"),
            normalisedKernelName("_Z2tkILi8EEvPfPKii"));
  EXPECT_NE(normalisedKernelName("_ZN12_GLOBAL__N_14anonEPf"),
            normalisedKernelName("_Z4anonPf"));
}

TEST(KernelName, UnmangledNamesAreUnchanged) {
  EXPECT_EQ(normalisedKernelName("scatterPointsToVoxels"),
            "scatterPointsToVoxels");
  EXPECT_EQ(normalisedKernelName("my_INTERNAL_kernel"), "my_INTERNAL_kernel");
  EXPECT_EQ(normalisedKernelName("_Zbroken"), "_Zbroken");
  EXPECT_EQ(normalisedKernelName(""), "");
  EXPECT_EQ(normalisedKernelName("__nv_static_99_x"), "__nv_static_99_x");
}

TEST(KernelName, ShownNamesAreReadable) {
  EXPECT_EQ(readableKernelName("_ZN2ns6gatherIfLi4EEEvPfPKi"),
            "ns::gather<float, 4>");
  EXPECT_EQ(readableKernelName("__nv_static_25__324ca874_4_n_cu_18f5cf2a__"
                               "Z4statPf"),
            "stat");
  // Numba's versions of a function.
  EXPECT_EQ(readableKernelName("_ZN8__main__4axpyB2v1Ef"), "__main__::axpy");
  EXPECT_EQ(readableKernelName("add_kernel"), "add_kernel"); // Triton
  EXPECT_EQ(readableKernelName("_Zbroken"), "_Zbroken");
}

TEST(KernelName, InstancesDifferInAnArgument) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(differingParts({"k<4, 8>()", "k<4, 16>()"}), (Names{"8", "16"}));
  EXPECT_EQ(differingParts({"run<float>(float*)::'lambda'()",
                            "run<double>(double*)::'lambda'()"}),
            (Names{"float", "double"}));
  EXPECT_EQ(differingParts({"k<float>()", "k<float, 2>()"}),
            (Names{"float", "float, 2"}));
  // AthenaK's fluxes: "1>::'lambda1'" is half a name.
  EXPECT_EQ(differingParts({"run<flux<1>::'lambda'>()", "run<flux<1>::'lambda1'>()",
                            "run<flux<2>::'lambda'>()"}),
            (Names{"flux<1>::'lambda'", "flux<1>::'lambda1'", "flux<2>::'lambda'"}));
  EXPECT_EQ(differingParts({"k()"}), Names{""});
  EXPECT_EQ(differingParts({"k()", "k()"}), (Names{"", ""}));
}
