// The block of a kernel that nothing in the source launches.
#include "cost/assumed_block.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

std::string blockOf(const std::string &body,
                    const std::string &arguments = "float *a, int n") {
  const SourceModel model = readText("#define TILE 16\n__global__ void k(" +
                                     arguments + ") {\n" + body + "\n}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  const KernelShape &shape = model.kernels.at(0).shapes.at(0);
  EXPECT_EQ(shape.source, ShapeSource::Assumed);
  return shape.shape.text();
}

} // namespace

TEST(AssumedBlock, ARowWhereOnlyXIsAnIndex) {
  EXPECT_EQ(blockOf("a[blockIdx.x * blockDim.x + threadIdx.x] = n;"),
            "256x1x1");
  EXPECT_EQ(blockOf("a[blockIdx.y * n + threadIdx.x] = n;"), "256x1x1")
      << "a grid of two dimensions";
}

// A warp of 256x1x1 has one row: bank conflicts of a tile were not seen.
TEST(AssumedBlock, HasRowsWhereYIsAnIndex) {
  EXPECT_EQ(blockOf("int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                    "if (x < n && y < n) a[y * n + x] = 1;"),
            "32x8x1");
  EXPECT_EQ(blockOf("int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;\n"
                    "a[(z * n + y) * n + x] = 1;"),
            "32x4x2");
}

// A rasterizer's tiles of 16x16 were taken to be 32x4x2, since the rank of a
// thread, as cooperative groups compute it, has the index of a plane.
TEST(AssumedBlock, ARankInTheBlockMakesNoPlanes) {
  EXPECT_EQ(blockOf("int x = blockIdx.x * 16 + threadIdx.x;\n"
                    "int y = blockIdx.y * 16 + threadIdx.y;\n"
                    "__shared__ float t[256];\n"
                    "int rank = threadIdx.z * blockDim.y * blockDim.x +\n"
                    "           threadIdx.y * blockDim.x + threadIdx.x;\n"
                    "t[rank] = a[rank]; __syncthreads();\n"
                    "a[y * n + x] = t[255 - rank];"),
            "16x16x1");
}

// GROMACS launches 4x4x8 where the bounds allow 128 threads: a row of 128 left
// the arrays in shared memory, and its bank conflicts never occur.
TEST(AssumedBlock, LaunchBoundsLimitTheThreadsAndNotTheirRows) {
  auto bounded = [](const std::string &body) {
    const SourceModel model = readText("__global__ void __launch_bounds__(128) "
                                       "k(float *a, int n) {\n" +
                                       body + "\n}\n");
    const KernelShape &shape = model.kernels.at(0).shapes.at(0);
    return shape.shape.text() +
           (shape.source == ShapeSource::LaunchBounds ? "" : " assumed");
  };
  EXPECT_EQ(bounded("a[threadIdx.x] = n;"), "128x1x1");
  EXPECT_EQ(bounded("if (threadIdx.y == 0 && threadIdx.z == 0)\n"
                    "a[threadIdx.x] = n;"),
            "128x1x1");
  EXPECT_EQ(bounded("a[threadIdx.y * n + threadIdx.x] = n;"), "32x4x1 assumed");
  EXPECT_EQ(bounded("__shared__ float t[4][8];\n"
                    "t[threadIdx.x][threadIdx.z] = a[threadIdx.y];\n"
                    "__syncthreads(); a[n] = t[threadIdx.x][threadIdx.z];"),
            "4x4x8 assumed");
}

TEST(AssumedBlock, FitsTheArraysInSharedMemory) {
  EXPECT_EQ(blockOf("__shared__ float t[TILE][TILE];\n"
                    "t[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + "
                    "threadIdx.x]; __syncthreads();\n"
                    "a[threadIdx.y * n + threadIdx.x] = "
                    "t[threadIdx.x][threadIdx.y];"),
            "16x16x1");
  EXPECT_EQ(blockOf("__shared__ float t[32][33];\n"
                    "t[threadIdx.x][threadIdx.y] = a[threadIdx.x]; "
                    "__syncthreads(); a[threadIdx.x] = t[0][threadIdx.y];"),
            "32x8x1");
  EXPECT_EQ(blockOf("__shared__ float t[8 * 8];\n"
                    "t[threadIdx.y * 8 + threadIdx.x] = a[threadIdx.x]; "
                    "__syncthreads(); a[threadIdx.x] = t[threadIdx.y];"),
            "8x8x1")
      << "two threads of a longer row would store one element";
  EXPECT_EQ(blockOf("__shared__ float t[8][8][8];\n"
                    "t[threadIdx.z][threadIdx.y][threadIdx.x] = a[n]; "
                    "__syncthreads(); a[threadIdx.x] = t[0][0][threadIdx.y];"),
            "8x8x4");
}

TEST(AssumedBlock, IsWhatTheKernelsOwnIndexSays) {
  EXPECT_EQ(blockOf("int x = blockIdx.x * TILE + threadIdx.x;\n"
                    "int y = blockIdx.y * TILE + threadIdx.y;\n"
                    "a[y * n + x] = 1;"),
            "16x16x1");
  EXPECT_EQ(blockOf("int x = blockIdx.x * 64 + threadIdx.x;\n"
                    "a[threadIdx.y * n + x] = 1;"),
            "64x4x1");
  EXPECT_EQ(blockOf("__shared__ float t[32][33];\n"
                    "int x = blockIdx.x * 32 + threadIdx.x;\n"
                    "int y = blockIdx.y * 32 + threadIdx.y;\n"
                    "for (int j = 0; j < 32; j += 8)\n"
                    "  t[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];\n"
                    "__syncthreads();\n"
                    "a[y * n + x] = t[threadIdx.x][threadIdx.y];"),
            "32x8x1")
      << "32 rows of threads would leave the tile";
}

TEST(AssumedBlock, LeavesWhatALaunchGives) {
  const SourceModel model = readText(
      "__global__ void k(float *a) { a[threadIdx.y * 64 + threadIdx.x] = 1; }\n"
      "void run(float *a, dim3 b, int w) { k<<<4, b>>>(a); }\n");
  EXPECT_EQ(model.kernels.at(0).shapes.at(0).shape.text(), "32x8x1");
  const SourceModel known = readText(
      "__global__ void k(float *a) { a[threadIdx.y * 64 + threadIdx.x] = 1; }\n"
      "void run(float *a) { k<<<4, dim3(64, 2)>>>(a); }\n");
  EXPECT_EQ(known.kernels.at(0).shapes.at(0).shape.text(), "64x2x1");
  EXPECT_EQ(known.kernels.at(0).shapes.at(0).source, ShapeSource::Launch);
}

} // namespace warplint
