// Tests what is loaded into shared memory, by whom, and how often.
#include "cost/block_reuse.h"
#include "cost/scalar_runs.h"
#include "cost/tiles.h"
#include "cost/withheld.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

Kernel kernelOf(llvm::StringRef source) {
  SourceModel model = readText(source);
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  return model.kernels.empty() ? Kernel() : std::move(model.kernels.front());
}

/// "a>as" for each fill: the object, and the tile.
std::string fills(llvm::StringRef source) {
  const Kernel kernel = kernelOf(source);
  std::string text;
  for (const TileFill &fill : tileFills(kernel))
    text += (text.empty() ? "" : " ") + kernel.accesses[fill.load].object +
            ">" + kernel.accesses[fill.store].object;
  return text;
}

const Access &accessTo(const Kernel &kernel, llvm::StringRef object,
                       Operation operation = Operation::Load) {
  for (const Access &access : kernel.accesses)
    if (access.object == object && access.operation == operation)
      return access;
  ADD_FAILURE() << "no access to " << object.str();
  static const Access none;
  return none;
}

} // namespace

TEST(Tiles, FollowTheLoadedValueToSharedMemory) {
  EXPECT_EQ(fills(R"(
__global__ void k(const float *a, float *out, int n, float by) {
  __shared__ float tile[256];
  float value = 0;
  if (threadIdx.x < n)
    value = by * a[threadIdx.x];
  tile[threadIdx.x] = value;
  __syncthreads();
  out[threadIdx.x] = tile[255 - threadIdx.x];
})"),
            "a>tile");
}

// A cipher's state and its round keys; factors that stay are part of a tile.
TEST(Tiles, AreNoResultsThatOneLoadIsAddedTo) {
  auto rounds = [](const std::string &before, const std::string &inside) {
    return fills("__global__ void k(const unsigned *keys, unsigned *out) {\n"
                 "  __shared__ unsigned state[32], next[32];\n"
                 "  int i = threadIdx.x;\n  " +
                 before +
                 "\n  for (int r = 0; r < 10; ++r) {\n"
                 "    __syncthreads();\n    " +
                 inside +
                 "\n    __syncthreads();\n"
                 "    state[i] = next[i] ^ keys[32 * r + i];\n"
                 "  }\n"
                 "  out[i] = state[31 - i];\n}\n");
  };
  EXPECT_EQ(rounds("", "next[i] = state[31 - i] * 3;"), "");
  EXPECT_EQ(rounds("next[i] = out[i];", ""), "out>next keys>state");
}

TEST(Tiles, KeepTheirArrayUnderTheNamesOfFunctions) {
  const Kernel kernel = kernelOf(R"(
__device__ void fill(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void k(const float *a, float *out, int n) {
  __shared__ float tile[256], other[256];
  for (int i = 0; i < n; ++i) {
    fill(tile, a + i * 256);
    __syncthreads();
    out[threadIdx.x] += tile[255 - threadIdx.x] + other[threadIdx.x];
    __syncthreads();
  }
})");
  const std::vector<TileFill> found = tileFills(kernel);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(tiledLoop(kernel, found[0]));
  const ValueId tile = kernel.accesses[found[0].store].address;
  EXPECT_TRUE(
      areInOneObject(kernel.graph, tile, accessTo(kernel, "tile").address));
  EXPECT_FALSE(
      areInOneObject(kernel.graph, tile, accessTo(kernel, "other").address));
}

TEST(Tiles, LeaveOutSumsAndIndexes) {
  EXPECT_EQ(fills(R"(
__global__ void k(const float *a, const int *at, float *out, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i * 256 + threadIdx.x];
  tile[at[threadIdx.x]] = sum;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
})"),
            "");
}

// Partial results of each thread are no copy of what they are made from.
TEST(Tiles, LeaveOutWhatAThreadAddsUpInSharedMemory) {
  EXPECT_EQ(fills(R"(
__global__ void k(const float *a, float *out, int n) {
  __shared__ float part[256];
  part[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    part[threadIdx.x] += 2 * a[i * 8];
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = part[0] + part[1];
})"),
            "");
}

TEST(Tiles, BlocksAndWarpsThatLoadTheSame) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const float *a, const float *b, float *c, int n) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[row * n + i] * b[i * n + column];
  c[row * n + column] = sum;
}
void run(const float *a, float *c, int n) {
  k<<<dim3(n, n), dim3(16, 16)>>>(a, a, c, n);
})");
  const Shape shape = kernel.shapes.front().shape;
  const Access &a = accessTo(kernel, "a"), &b = accessTo(kernel, "b"),
               &c = accessTo(kernel, "c", Operation::Store);
  EXPECT_EQ(warpsPerRequest(kernel, shape, a), 1);
  EXPECT_EQ(warpsPerRequest(kernel, shape, b), 8);
  EXPECT_TRUE(isSameForBlocks(kernel, shape, a, 0));
  EXPECT_FALSE(isSameForBlocks(kernel, shape, a, 1));
  EXPECT_TRUE(isSameForBlocks(kernel, shape, b, 1));
  EXPECT_FALSE(isSameForBlocks(kernel, shape, c, 0));
}

