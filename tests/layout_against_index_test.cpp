// The advice for an array whose layout is not the one of its accesses.
#include "input_folder.h"
#include "program.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The output for a kernel with an array 'a' of rows.
std::string linted(const std::string &body) {
  InputFolder folder;
  const std::string file = folder.write("a.cu", R"(struct LayoutRight {};
template <class T, class Layout> struct View {
  using array_layout = Layout;
  T *data;
  int rows, columns;
  __device__ T &operator()(int i, int j) const { return data[i * columns + j]; }
};
__global__ void k(View<const float, LayoutRight> a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
)" + body + "}\n");
  return runProgram({"check", "--no-judge", "--minor", file}).out;
}

TEST(LayoutAgainstIndex, TheOtherLayoutIsForArraysThatItServesBetter) {
  EXPECT_THAT(linted("  out[i] = a(i, n);\n"),
              HasSubstr("fix: make 'a' LayoutLeft, or let the lanes run over "
                        "the last index"));
  const std::string many = "  out[i] = a(i, n);\n"
                           "  for (int k = 0; k < 64; ++k)\n"
                           "    out[k * n + i] = a(k, i) + a(k + n, i);\n";
  EXPECT_THAT(linted(many),
              AllOf(HasSubstr("fix: let the lanes run over the last index"),
                    Not(HasSubstr("make 'a'"))));
}

// The heat conduction of Kokkos' tutorials on the side x == 0 of its box was
// told to let the lanes run over x.
TEST(LayoutAgainstIndex, NoLanesRunOverAnIndexThatAllHaveInCommon) {
  const auto reportOn = [](const std::string &x) {
    InputFolder folder;
    const std::string file = folder.write("a.cu", R"(struct LayoutLeft {};
template <class T, class Layout> struct View {
  using array_layout = Layout;
  T *data;
  int n0, n1;
  __device__ T &operator()(int i, int j, int k) const {
    return data[i + n0 * (j + n1 * k)];
  }
};
__global__ void k(View<const float, LayoutLeft> a, float *out, int side) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y;
  out[y * gridDim.y + z] = a()" + x + R"(, y, z);
}
)");
    return runProgram({"check", "--no-judge", "--minor", "--check",
                       "layout-against-index", file})
        .out;
  };
  EXPECT_THAT(reportOn("side"), AllOf(HasSubstr("[layout-against-index]"),
                                      Not(HasSubstr("let the lanes run"))));
  EXPECT_THAT(reportOn("z"), HasSubstr("let the lanes run over the first"));
}

} // namespace
