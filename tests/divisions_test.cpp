// Divisions of kernels as users write them: the reasons that one could be
// cheaper.
#include "cost/divisions.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

bool hasSharedDivisor = false; ///< of the last one

/// "invariant wide uniform": the reasons of the only division of a kernel.
/// `isDispatched`: its outermost loop is a library's.
std::string reasons(const std::string &body, bool isDispatched = false) {
  SourceModel model = readText(
      "__device__ int lock;\n"
      "namespace deep { __device__ int table[8]; }\n"
      "__global__ void k(int *out, const int *in, const int *size, int n,\n"
      "                  int width, long long longWidth) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
      body + "}\n");
  std::string text;
  Kernel &kernel = model.kernels.at(0);
  for (Loop &loop : kernel.loops)
    loop.inLibrary = isDispatched && !loop.parent;
  for (const Computation &operation : kernel.operations)
    if (const auto division = costlyDivision(kernel, operation)) {
      text += division->isInvariant ? " invariant" : "";
      text += division->isWide ? " wide" : "";
      text += division->isUniform ? " uniform" : "";
      text += division->isByPowerOfTwo ? " power-of-two" : "";
      hasSharedDivisor = division->isByShared;
    }
  return text.empty() ? "none" : text.substr(1);
}

} // namespace

TEST(Divisions, ADivisorOfAllThreadsIsUniform) {
  EXPECT_EQ(reasons("  out[i / width] = 1;\n"), "uniform");
  EXPECT_EQ(reasons("  out[i / *size] = 1;\n"), "uniform");
  EXPECT_EQ(reasons("  out[i % gridDim.x] = 1;\n"), "uniform");
  EXPECT_EQ(reasons("  out[i / in[i]] = 1;\n"), "none");
  EXPECT_EQ(reasons("  out[n / (threadIdx.x + 1)] = 1;\n"), "none");
}

// A value that the kernel writes may differ from one block to the next.
TEST(Divisions, ADivisorThatTheKernelWritesIsNotUniform) {
  EXPECT_EQ(reasons("  out[i] = 1;\n  out[i / out[7]] = 2;\n"), "none");
  EXPECT_EQ(reasons("  out[i / deep::table[7]] = 2;\n"), "uniform");
  EXPECT_EQ(reasons("  deep::table[i] = 1;\n"
                    "  out[i / deep::table[7]] = 2;\n"),
            "none");
}

TEST(Divisions, ADivisorThatStaysTheSameInTheLoopIsInvariant) {
  EXPECT_EQ(reasons("  int d = in[i];\n"
                    "  for (int j = 0; j < n; ++j) out[j] = (j + i) / d;\n"),
            "invariant");
  EXPECT_EQ(reasons("  for (int j = 0; j < n; ++j) out[j] = i / in[j];\n"),
            "none");
}

// Kokkos' RangePolicy has a loop over the grid around each functor, with one
// iteration as a rule: 'idx / nkji' of AthenaK was "in every iteration of the
// loop at Kokkos_Cuda_KernelLaunch.hpp:121".
TEST(Divisions, TheLoopOfALibrarysDispatchIsNone) {
  const std::string once = "  for (int j = i; j < n; j += 1024)\n"
                           "    out[j / width] = 1;\n";
  EXPECT_EQ(reasons(once), "invariant uniform");
  EXPECT_EQ(reasons(once, /*isDispatched=*/true), "uniform");
  EXPECT_EQ(reasons("  for (int j = i; j < n; j += 1024)\n"
                    "    for (int l = 0; l < n; ++l)\n"
                    "      out[l + j * n] = (l + j) / width;\n",
                    /*isDispatched=*/true),
            "invariant uniform");
}

// What a loop loads is no index, but the divisor may still be an argument: to be
// told that each thread has its own would mislead.
TEST(Divisions, ADivisorOfAllThreadsMayDivideData) {
  EXPECT_EQ(reasons("  int s = 0;\n"
                    "  for (int j = 0; j < n; ++j) s += (in[j] + 5) / width;\n"
                    "  out[i] = s;\n"),
            "invariant");
  EXPECT_TRUE(hasSharedDivisor);
  EXPECT_EQ(reasons("  int s = 0, d = in[i];\n"
                    "  for (int j = 0; j < n; ++j) s += (in[j] + 5) / d;\n"
                    "  out[i] = s;\n"),
            "invariant");
  EXPECT_FALSE(hasSharedDivisor);
}

TEST(Divisions, ADivisionInSixtyFourBitsOfNarrowValuesIsWide) {
  EXPECT_EQ(reasons("  out[(long long)i / in[i]] = 1;\n"), "wide");
  EXPECT_EQ(reasons("  out[i / longWidth] = 1;\n"), "uniform");
}

TEST(Divisions, AKnownDivisorIsNone) {
  EXPECT_EQ(reasons("  out[i / 12] = 1;\n"), "none");
}

// Steps of a transform, a scan, a bitonic sort: 'half' is 1, 2, 4, ...
TEST(Divisions, AStepThatALoopDoublesIsAPowerOfTwo) {
  EXPECT_EQ(reasons("  for (int half = 1; half < n; half <<= 1)\n"
                    "    out[i % half] = half;\n"),
            "power-of-two");
  EXPECT_EQ(reasons("  for (int half = 1; half < n; half *= 2)\n"
                    "    out[i / (2 * half)] = half;\n"),
            "power-of-two");
  EXPECT_EQ(reasons("  for (int step = 512; step > 0; step /= 2)\n"
                    "    out[i / step] = step;\n"),
            "power-of-two");
  EXPECT_EQ(reasons("  for (int step = 1; step < n; step *= 3)\n"
                    "    out[i / step] = step;\n"),
            "none");
  EXPECT_EQ(reasons("  for (int step = n; step > 0; step /= 2)\n"
                    "    out[i / step] = step;\n"),
            "none");
}
