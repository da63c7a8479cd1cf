// Mangled names of kernels, as nvcc 13.0 writes them, to names that users know.
#include "base/readable_name.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(ReadableName, AVariableOfAFunctionLosesTheFunction) {
  EXPECT_EQ(readableVariableName("_ZZ6kernelPfE4tile"), "tile");
  EXPECT_EQ(readableVariableName("table"), "table");
}

TEST(ReadableName, KeepsTemplateArgumentsWithoutParameters) {
  EXPECT_EQ(readableKernelName("_Z1kIfLi4EEvPT_"), "k<float, 4>");
  EXPECT_EQ(readableKernelName("_ZN2ns1kEPf"), "ns::k");
  EXPECT_EQ(readableKernelName("plain"), "plain");
}

TEST(ReadableName, OmitsFileHashes) {
  EXPECT_EQ(
      readableKernelName("_ZN33_GLOBAL__N__59ecf785_4_l_cu_plain6hiddenEPf"),
      "hidden");
  EXPECT_EQ(
      readableKernelName("__nv_static_25__324ca874_4_n_cu_18f5cf2a__Z4statPf"),
      "stat");
}

TEST(ReadableName, LambdasAreNumbered) {
  EXPECT_EQ(readableKernelName("_Z6launchIZ3runPfiEUliE_EvT_i"),
            "launch<run(float*, int)::lambda#1>");
  EXPECT_EQ(readableKernelName("_Z6launchIZ3runPfiEUliE0_EvT_i"),
            "launch<run(float*, int)::lambda#2>");
}

TEST(ReadableName, LambdasHaveFileAndLineWhereTheSourceIsKnown) {
  EXPECT_EQ(shortKernelName("launch<(lambda at /tmp/src/l.cu:8:25)>"),
            "launch<lambda at l.cu:8>");
}

TEST(ReadableName, NamesTheDispatchedKokkosFunctor) {
  EXPECT_EQ(readableKernelName(
                "_ZN6Kokkos4Impl33cuda_parallel_launch_local_memoryINS0_"
                "11ParallelForIZ4mainEUliE_NS_11RangePolicyIJNS_4CudaEEEES4_"
                "EEEEvT_"),
            "parallel_for(main::lambda#1)");
  EXPECT_EQ(
      shortKernelName("Kokkos::Impl::cuda_parallel_launch_constant_memory<"
                      "Kokkos::Impl::ParallelReduce<Kokkos::Impl::"
                      "CombinedFunctorReducer<Dot<double, 3>, Kokkos::Impl::F>,"
                      " Kokkos::RangePolicy<Kokkos::Cuda>, Kokkos::Cuda>>"),
      "parallel_reduce(Dot<double, 3>)");
}

// cuSZ's kernels have template arguments of type uint8_t.
TEST(ReadableName, CharactersAreNumbers) {
  EXPECT_EQ(withNumericCharacters(R"(k<Perf<'\b', ' '>, '\x80', '\0'>)"),
            "k<Perf<8, 32>, 128, 0>");
  EXPECT_EQ(withNumericCharacters(R"(k<'\'', '\\', 'a'>)"), "k<39, 92, 97>");
  for (const char *name : {"k<float>", "f()::'lambda'(int)", "'", "'\\", "'a"})
    EXPECT_EQ(withNumericCharacters(name), name);
}

TEST(ReadableName, AnUnmangledNameIsUnchanged) {
  for (const char *name :
       {"", "_Z", "_ZN", "_Z1kIfLi4EEvPT_\xff", "lambda at "})
    EXPECT_EQ(readableKernelName(name), name);
}

// Names of Kokkos Kernels have a thousand characters: a line of text is for
// people.
TEST(ReadableName, LongArgumentsAreLeftOutFirst) {
  const std::string name =
      "parallel_for(Impl::Spmv<Kokkos::Cuda, Crs<const double, int>, "
      "Kokkos::View<double *, Kokkos::LayoutLeft>>::Functor<true, false>)";
  EXPECT_EQ(abbreviatedName(name, 60),
            "parallel_for(Impl::Spmv<...>::Functor<true, false>)");
  EXPECT_EQ(abbreviatedName(name, 20),
            "parallel_for(Impl::Spmv<...>::Functor<...>)");
  EXPECT_EQ(abbreviatedName(name, name.size()), name);
  EXPECT_EQ(abbreviatedName(
                "k<policy<true, tuple<const float *>>, int, op<float>>", 34),
            "k<policy<...>, int, op<float>>");
  for (const char *whole : {"k", "", "a<", "operator>", "k<...>", "a->b<c>"})
    EXPECT_EQ(abbreviatedName(whole, 40), whole);
  EXPECT_EQ(abbreviatedName("k<...>", 1), "k<...>");
  EXPECT_EQ(abbreviatedName("operator><>", 1), "operator><>");
}
