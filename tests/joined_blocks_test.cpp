// Lanes that take what blocks take now: fewer blocks.
#include "findings/joined_blocks.h"
#include "input_folder.h"
#include "program.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

// The result of each of a block's sums, where blocks are columns: with lanes
// along the columns, 256 blocks became 32, which left 100 SMs without work and
// took 2.7 times as long (H200).
TEST(JoinedBlocks, AreSharedWhereTheyLeaveSmsEmpty) {
  InputFolder folder;
  auto adviceFor = [&](const std::string &launch) {
    const std::string text =
        "__global__ void k(const float *in, float *out, int n, int columns) {\n"
        "  __shared__ float sums[32][32];\n"
        "  for (int m = 0; m < 32; ++m)\n"
        "    sums[threadIdx.x][m] = in[(m * n + blockIdx.x) * 32 + "
        "threadIdx.x];\n"
        "  __syncthreads();\n"
        "  float sum = 0;\n"
        "  for (int i = 0; i < 32; ++i)\n"
        "    sum += sums[i][threadIdx.x];\n"
        "  out[threadIdx.x * columns + blockIdx.x] = sum;\n"
        "}\n" +
        launch;
    return runProgram({"check", "--no-judge", "--no-cache", "--minor",
                       folder.write("a.cu", text)})
        .out;
  };
  const std::string few =
      adviceFor("void run(float *a, int n) { k<<<256, 32>>>(a, a, n, n); }\n");
  EXPECT_THAT(few, HasSubstr("let as many blocks as now share the rest of the "
                             "work, for 32 of 256 blocks would leave SMs"));
  EXPECT_THAT(adviceFor("void run(float *a, int n) { k<<<8192, 32>>>(a, a, n, "
                        "n); }\n"),
              HasSubstr("and lanes differ in threadIdx.x\n"));
  EXPECT_THAT(adviceFor(""), HasSubstr("a block does what 8 do now"));
}