// A value that is computed by floats, or comes from another lane, may differ
// between warps and between blocks though it is the same in all lanes.
TEST(Tiles, WhatIsNotFollowedIsNotShared) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const float *a, const int *b, float *c, float scale, int n) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int first = warp * scale, block = blockIdx.x * scale;
  int row = __shfl_sync(0xffffffffu, b[threadIdx.x], 0);
  c[threadIdx.x] = a[first + lane] + b[row + lane];
  c[block + threadIdx.x] = 0;
}
void run(const float *a, const int *b, float *c, int n) {
  k<<<dim3(n), dim3(256)>>>(a, b, c, 0.5f, n);
})");
  const Shape shape = kernel.shapes.front().shape;
  EXPECT_FALSE(warpsPerRequest(kernel, shape, accessTo(kernel, "a")));
  const Access *gathered = nullptr, *byBlock = nullptr;
  for (const Access &access : kernel.accesses) {
    if (access.text == "b[row + lane]")
      gathered = &access;
    if (access.text == "c[block + threadIdx.x]")
      byBlock = &access;
  }
  ASSERT_TRUE(gathered && byBlock);
  EXPECT_FALSE(warpsPerRequest(kernel, shape, *gathered));
  EXPECT_FALSE(isSameForBlocks(kernel, shape, *byBlock, 0));
}

TEST(Tiles, ABlockMayUseWhatItsWarpsWaste) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const float *a, const float4 *p, float *c, int n) {
  int x = threadIdx.x, y = threadIdx.y;
  c[y * n + x] = a[x * n + y] + p[y * 32 + x].x;
}
void run(const float *a, const float4 *p, float *c, int n) {
  k<<<1, dim3(32, 32)>>>(a, p, c, n);
})");
  const Shape shape = kernel.shapes.front().shape;
  const auto turned = blockFootprint(kernel, shape, accessTo(kernel, "a"));
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->sectors, turned->idealSectors);
  const auto members = blockFootprint(kernel, shape, accessTo(kernel, "p"));
  ASSERT_TRUE(members);
  EXPECT_EQ(members->sectors, 4 * members->idealSectors);
}

// Sizes that are not known may let no thread get there: what none of them
// touches is not what the block needs.
TEST(Tiles, NoThreadUsesNothing) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const char *a, char *out, int width, int height) {
  __shared__ char tile[256];
  if (threadIdx.y > height && threadIdx.y < 4)
    tile[threadIdx.y] = a[threadIdx.y * width];
  __syncthreads();
  out[threadIdx.y] = tile[255 - threadIdx.y];
}
void run(char *a, int w, int h) { k<<<8, dim3(1, 256)>>>(a, a, w, h); })");
  const Shape shape = kernel.shapes.front().shape;
  EXPECT_FALSE(blockFootprint(kernel, shape, accessTo(kernel, "a")));
}

TEST(Tiles, RunsOfScalarsAreAligned) {
  auto joined = [](llvm::StringRef index) {
    const Kernel kernel =
        kernelOf(("__global__ void k(const unsigned char *in, "
                  "int *out, int n) {\n"
                  "int i = blockIdx.x * 256 + threadIdx.x;\n"
                  "out[i] = " +
                  index + ";\n}")
                     .str());
    const CostedKernel costs = costed(kernel);
    const auto runs = scalarRuns(kernel, costs.shapes.front());
    return runs.size() == 1 ? runs[0].joined : unsigned(runs.size());
  };
  EXPECT_EQ(joined("in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3]"),
            4u);
  EXPECT_EQ(joined("in[i] + in[i + 1] + in[i + 2] + in[i + 3]"), 0u);
  EXPECT_EQ(joined("in[i * n] + in[i * n + 1] + in[i * n + 2] + in[i * n + 3]"),
            0u);
}

TEST(Tiles, PromisesOfPointersAreSeen) {
  auto withheld = [](llvm::StringRef parameters) {
    const Kernel kernel = kernelOf(("__global__ void k(" + parameters +
                                    ", int n) {\n"
                                    "for (int r = 0; r < n; ++r)\n"
                                    "out[r * n + threadIdx.x] = "
                                    "in[r * n + threadIdx.x];\n}")
                                       .str());
    return withheldLoads(costed(kernel)).size();
  };
  EXPECT_EQ(withheld("float *out, const float *in"), 1u);
  EXPECT_EQ(withheld("float *__restrict__ out, const float *in"), 0u);
  EXPECT_EQ(withheld("float *out, const float *__restrict__ in"), 0u);
}

} // namespace warplint
