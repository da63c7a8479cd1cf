// Reports, judges and other tools find a kernel by its name, and its bounds say
// which blocks it can run with.
#include "source/describe_kernel.h"
#include "read_text.h"
#include <gmock/gmock.h>

namespace warplint {

TEST(DescribeKernel, AKernelHasTheUsersNameAndItsPlace) {
  const SourceModel model = readText(R"(
namespace { namespace deep {
template <class T> __global__ void k(T *a) { a[threadIdx.x] = 1; }
} }
template __global__ void deep::k<float>(float *);
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  EXPECT_EQ(model.kernels[0].name, "deep::k<float>");
  EXPECT_EQ(model.kernels[0].place.line, 3u);
}

TEST(DescribeKernel, LaunchBoundsAreRead) {
  const SourceModel model = readText(R"(
constexpr int threads = 128;
__global__ void __launch_bounds__(2 * threads, 3) k(int *a) {
  a[threadIdx.x] = 1;
}
__global__ void free(int *a) { a[threadIdx.x] = 1; }
)");
  ASSERT_EQ(model.kernels.size(), 2u);
  ASSERT_TRUE(model.kernels[0].bounds);
  EXPECT_EQ(model.kernels[0].bounds->maxThreads, 256u);
  EXPECT_EQ(model.kernels[0].bounds->minBlocks, 3u);
  EXPECT_FALSE(model.kernels[1].bounds);
}

TEST(DescribeKernel, ADemandedBlockIsTheKernelsShape) {
  const SourceModel model = readText(R"(
__global__ void __block_size__((16, 8, 1), (2, 1, 1)) k(int *a) {
  a[threadIdx.x] = 1;
}
)");
  ASSERT_EQ(model.kernels.size(), 1u);
  EXPECT_EQ(model.kernels[0].shapes.at(0).shape.text(), "16x8x1");
}

} // namespace warplint
