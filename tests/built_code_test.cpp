// Tests that a built object answers as a compile for the judge would.
#include "machine/built_code.h"
#include "nvcc.h"
#include "nvcc/compile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>
#include <map>

using namespace warplint;
using namespace llvm;

namespace {

/// A kernel that spills, one with a barrier and shared memory, a plain one.
const char *const kernels = R"(
__global__ void __launch_bounds__(1024)
tight(const float *a, float *c, int rows, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8] = {};
  for (int k = 0; k < depth; ++k) {
    float x[8];
    for (int r = 0; r < 8; ++r)
      x[r] = a[(k * 8 + r) * rows + i];
    for (int r = 0; r < 8; ++r)
      for (int q = 0; q < 8; ++q)
        sum[r][q] += x[r] * x[(q + 1) % 8] * (r + 2 * q);
  }
  for (int r = 0; r < 8; ++r)
    for (int q = 0; q < 8; ++q)
      c[(r * 8 + q) * rows + i] = sum[r][q];
}
__global__ void turn(float *a) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  a[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void scale(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] *= 2;
}
)";

const char *const plain =
    "__global__ void scale(float *a) { a[threadIdx.x] *= 2; }\n";

DeviceImages objectOf(StringRef source, bool lineinfo) {
  auto images = readDeviceImages(MemoryBufferRef(
      compileForTests(nvccForTests(), source, "-c", "sm_90", lineinfo), "x"));
  if (images)
    return std::move(*images);
  ADD_FAILURE() << toString(images.takeError());
  return {};
}

/// The judge's own compile.
CompiledUnit compiledUnit(StringRef source) {
  Scratch scratch = cantFail(Scratch::create());
  writeFile(scratch.path("source.cu"), source);
  const std::vector<std::string> words = {"nvcc", "source.cu"};
  Compiled compiled =
      compile({scratch.path("source.cu"), scratch.folder().str(), words}, words,
              {"", "", nvccForTests(), 13, 0, 0}, {"sm_90"});
  return compiled.units.empty() ? CompiledUnit() : std::move(compiled.units[0]);
}

const CompiledKernel *kernelOf(const CompiledUnit &unit, StringRef name) {
  auto found = find_if(unit.kernels, [&](const CompiledKernel &kernel) {
    return kernel.usage.kernel == name;
  });
  return found == unit.kernels.end() ? nullptr : &*found;
}

/// The lines of the source in a PTX text, by the number of the line there: an
/// object keeps the text without indentation and comments.
std::map<size_t, std::string> linesOf(StringRef ptx) {
  std::map<size_t, std::string> lines;
  size_t number = 0;
  for (StringRef line : split(ptx, '\n')) {
    if (line.trim().starts_with(".loc"))
      lines[number] = line.split("//").first.trim().str();
    ++number;
  }
  return lines;
}

class BuiltCodeTest : public testing::Test {
protected:
  void SetUp() override {
    if (nvccForTests().empty())
      GTEST_SKIP() << "NO NVCC: objects of a build are not tested";
  }
};

TEST_F(BuiltCodeTest, AnObjectWithLinesSaysWhatACompileSays) {
  auto built = builtFor("sm_90", objectOf(kernels, true), Asks::PtxWithLines);
  ASSERT_TRUE(built);
  const CompiledUnit expected = compiledUnit(kernels);
  ASSERT_EQ(expected.kernels.size(), 3u);
  ASSERT_EQ(built->unit.kernels.size(), 3u);
  EXPECT_GT(linesOf(expected.ptx).size(), 20u);
  EXPECT_EQ(linesOf(built->unit.ptx), linesOf(expected.ptx));
  for (const CompiledKernel &kernel : expected.kernels) {
    const CompiledKernel *same = kernelOf(built->unit, kernel.usage.kernel);
    ASSERT_TRUE(same) << kernel.usage.kernel;
    EXPECT_EQ(same->usage.architecture, "sm_90");
    EXPECT_EQ(same->usage.registers, kernel.usage.registers);
    EXPECT_EQ(same->usage.stackFrame, kernel.usage.stackFrame);
    EXPECT_EQ(same->usage.spillStores, kernel.usage.spillStores);
    EXPECT_EQ(same->usage.spillLoads, kernel.usage.spillLoads);
    EXPECT_EQ(same->usage.sharedMemory, kernel.usage.sharedMemory);
    EXPECT_EQ(same->usage.barriers, kernel.usage.barriers);
    EXPECT_EQ(same->locals.size(), kernel.locals.size());
    EXPECT_EQ(same->shared.size(), kernel.shared.size());
    EXPECT_EQ(same->lines.size(), kernel.lines.size());
  }
}

TEST_F(BuiltCodeTest, WithoutLinesItAnswersWhatNeedsNone) {
  const DeviceImages simple = objectOf(plain, false);
  auto built = builtFor("sm_90", simple, Asks::FrameLines);
  ASSERT_TRUE(built);
  EXPECT_EQ(built->unit.ptx, "");
  EXPECT_FALSE(builtFor("sm_90", simple, Asks::PtxWithLines));
  // The lines of its spills.
  const DeviceImages spilling = objectOf(kernels, false);
  EXPECT_TRUE(builtFor("sm_90", spilling, Asks::Report));
  EXPECT_FALSE(builtFor("sm_90", spilling, Asks::SpillLines));
}

TEST_F(BuiltCodeTest, OnlyTheArchitectureThatIsAskedForCounts) {
  const DeviceImages object = objectOf(plain, true);
  EXPECT_TRUE(builtFor("", object, Asks::PtxWithLines));
  EXPECT_FALSE(builtFor("sm_80", object, Asks::Report));
  DeviceImages twice = object;
  append_range(twice.images, object.images);
  EXPECT_FALSE(builtFor("sm_90", twice, Asks::Report));
  DeviceImages cutOff = object;
  cutOff.notRead.push_back("an image is compressed in an unknown way");
  EXPECT_FALSE(builtFor("sm_90", cutOff, Asks::Report));
}

// A cubin does not say whose frame that is, nor whether it spills.
TEST_F(BuiltCodeTest, FramesOfFunctionsAreNotAnswered) {
  const DeviceImages object = objectOf(R"(
__device__ __noinline__ float pick(const float *a, const int *at) {
  float t[32];
  for (int i = 0; i < 32; ++i)
    t[i] = a[i];
  return t[*at];
}
__global__ void k(float *a, const int *at) {
  a[threadIdx.x] = pick(a + threadIdx.x, at + threadIdx.x);
}
)",
                                       true);
  EXPECT_FALSE(object.images.empty());
  EXPECT_FALSE(builtFor("sm_90", object, Asks::Report));
}

TEST_F(BuiltCodeTest, AnObjectWithoutDeviceCodeAnswersNothing) {
  EXPECT_FALSE(builtFor("", DeviceImages(), Asks::Report));
}

} // namespace
