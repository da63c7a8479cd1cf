// The padding that a bank conflict's fix names: the best over all accesses to
// the array, not a habit.
#include "cost/padding.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

struct PaddingOf : testing::Test {
  SourceModel model;

  /// For the first access to shared memory.
  std::optional<Padding> read(const std::string &text) {
    model = readText(text);
    const CostedKernel kernel = costed(model.kernels.at(0));
    for (unsigned i = 0; i < kernel.kernel.accesses.size(); ++i)
      if (kernel.kernel.accesses[i].space == Space::Shared)
        return bestPadding(kernel, kernel.shapes[0], i);
    return std::nullopt;
  }
};

std::string transpose(const char *type, const char *extents) {
  return std::string("__global__ void k(const ") + type + " *in, " + type +
         " *out) {\n  __shared__ " + type + " t" + extents +
         ";\n"
         "  t[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];\n"
         "  __syncthreads();\n"
         "  out[threadIdx.y * 32 + threadIdx.x] = "
         "t[threadIdx.x][threadIdx.y];\n"
         "}\n"
         "int main() { k<<<1, dim3(32, 32)>>>(0, 0); }\n";
}

} // namespace

TEST_F(PaddingOf, AColumnWantsOneElementMore) {
  const auto padding = read(transpose("float", "[32][32]"));
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->elements, 1u);
  EXPECT_EQ(padding->extent, 33u);
  EXPECT_EQ(padding->after, 2);
  EXPECT_EQ(padding->before, 33);
}

TEST_F(PaddingOf, DoublesAreServedByHalfWarps) {
  const auto padding = read(transpose("double", "[32][32]"));
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->extent, 33u);
  EXPECT_EQ(padding->after, 2);
}

// MFEM keeps two matrices in `BG[2][196]`: one element more between them leaves
// the columns of each where they are.
TEST_F(PaddingOf, TheRowsOfAMatrixInARowAreNotPadded) {
  EXPECT_FALSE(read("__global__ void k(float *out, int n) {\n"
                    "  __shared__ float t[2][1024];\n"
                    "  out[threadIdx.x] = t[0][threadIdx.x * n];\n"
                    "}\n"
                    "void f(int n) { k<<<1, 32>>>(0, n); }\n"));
}

// A warp that reads 4 rows of 8 elements: one more leaves conflicts.
TEST_F(PaddingOf, SeveralRowsWantMoreThanOneElement) {
  const auto padding =
      read("__global__ void k(float *out) {\n"
           "  __shared__ float t[32][32];\n"
           "  t[threadIdx.y][threadIdx.x] = out[threadIdx.x];\n"
           "  __syncthreads();\n"
           "  out[threadIdx.x] = t[threadIdx.x / 8][threadIdx.x % 8];\n"
           "}\n"
           "int main() { k<<<1, dim3(32, 8)>>>(0); }\n");
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->elements, 8u);
  EXPECT_EQ(padding->after, 2);
}

// With one element more, the column takes one wavefront and the store two; with
// two elements it is the other way round, and the store is no worse than
// before.
TEST_F(PaddingOf, NoAccessIsMadeWorseIfThatCanBe) {
  const auto padding = read("__global__ void k(const float *in, float *out) {\n"
                            "  __shared__ float t[32][32];\n"
                            "  int x = threadIdx.x;\n"
                            "  t[x / 16][2 * (x % 16) + x / 16] = in[x];\n"
                            "  __syncthreads();\n"
                            "  out[x] = t[x][0];\n"
                            "}\n"
                            "int main() { k<<<1, 32>>>(0, 0); }\n");
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->elements, 2u);
  EXPECT_EQ(padding->after, 3);
}

TEST_F(PaddingOf, WideElementsStayAligned) {
  const auto padding = read(transpose("float4", "[32][32]"));
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->extent, 33u);
}

// The compiler joins four neighbours of a row, if rows are aligned to 16 bytes.
TEST_F(PaddingOf, JoinedInstructionsStayWhole) {
  const auto padding =
      read("__global__ void k(const float *in, float *out) {\n"
           "  __shared__ float t[32][16];\n"
           "  for (int k = 0; k < 16; ++k)\n"
           "    t[threadIdx.x][k] = in[k * 32 + threadIdx.x];\n"
           "  __syncthreads();\n"
           "  float sum = 0;\n"
           "  for (int k = 0; k < 16; ++k) sum += t[threadIdx.x][k];\n"
           "  out[threadIdx.x] = sum;\n"
           "}\n"
           "int main() { k<<<1, 32>>>(0, 0); }\n");
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->elements, 4u);
}

TEST_F(PaddingOf, NothingIsSaidOfWhatPaddingMayBreak) {
  EXPECT_FALSE(read(transpose("float", "[32][33]")));  // nothing to save
  EXPECT_FALSE(read(transpose("float", "[380][32]"))); // exceeds 48 KiB
  EXPECT_FALSE(read("__global__ void k(float *out, const int *at) {\n"
                    "  __shared__ float t[32][32];\n"
                    "  t[threadIdx.x][0] = 1;\n"
                    "  out[threadIdx.x] = t[at[threadIdx.x]][threadIdx.x];\n"
                    "}\n"));
}

// Rows that the index makes of an array of one extent are padded there.
TEST_F(PaddingOf, RowsOfAFlatArrayWantOneElementMore) {
  const auto padding =
      read("__global__ void k(float *out) {\n"
           "  __shared__ float t[16 * 128];\n"
           "  float sum = 0;\n"
           "  for (int d = 0; d < 128; d++) sum += t[threadIdx.x * 128 + d];\n"
           "  out[threadIdx.x] = sum;\n"
           "}\n"
           "int main() { k<<<1, dim3(16, 16)>>>(0); }\n");
  ASSERT_TRUE(padding);
  EXPECT_TRUE(padding->isByIndex);
  EXPECT_EQ(padding->extent, 129u);
}

// Reversed bits: lane 1 is half the array away, and lane 2 a quarter.
TEST_F(PaddingOf, APermutationHasNoRows) {
  EXPECT_FALSE(read("__global__ void k(float *out) {\n"
                    "  __shared__ float t[512];\n"
                    "  t[__brev(threadIdx.x) >> 24] = out[threadIdx.x];\n"
                    "  __syncthreads();\n"
                    "  out[threadIdx.x] = t[threadIdx.x];\n"
                    "}\n"
                    "int main() { k<<<1, 256>>>(0); }\n"));
}

// A stride that makes no rows of the array has another remedy.
TEST_F(PaddingOf, AStrideIsNoRow) {
  EXPECT_FALSE(read("__global__ void k(float *out) {\n"
                    "  __shared__ float t[1024];\n"
                    "  t[threadIdx.x * 4] = out[threadIdx.x];\n"
                    "  __syncthreads();\n"
                    "  out[threadIdx.x] = t[threadIdx.x];\n"
                    "}\n"
                    "int main() { k<<<1, 256>>>(0); }\n"));
}
