// Tests what the later version of a kernel pays more.
#include "findings/kernel_changes.h"
#include "read_text.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Reads a kernel of blocks of 256 threads with this body.
Kernel kernelOf(const std::string &body) {
  SourceModel model =
      readText("__global__ void k(float *y, const float *x, int n) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
               body + "\n}\n");
  EXPECT_EQ(model.kernels.size(), 1u);
  return model.kernels.empty() ? Kernel() : std::move(model.kernels[0]);
}

std::vector<std::string> grown(const std::string &before,
                               const std::string &after) {
  return whatGrew(kernelOf(before), kernelOf(after), 90);
}

} // namespace

// Without it a reviewer would not see which store the commit made slow.
TEST(KernelChanges, AnAccessThatStridesNowIsNamedWithItsSectors) {
  const auto grew = grown("const int j = i;\n y[j] = x[i];",
                          "const int j = i * 32;\n y[j] = x[i];");
  ASSERT_FALSE(grew.empty());
  EXPECT_EQ(grew[0], "store of 'y[j]': 4 -> 32 sectors per request");
}

TEST(KernelChanges, MovedLinesAndFasterCodeAreNoGrowth) {
  EXPECT_THAT(grown("y[i] = x[i];", "\n\n  // moved\n  y[i] = x[i];"),
              IsEmpty());
  EXPECT_THAT(grown("y[i * 32] = sinf(x[i]);", "y[i] = x[i];"),
              testing::Not(testing::Contains(HasSubstr("y[i * 32]"))));
}

// An access that was not there before costs all that it moves.
TEST(KernelChanges, ANewAccessGrowsFromNothing) {
  EXPECT_THAT(grown("y[i] = x[i];", "y[i] = x[i] + x[i + n];"),
              testing::Contains("load of 'x[i + n]': 0 -> 4 sectors per "
                                "request"));
}

// The commit wrote the index another way: its request did not begin from
// nothing.
TEST(KernelChanges, AnAccessThatIsWrittenAnotherWayIsComparedWithItself) {
  EXPECT_THAT(grown("y[i] = x[i];", "y[i * 32] = x[i];"),
              testing::Contains("store of 'y[i * 32]', once 'y[i]': 4 -> 32 "
                                "sectors per request"));
  EXPECT_THAT(grown("y[i] = x[i] + x[i + n];",
                    "const int j = i;\n y[i] = x[j] + x[j * 32 + n];"),
              testing::Contains("load of 'x[j * 32 + n]', once 'x[i + n]': "
                                "4 -> 32 sectors per request"));
  EXPECT_THAT(grown("y[i * 32] = x[i];", "const int j = i * 32;\n"
                                         "y[j] = x[i];"),
              IsEmpty());
}

// Two came for one that went: which of them it was is unknown.
TEST(KernelChanges, AnAccessOfWhichTwoAreMadeIsNoOtherOne) {
  EXPECT_THAT(grown("y[i] = x[i];", "y[i] = x[2 * i] + x[2 * i + n];"),
              testing::Contains(HasSubstr("load of 'x[2 * i]': 0 -> ")));
}

TEST(KernelChanges, ConflictsAreOfSharedMemory) {
  const std::string tile = "__shared__ float t[1024];\n"
                           "t[threadIdx.x] = x[i];\n__syncthreads();\n"
                           "const int j = threadIdx.x";
  EXPECT_THAT(
      grown(tile + ";\n y[i] = t[j];", tile + " % 32 * 32;\n y[i] = t[j];"),
      testing::Contains("load of 't[j]': 1 -> 32 conflict ways"));
}

// One literal without 'f' moves the arithmetic to another pipe.
TEST(KernelChanges, PipesThatAWarpUsesMoreAreNamed) {
  EXPECT_THAT(
      grown("y[i] = x[i] * 0.1f;", "y[i] = x[i] * 0.1;"),
      testing::Contains(HasSubstr("FP64 instructions of a warp: 0 -> ")));
  EXPECT_THAT(grown("y[i] = x[i];", "y[i] = rsqrtf(x[i]);"),
              testing::Contains(HasSubstr("special functions of a warp: ")));
}
